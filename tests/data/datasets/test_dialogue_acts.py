from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.data.datasets.dialogue_acts import DialogueActAnnotation, parse_acts


def acts(text):
    return [(act.name, dict(act.arguments)) for act in parse_acts(text).acts]


def test_acts_are_read_with_their_roles_in_order():
    parsed = parse_acts('greet(), request(entity="lens workshop", attribute="room")')
    assert parsed.acts == (
        DialogueActAnnotation("greet", ()),
        DialogueActAnnotation("request", (("entity", "lens workshop"), ("attribute", "room"))))
    assert parsed.repaired == parsed.unreadable == ()


@pytest.mark.parametrize(("text", "arguments"), [
    ("set(event=@newevent, time=13:00, minutes=30)",
     (("event", "@newevent"), ("time", "13:00"), ("minutes", "30"))),
    ("ask(start_time>12:00, end<=14:00)", (("start_time", ">12:00"), ("end", "<=14:00"))),
    ('add(people=["Mei", @speaker])', (("people", "Mei"), ("people", "@speaker"))),
    ('set(@newevent, name="talk")', (("", "@newevent"), ("name", "talk"))),
    ("set(place=@speaker.office)", (("place", "@speaker.office"),)),
    (r'set(name="the \"big\" demo")', (("name", 'the "big" demo'),)),
    ('set(name="a, (b) = c")', (("name", "a, (b) = c"),)),
    ("add(people=[])", ()),
    ('add(people=members(group="Optics", number=2))',
     (("people", 'members(group="Optics", number=2)'),)),
])
def test_acts_have_values_of_every_form(text, arguments):
    parsed = parse_acts(text)
    assert parsed.acts[0].arguments == arguments
    assert parsed.repaired == parsed.unreadable == ()


@pytest.mark.parametrize(("text", "read", "repaired"), [
    ('set(value="office), bye()', [("set", {"value": "office"}), ("bye", {})], "open quote"),
    ('set(value="office)', [("set", {"value": "office"})], "open quote"),
    ('a(x="b, y="c")', [("a", {"x": "b", "y": "c"})], "open quote"),
    ('set(value=office"), bye()', [("set", {"value": "office"}), ("bye", {})], "stray quote"),
    ("yes(), , no()", [("yes", {}), ("no", {})], "empty entry"),
    ('add(people=["Mei"), bye()', [("add", {"people": "Mei"}), ("bye", {})], "open list"),
    ('set(place="Sorrel"', [("set", {"place": "Sorrel"})], "open bracket"),
    ('set(place="Sorrel"])', [("set", {"place": "Sorrel"})], "stray ]"),
    ("greet, bye()", [("greet", {}), ("bye", {})], "greet without brackets"),
])
def test_acts_that_are_mistyped_are_repaired_and_named(text, read, repaired):
    assert acts(text) == read
    assert parse_acts(text).repaired == (repaired,)
    assert parse_acts(text).unreadable == ()


@pytest.mark.parametrize(("text", "read", "unreadable"), [
    ("??, bye()", [("bye", {})], "??"),
    ("good morning, bye()", [("bye", {})], "good morning"),
    ('set(place="Sorrel" room)', [("set", {"place": "Sorrel"})], "room"),
    (")", [], ")"),
])
def test_acts_that_cannot_be_read_are_left_out_and_named(text, read, unreadable):
    assert acts(text) == read
    assert parse_acts(text).unreadable == (unreadable,)


@given(st.text(alphabet='ab =<>"\\[](){},.@1:', max_size=40))
def test_acts_of_any_text_are_read_to_the_end(text):
    parsed = parse_acts(text)
    assert bool(parsed.acts or parsed.repaired or parsed.unreadable) == bool(text.strip())
