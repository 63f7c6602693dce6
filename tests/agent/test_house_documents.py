"""House documents, from the option or the settings file to the reply."""

from __future__ import annotations

import datetime as dt
import io
import json
import os
import sys
from dataclasses import replace

import pytest

from frontdesk.agent import Agent, load_agent, load_organisation
from frontdesk.agent.cli.main import main
from frontdesk.agent.domains.domain_registry import load_domain
from frontdesk.agent.sessions.load_agent import rule_warnings
from frontdesk.agent.sessions.load_components import with_house
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.agent.settings.settings import AccessSettings, HouseSettings
from frontdesk.agent.turn.explain_reply import explain_lines
from frontdesk.agent.understanding.meaning import MeaningReader
from frontdesk.generation.checks.graph_check import Verdict
from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.errors import FormatError, InputError
from frontdesk.kg.pictures.draw_graph import draw
from frontdesk.kg.sources.house_documents import HouseDocuments
from frontdesk.rules.engine.query_answer import AnswerKind

from ..forked_command import run_forked
from ..templates import TEMPLATES, TEMPLATES_ENVIRONMENT
from ..told_parser import ToldParser

NOW = "2026-03-17T10:20"
BEGINS = dt.datetime(2026, 3, 17, 10, 20, tzinfo=dt.UTC)
HOUSE = """\
# Wifi

The network is “Mill”. Its password is on the wall.

# Staff network {.employees}

The key of the staff network is under “network” in the safe.

# Toilets

There are toilets on every floor.

# Sorrel

Sorrel has a view of the river and is the quietest room of the house.

# Lockers {.employees}

Lockers are in the cellar.

# Opening hours

We are open from eight to five.
"""
ALARM = """
# Emergency

Ring the bell at the gate, then call 112.

## Fire

Leave by the stairs.
"""
FIRE = "There is a fire!"


@pytest.fixture(scope="module")
def begin(tmp_path_factory):
    """Begins dialogues with the demo organisation in a house."""
    folder = tmp_path_factory.mktemp("house")
    agents = {}

    def session(house=HOUSE + ALARM, settings=TEMPLATES, **speaker):
        key = (house, settings)
        if key not in agents:
            path = folder / f"house{len(agents)}.md"
            path.write_text(house, encoding="utf-8")
            agents[key] = load_agent(settings, load_organisation(
                org="demo", now=NOW, house=[str(path)]), like=next(iter(agents.values()), None))
        return agents[key].session(**speaker)


    yield session
    for agent in agents.values():
        agent.close()


@pytest.fixture
def talk(begin):
    """Talks with it, one dialogue per call."""
    def replies(*utterances, **more):
        session = begin(**more)
        return [session.reply(each) for each in utterances]

    return replies


def test_what_the_graph_does_not_have_is_quoted_with_its_source(talk):
    reply, = talk("What is the wifi password?")
    assert reply.text == "The network is “Mill”. Its password is on the wall."
    assert [(each.text, each.source.partition(",")[2]) for each in reply.facts] == [
        ("The network is “Mill”.", " line 3: Wifi"),
        ("Its password is on the wall.", " line 3: Wifi")]
    assert reply.graph_check.verdict is Verdict.SUPPORTED
    data = reply.to_dict()
    assert [each["source"] for each in data["facts"]] == [each.source for each in reply.facts]
    lines = explain_lines(reply)
    assert any(each.startswith("used ") and each.endswith("line 3: Wifi)") for each in lines)
    assert any(each.startswith("house ") and "line 3: Wifi" in each for each in lines)


def test_a_quoted_passage_is_in_the_dialogue_graph_and_is_drawn(begin, tmp_path):
    session = begin()
    source = session.reply("What is the wifi password?").facts[0].source
    graph = DialogueGraph.from_json(session.graph.to_json())
    assert graph.quoted(graph.turns[-1]) == (source,)
    draw(graph, session.agent.kb, graph.turns[-1], tmp_path / "turn.svg")
    svg = (tmp_path / "turn.svg").read_text(encoding="utf-8")
    assert "quotes 2 sentences" in svg
    assert "line 3: Wifi" in svg
    session.take_back(0)
    assert "passage" not in session.graph.to_json()


@pytest.fixture
def told(begin, monkeypatch):
    """Talks with it, of each utterance its forms given; one dialogue per call."""
    def replies(*said, minutes=0, **more):
        session = begin(**more)
        parser = ToldParser(dict(said))
        monkeypatch.setattr(session.agent, "components", replace(
            session.agent.components, meaning=MeaningReader(parser)))
        return [session.reply(utterance, now=BEGINS + place * dt.timedelta(minutes=minutes))
                for place, (utterance, _) in enumerate(said)]

    return replies


OPEN = ("When do you open?", '(unsupported "open")')


@pytest.mark.parametrize("follow_up", [
    '(unsupported "Sunday")', '(revise (retime (at "Sunday")))',
    '(correct (retime (at "Sunday")))'])
def test_a_follow_up_on_the_house_is_searched_with_the_question_before(told, follow_up):
    hours = told(OPEN, ("and on Sunday?", follow_up))[-1]
    assert hours.text == "We are open from eight to five."
    assert hours.facts[0].source
    assert told(("and on Sunday?", '(unsupported "Sunday")'))[-1].facts == ()


WHERE_IS = ("Where is Sorrel?", '(ask (where (room "Sorrel")))')
AND_TANSY = ("and Tansy?", '(revise (replace (room "Tansy")))')


def test_a_follow_up_goes_on_with_the_house_though_the_graph_was_asked_before(told):
    assert told(WHERE_IS, OPEN, ("and on Sunday?", '(revise (retime (at "Sunday")))'))[-1].text \
        == "We are open from eight to five."


@pytest.mark.parametrize("said", [
    ("Where is Sorrel and where are the toilets?",
     '(ask (where (room "Sorrel"))) (ask (where (thing "toilets")))'),
    ("Where is Sorrel and when do you open?",
     '(ask (where (room "Sorrel"))) (unsupported "open")'),
    ("Where are the toilets?", '(ask (where (thing "toilets")))')])
def test_a_follow_up_that_the_graph_can_answer_it_answers_after_a_quotation_too(told, said):
    quoted, tansy = told(said, AND_TANSY)
    assert any(each.source for each in quoted.facts)
    assert tansy.answers[0].kind is not AnswerKind.UNKNOWN
    assert "Tansy" in tansy.text
    assert not any(each.source for each in tansy.facts)


@pytest.mark.parametrize("act", ["revise", "correct"])
def test_what_is_arranged_is_corrected_after_a_quotation_too(told, act):
    person = next(iter(load_organisation(org="demo", now=NOW).kb.people))
    _, quoted, corrected = told(
        ("Book Sorrel tomorrow at four for one hour",
         '(request (create (venue (room "Sorrel")) (time (at "tomorrow at four")) '
         '(duration "one hour")))'),
        ("Where are the toilets?", '(ask (where (thing "toilets")))'),
        ("make that two hours", f'({act} (set (duration "two hours")))'), speaker=person)
    assert any(each.source for each in quoted.facts)
    action = corrected.actions[0].action
    assert action is not None
    assert action.time.minutes == 120


def test_what_has_nothing_to_do_with_the_question_before_is_not_answered_by_it(told):
    assert "boats" in told(OPEN, ("Do you sell boats?", '(unsupported "boats")'))[-1].text
    assert told(OPEN, ("Where are the toilets?", '(unsupported "toilets")'))[-1].text \
        == "There are toilets on every floor."


def test_why_something_was_told_that_is_quoted_names_the_document(told):
    answer, why = told(OPEN, ("Why?", "(ask (why))"))
    assert answer.facts[0].source in why.text


DELIVERIES = """
# Deliveries

Parcels are handed in at the loading bay.
"""
PARCEL = ("I have a parcel for Petra Ivanova", '(deliver "parcel" (person "Petra Ivanova"))')


@pytest.mark.parametrize("said", [
    PARCEL, ("Parcel for Zeno Quux", '(deliver "Parcel" (person "Zeno Quux"))'),
    ("A delivery", '(deliver "delivery")'), ("Courier", "(deliver)")])
@pytest.mark.parametrize("where", [
    '(unsupported "where shall I leave it")', "(ask (where (that)))"])
def test_who_brings_something_is_told_where_it_is_left(told, said, where):
    first, second = told(said, ("where shall I leave it", where), house=HOUSE + DELIVERIES)
    assert "Parcels are handed in at the loading bay." in first.text
    assert "Parcels are handed in at the loading bay." in second.text
    assert ("Zeno Quux" in first.text) == ("Zeno" in said[0])


@pytest.mark.parametrize("said", ["A delivery", "Courier"])
def test_where_the_house_does_not_say_that_whoever_brings_something_is_thanked(told, said):
    assert told((said, "(deliver)"))[-1].text == "Thank you."


def test_what_is_asked_after_an_alarm_is_answered_with_what_to_do(told):
    alarm, *others, where, boats = told(
        (FIRE, '(alarm "fire")'), ("what do I do", '(unsupported "what do I do")'),
        ("who do I call", '(unsupported "who do I call")'), ("help", "(help)"),
        ("where is Sorrel", '(ask (where (room "Sorrel")))'), ("boats", '(unsupported "boats")'))
    assert {each.text for each in (alarm, *others)} == {
        "Leave by the stairs. Ring the bell at the gate, then call 112."}
    assert "Sorrel" in where.text
    assert "boats" in boats.text, "after a while it is over"


WHAT = ("what do I do", '(unsupported "what do I do")')
WIFI = ("What is the wifi password?", '(unsupported "wifi password")')
FIRST_AID = """
# First aid

The first aid kit hangs in the kitchen.
"""
HELP = """
# Help

Help with projectors and printers is on the second floor.
"""


@pytest.mark.parametrize(("said", "words"), [
    (WIFI, "The network is “Mill”. Its password is on the wall."),
    (("the first aid kit?", '(unsupported "first aid kit")'),
     "The first aid kit hangs in the kitchen."),
    (("Who helps with projectors and printers?", "(help)"),
     "Help with projectors and printers is on the second floor.")])
def test_what_the_house_says_of_something_else_is_told_after_an_alarm_too(told, said, words):
    assert told((FIRE, '(alarm "fire")'), said,
                house=HOUSE + FIRST_AID + HELP + ALARM)[-1].text == words


@pytest.mark.parametrize(("between", "is_over"), [
    (("sorry, false alarm", '(apologise) (unsupported "false alarm")'), True),
    (("hello", "(greet)"), True), (("I am Jane Doe", '(introduce "Jane Doe")'), True),
    (("goodbye", "(goodbye)"), True), (("thanks", "(thank)"), False)])
def test_a_danger_is_over_where_they_apologise_or_somebody_begins(told, between, is_over):
    alarm, _, what = told((FIRE, '(alarm "fire")'), between, WHAT)
    assert (what.text != alarm.text) is is_over


def test_a_danger_is_over_after_a_long_silence(told):
    alarm, what = told((FIRE, '(alarm "fire")'), WHAT, minutes=15)
    assert what.text != alarm.text


def test_without_a_document_what_is_asked_after_an_alarm_is_answered_so_too(told):
    alarm, what = told((FIRE, '(alarm "fire")'), ("what do I do", '(unsupported "what do I do")'),
                       house=HOUSE)
    assert what.text == alarm.text


def test_a_question_for_a_place_that_is_no_room_is_answered_too(talk):
    assert talk("Where are the toilets?")[0].text == "There are toilets on every floor."


def test_what_neither_has_is_not_known_by_its_name(talk):
    reply, = talk("Is there a swimming pool?")
    assert not any(each.source for each in reply.facts)
    assert "swimming pool" in reply.text


def test_what_the_graph_answers_it_answers(talk):
    reply, = talk("Where is Sorrel?")
    assert not any(each.source for each in reply.facts)
    assert reply.answers[0].kind is not AnswerKind.UNKNOWN


def test_of_two_questions_each_is_answered_by_who_can(talk):
    reply, = talk("Where is Sorrel and where are the toilets?")
    assert reply.text.endswith("There are toilets on every floor.")
    assert "floor" in reply.text.partition("There are")[0]
    assert "don't know" not in reply.text


def test_who_greets_is_greeted(talk):
    assert talk("Hello, when do you open?")[0].text == "Hello! We are open from eight to five."


def test_what_is_for_employees_is_not_there_for_others(talk):
    question = "What is the key of the staff network?"
    kb = load_organisation(org="demo", now=NOW).kb
    person = next(iter(kb.people))
    assert "safe" in talk(question, speaker=person)[0].text
    known, unknown = talk(question)[0], talk(question, house=HOUSE.replace(
        "The key of the staff network is under “network” in the safe.", "It is."))[0]
    assert not any("safe" in each.text for each in known.facts)
    assert known.text == unknown.text
    assert "cellar" in talk("Where are the lockers?", speaker=person)[0].text
    assert "cellar" not in talk("Where are the lockers?", role="visitor")[0].text


def test_who_only_says_so_is_told_no_secret_where_nobody_is_believed(talk):
    name = next(iter(load_organisation(org="demo", now=NOW).kb.people.values())).name
    strict = replace(TEMPLATES, access=AccessSettings(trust_claims=False))
    said = (f"I am {name}.", "Where are the lockers?")
    assert "cellar" in talk(*said)[-1].text
    assert "cellar" not in talk(*said, settings=strict)[-1].text


def test_in_an_emergency_the_house_speaks_first(talk):
    reply, = talk(FIRE)
    assert reply.text == "Leave by the stairs. Ring the bell at the gate, then call 112."
    assert [each.source.rpartition(": ")[2] for each in reply.facts] == [
        "Emergency, Fire", "Emergency"]


def test_where_the_house_does_not_say_whom_to_call_we_do(talk):
    plain = talk(FIRE, house=HOUSE)[0].text
    assert "112" in plain
    only_fire = HOUSE + "\n# Fire {.alarm}\n\nLeave by the stairs.\n"
    assert talk(FIRE, house=only_fire)[0].text == f"Leave by the stairs. {plain}"


def test_with_a_higher_threshold_less_is_said(talk):
    strict = replace(TEMPLATES, house=HouseSettings(least=1.3))
    assert not any(each.source for each in talk("What is the wifi password?",
                                                settings=strict)[0].facts)


def test_documents_and_rules_are_named_in_the_settings(tmp_path):
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "wifi.txt").write_text("The network is Mill.", encoding="utf-8")
    (tmp_path / "house" / "house.pl").write_text("high(R) :- floor(R, F), F > X.\n"
                                                 .replace("X", "1"), encoding="utf-8")
    (tmp_path / "frontdesk.toml").write_text('[house]\nfiles = ["house"]\n', encoding="utf-8")
    settings = load_settings(tmp_path / "frontdesk.toml", environment=TEMPLATES_ENVIRONMENT)
    together, passages = with_house(settings, HouseDocuments())
    assert [each.source for each in passages] == ["wifi.txt, line 1: wifi"]
    assert [each.endswith("house.pl") for each in together.rules.files] == [True]
    assert rule_warnings(together) == ()
    alone = Agent(load_organisation(org="demo", now=NOW).kb, settings)
    assert alone.components.house is not None
    assert alone.settings.rules.files == together.rules.files


@pytest.mark.parametrize(("name", "text", "said"), [
    ("a.md", "# A\n", "a.md, line 1"), ("a.pl", "p(R) :- rooom(R).", "a.pl, line 1, column 9")])
def test_what_is_wrong_in_them_is_told_before_anything_starts(name, text, said, tmp_path):
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "frontdesk.toml").write_text(f'[house]\nfiles = ["{name}"]\n', encoding="utf-8")
    with pytest.raises(FormatError, match=said):
        load_settings(tmp_path / "frontdesk.toml", environment=TEMPLATES_ENVIRONMENT)


def test_another_domain_has_no_house():
    with pytest.raises(InputError, match="--house is no source of the domain car"):
        load_domain("car", {"house": ["demo"]})


def test_the_chat_knows_the_example_by_its_name():
    result = run_forked("chat", "--house", "demo", "--now", NOW, "--json",
                        stdin="Where are the toilets?\n", text=True,
                        env={**os.environ, **TEMPLATES_ENVIRONMENT})
    reply = json.loads(result.stdout)
    assert reply["facts"][0]["source"].startswith("demo_house.md, line ")
    assert "lifts" in reply["text"]


def test_a_mistake_ends_the_chat_before_it_begins(tmp_path, monkeypatch, capsys):
    (tmp_path / "a.md").write_text("# A\n", encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(["chat", "--house", str(tmp_path / "a.md")]) == 2
    assert "a.md, line 1: there is nothing below the heading 'A'" in capsys.readouterr().err
