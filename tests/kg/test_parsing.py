import datetime as dt
from functools import cache
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from frontdesk.data.simulate import demo_organisation
from frontdesk.kg.entities import Event, Person
from frontdesk.kg.facts import Argument, Fact
from frontdesk.kg.knowledge_base import KnowledgeBase
from frontdesk.kg.parsing import SentenceParser, parse
from frontdesk.kg.read_phrases import (
    read_date,
    read_floor,
    read_minutes,
    read_on,
    read_phones,
    read_time,
    read_windows,
)
from frontdesk.kg.schema import PREDICATES, ArgumentType
from frontdesk.kg.verbalise import Verbaliser, event_window
from frontdesk.kg.windows import (
    PartOfDay,
    Window,
    WindowKind,
    day_window,
    instant,
    now_window,
    part_window,
)

from .awkward import NOW, ZONE, at, knowledge_base, said, span

AWKWARD = knowledge_base()
#: What is pending is said to users and never read back: its first word may be a name or none.
READ_BACK = tuple(name for name in PREDICATES if not name.startswith("pending_"))
DAYS = st.integers(-400, 400).map(lambda shift: NOW.date() + dt.timedelta(days=shift))
TIMES = st.times().map(lambda time: time.replace(second=0, microsecond=0))


@cache
def awkward_parser(speaker: str | None = "chris") -> SentenceParser:
    return SentenceParser(Verbaliser(AWKWARD, NOW, speaker=speaker))


@cache
def demo_parser() -> SentenceParser:
    kb = demo_organisation(NOW, seed=3, people=20, events=30)
    return SentenceParser(Verbaliser(kb, NOW, speaker=next(iter(kb.people))))


@st.composite
def spans(draw, day=DAYS):
    first, length = draw(day), draw(st.sampled_from((0, 0, 0, 1, 40)))
    start, end = sorted((draw(TIMES), draw(TIMES)))
    last = first + dt.timedelta(days=length)
    return Window(dt.datetime.combine(first, start, ZONE), dt.datetime.combine(last, end, ZONE))


@st.composite
def stretches(draw):
    first = draw(DAYS)
    last = first + dt.timedelta(days=draw(st.integers(0, 9)))
    return Window(day_window(first, ZONE).start, day_window(last, ZONE).end,
                  draw(st.sampled_from((WindowKind.DAY, WindowKind.ALL_DAY))))


WINDOWS = st.one_of(
    st.just(now_window(NOW)), spans(), stretches(),
    st.builds(lambda day, time: instant(dt.datetime.combine(day, time, ZONE)), DAYS, TIMES),
    st.builds(lambda day, part: part_window(day, part, ZONE), DAYS, st.sampled_from(PartOfDay)))


def slots_of(window: Window) -> st.SearchStrategy[tuple[Window, ...]]:
    """Free slots on the days of a window."""
    return st.lists(spans(st.just(window.date)), min_size=1, max_size=4).map(tuple)


@st.composite
def facts(draw, kb: KnowledgeBase, predicates=READ_BACK) -> Fact:
    """Any fact that the verbaliser can say in full."""
    predicate = PREDICATES[draw(st.sampled_from(predicates))]
    one = {ArgumentType.PERSON: kb.people, ArgumentType.GROUP: kb.groups,
           ArgumentType.ROOM: kb.rooms, ArgumentType.EVENT: kb.events}
    many = {ArgumentType.PEOPLE: kb.people, ArgumentType.ROOMS: kb.rooms,
            ArgumentType.EVENTS: kb.events}
    plain = {
        ArgumentType.DATE: DAYS, ArgumentType.TIME: TIMES, ArgumentType.WINDOW: WINDOWS,
        ArgumentType.TEXT: st.text(min_size=1, max_size=20),
        ArgumentType.PHONE: st.from_regex(r"\+?[0-9 ]{1,14}", fullmatch=True),
        ArgumentType.NUMBER: st.integers(0, 10**6), ArgumentType.FLOOR: st.integers(-5, 200),
        ArgumentType.MINUTES: st.integers(0, 10**5)}
    arguments: list[Argument] = []
    for kind in predicate.arguments:
        if kind in one:
            arguments.append(draw(st.sampled_from(sorted(one[kind]))))
        elif kind in many:
            arguments.append(tuple(draw(st.lists(
                st.sampled_from(sorted(many[kind])), min_size=1, max_size=10, unique=True))))
        elif kind is ArgumentType.SLOTS:
            window = next(each for each in arguments if isinstance(each, Window))
            arguments.append(draw(slots_of(window)))
        else:
            arguments.append(draw(plain[kind]))
    return Fact(predicate.name, tuple(arguments))


@pytest.mark.parametrize(("fact", "sentence"), [
    each for each in said() if each[0].predicate in READ_BACK], ids=lambda value: getattr(
    value, "predicate", ""))
def test_parser_reads_back_every_predicate(fact, sentence):
    read = awkward_parser().parse(sentence)
    assert fact in read
    assert {awkward_parser().verbaliser.say(each) for each in read} == {sentence}


@settings(max_examples=400, deadline=None)
@given(st.data(), st.sampled_from((None, "chris", "van")))
def test_parser_reads_back_any_fact_over_awkward_names(data, speaker):
    fact = data.draw(facts(AWKWARD))
    parser = awkward_parser(speaker)
    assert fact in parser.parse(parser.verbaliser.say(fact))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_parser_reads_back_any_fact_of_a_generated_organisation(data):
    parser = demo_parser()
    fact = data.draw(facts(parser.verbaliser.kb))
    assert fact in parser.parse(parser.verbaliser.say(fact))


def test_parser_reads_back_every_stored_fact_of_a_generated_organisation():
    parser = demo_parser()
    kb = parser.verbaliser.kb
    for entity in kb.entities():
        for fact in kb.facts_about(entity.id):
            assert fact in parser.parse(parser.verbaliser.say(fact))


@settings(deadline=None)
@given(st.text(max_size=60))
@example("You are free  now.")
@example("you are free now.")
@example("You is free now.")
@example("You are free now")
@example("You have 2 events today: the budget review from 10:00 to 11:00.")
@example("You are free on Monday 5 March.")
@example("The budget review lasts 60 minutes.")
@example("The biology group has 1 member.")
@example("The Biology group has 1 members.")
@example("Room 327 is on the 3th floor.")
@example("Someone is free now.")
@example("The budget review starts at 25:00.")
@example("You and you are attending the budget review.")
@example("You are free on Friday 31 December 9999 from 10:00 to 09:00.")
def test_parser_reads_nothing_from_what_the_verbaliser_does_not_say(text):
    assert awkward_parser().parse(text) == []


def test_parser_gives_every_reading_of_an_ambiguous_sentence():
    read = awkward_parser().parse("The budget review is on Monday 9 March.")
    assert {each.predicate for each in read} == {"date", "takes_place"}
    read = awkward_parser().parse("Van Dyck, Bo and Sons is attending the budget review.")
    assert read == [Fact("attendees", ("review", ("van",))), Fact("attends", ("van", "review"))]
    read = awkward_parser().parse("Alpha is free tomorrow from 09:00 to 10:00.")
    assert {each.predicate for each in read} == {
        "room_available", "room_free_slots", "available_rooms"}
    read = awkward_parser().parse("Alpha is free tomorrow at 09:00.")
    assert Fact("room_available", ("alpha", instant(at(5, 9)))) in read
    assert Fact("room_available", ("alpha", span(5, 9, 9))) in read


def test_parser_gives_every_namesake_that_a_name_stands_for():
    kb = KnowledgeBase(name="Acme", timezone=ZONE, events=[
        Event("a", "sync", at(4, 9), at(4, 10)), Event("b", "sync", at(4, 9), at(4, 10))])
    say = Verbaliser(kb, NOW)
    today = day_window(NOW.date(), ZONE)
    sentence = say.say(Fact("events_during", (("a", "b"), today)))
    assert parse(sentence, say) == [Fact("events_during", (("a", "b"), today)),
                                    Fact("events_during", (("b", "a"), today))]


def test_parser_reads_false_statements_too():
    fact = Fact("start_time", ("review", dt.time(11)))
    assert awkward_parser().parse("The budget review starts at 11:00.") == [fact]


def test_parser_adds_the_seconds_that_the_knowledge_base_and_the_present_have():
    read = awkward_parser().parse("The kick-off starts at 09:00.")
    assert [fact.arguments[1] for fact in read] == [dt.time(9), dt.time(9, 0, 30)]
    assert awkward_parser().parse("It is 10:17 now.") == [
        Fact("time_now", (dt.time(10, 17),)), Fact("time_now", (NOW.time(),))]


def test_parser_does_not_read_a_list_that_was_cut():
    people = [Person(f"p{index}", f"P{index}") for index in range(12)]
    kb = KnowledgeBase(name="Acme", timezone=ZONE, people=people,
                       events=[Event("e", "sync", NOW, NOW)])
    say = Verbaliser(kb, NOW)
    sentence = say.say(Fact("attendees", ("e", tuple(kb.people))))
    assert sentence.startswith("P0, P1, P2, P3, P4, P5, P6, P7, P8, P9 and 2 more are")
    assert parse(sentence, say) == []
    ten = Fact("attendees", ("e", tuple(kb.people)[:10]))
    assert parse(say.say(ten), say) == [ten]


def test_parser_bounds_the_readings_of_a_list_of_names_made_of_separators():
    names = ["A", *(", ".join("A" * count) for count in range(2, 6)), "A and A"]
    people = [Person(f"p{index}", name) for index, name in enumerate(names)]
    kb = KnowledgeBase(name="Acme", timezone=ZONE, people=people,
                       events=[Event("e", "sync", NOW, NOW)])
    sentence = ", ".join("A" * 3000) + " and A are attending the sync."
    assert parse(sentence, Verbaliser(kb, NOW)) == []


def test_parser_reads_the_hour_that_comes_twice_when_daylight_saving_ends():
    event = Event("e", "shift", dt.datetime(2026, 10, 25, 2, 45, tzinfo=ZONE),
                  dt.datetime(2026, 10, 25, 2, 15, fold=1, tzinfo=ZONE))
    say = Verbaliser(KnowledgeBase(name="Acme", timezone=ZONE, events=[event]), NOW)
    fact = Fact("takes_place", ("e", event_window(event)))
    assert say.say(fact) == "The shift is on Sunday 25 October from 02:45 to 02:15."
    assert parse(say.say(fact), say) == [fact]


@given(WINDOWS, st.sampled_from(("UTC", "Asia/Tokyo", "America/Los_Angeles")))
def test_read_windows_inverts_say_window_whatever_zone_the_present_is_in(window, zone):
    say = Verbaliser(AWKWARD, NOW.astimezone(ZoneInfo(zone)))
    assert window in read_windows(say.window(window), say.now, ZONE)


@pytest.mark.parametrize(("read", "text", "expected"), [
    (read_time, "09:30", dt.time(9, 30)), (read_time, "9:30", None), (read_time, "24:00", None),
    (read_date, "Wednesday 4 March 2026", dt.date(2026, 3, 4)),
    (read_date, "Tuesday 4 March 2026", None), (read_date, "Wednesday 4 March", None),
    (read_date, "Sunday 29 February 2026", None),
    (read_minutes, "1 day, 1 hour and 1 minute", 1501), (read_minutes, "0 minutes", 0),
    (read_minutes, "90 minutes", None), (read_minutes, "1 hours", None),
    (read_minutes, "30 minutes and 1 hour", None),
    (read_floor, "the ground floor", 0), (read_floor, "the 0th floor", None),
    (read_floor, "basement level 2", -2), (read_floor, "basement level 0", None),
    (read_phones, "+47 21 78 42 94", ["+4721784294", "+47 21 78 42 94"]),
    (read_phones, "4711", ["4711"])])
def test_read_phrases_are_exact(read, text, expected):
    assert read(text) == expected


def test_read_on_takes_only_the_form_that_is_said():
    assert read_on("tomorrow", NOW.date()) == dt.date(2026, 3, 5)
    assert read_on("on Monday 9 March", NOW.date()) == dt.date(2026, 3, 9)
    for text in ("on Thursday 5 March", "Monday 9 March", "on Monday 9 March 2026"):
        assert read_on(text, NOW.date()) is None
