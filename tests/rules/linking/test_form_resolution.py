"""What references and times of forms mean: by names, by the dialogue, together in one utterance."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.dialogue_graph import AGENT, USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Form, Span, read_form, read_forms
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.schema import ORGANISATION
from frontdesk.kg.graph.time_slots import OfficeHours
from frontdesk.kg.graph.windows import Window, WindowKind, day_window, instant
from frontdesk.kg.names.name_index import NameIndex
from frontdesk.rules.engine.query_answer import Resolution
from frontdesk.rules.linking.dialogue_context import DialogueContext, context_before
from frontdesk.rules.linking.fitting_heads import with_fitting_heads
from frontdesk.rules.linking.form_resolution import FormResolver
from frontdesk.rules.linking.wanted_types import wanted_types

ZONE = ZoneInfo("Europe/Oslo")
#: A Wednesday.
NOW = dt.datetime(2026, 3, 4, 10, 17, tzinfo=ZONE)


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


def event(number: str, name: str, day: int, hour: int, **more) -> Event:
    return Event(number, name, at(day, hour), at(day, hour + 1), **more)


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    return KnowledgeBase(
        name="Lanternworks", timezone=ZONE,
        groups=[Group("g-nurses", "Nurses"), Group("g-optics", "Optics")],
        rooms=[Room("r-birch", "Birch"), Room("r-maple", "Maple")],
        people=[Person("p-ada", "Ada Berg", group="g-optics"), Person("p-bo", "Bo Lind"),
                Person("p-cem", "Cem Aydin", group="g-nurses"),
                Person("p-dana", "Dana Sousa", group="g-nurses"),
                Person("p-quill", "Ada Quill"), Person("p-kaplan", "Lea Kaplan")],
        events=[event("e-standup-4", "standup", 4, 9, series="standup"),
                event("e-standup-5", "standup", 5, 9, series="standup"),
                event("e-standup-6", "standup", 6, 9, series="standup"),
                event("e-budget", "budget review", 6, 14),
                event("e-plan", "budget plan", 9, 9, organizer="p-bo"),
                event("e-past", "design crit", 2, 9), event("e-crit", "glass crit", 5, 15),
                event("e-visit", "site visit", 5, 11, attendees=("p-kaplan",))])


@pytest.fixture(scope="module")
def resolve(kb):
    resolver = FormResolver(kb, NameIndex(kb), ORGANISATION)

    def resolution(text: str, context: DialogueContext | None = None) -> Resolution:
        return resolver.resolve(read_forms(text), context or DialogueContext({}), now=NOW)
    return resolution


def meant(resolution: Resolution, form: str) -> list[str]:
    """What a form most probably means: the ids that are as probable as the first."""
    found = resolution.entities.get(read_form(form), [])
    return [entity for entity, share in found if share >= 0.9 * found[0][1]]


@pytest.mark.parametrize(("form", "first"), [
    ('(count (event (attends (me)) (at "this week")))', 2),
    ('(which (person (most (event (attends (each)))) (at "this week")))', 2),
    ('(which (room (fewest) (at "this week")))', 2),
    ('(which (event (attends (me)) (at "this week")))', 4)])
def test_all_of_a_week_counts_and_what_is_left_of_it_is_listed(resolve, form, first):
    windows = resolve(f"(ask {form})").windows[read_form('(at "this week")')]
    assert [window for window, _ in windows] == [Window(at(first, 0), at(9, 0), WindowKind.DAY)]


# --- names

@pytest.mark.parametrize(("text", "form", "ids"), [
    ('(ask (where (person "Cem")))', '(person "Cem")', ["p-cem"]),
    ('(ask (where (person "Ada")))', '(person "Ada")', ["p-ada", "p-quill"]),
    ('(ask (phone (person "Zoltan")))', '(person "Zoltan")', []),
    ('(ask (where (thing "maple")))', '(thing "maple")', ["r-maple"]),
    ('(ask (where (event "budget review")))', '(event "budget review")', ["e-budget"]),
    ('(request (create (attendee (person "Bo")) (venue (room "birch"))))', '(room "birch")',
     ["r-birch"]),
    ('(ask (which (person (member_of (group "optics")) (except (person "Bo")))))',
     '(group "optics")', ["g-optics"]),
    # all occurrences are one reference
    ('(ask (when (event "standup")))', '(event "standup")',
     ["e-standup-5", "e-standup-6"]),
    # of two titles the one that is on the day, of past and coming ones the coming
    ('(ask (where (event "crit" (at "tomorrow"))))', '(event "crit")', ["e-crit"]),
    ('(ask (where (event "crit")))', '(event "crit")', ["e-crit"]),
    ('(ask (where (event "budget") (at "monday")))', '(event "budget")', ["e-plan"]),
    # whom the words name where no title has them
    ('(arrive (event "Kaplan thing"))', '(event "Kaplan thing")', ["e-visit"])])
def test_form_resolution_finds_what_is_named(resolve, text, form, ids):
    assert meant(resolve(text), form) == ids


def test_form_resolution_keeps_conditions_apart_from_words(resolve):
    found = resolve('(ask (phone (person "Ada" (office (room "Birch")))))')
    assert found.entities[read_form('(person "Ada")')] == found.entities[
        read_form('(person "Ada" (office (room "Birch")))')]
    found = resolve('(ask (phone (person "Ada" (member_of (group "Optics")))))')
    assert meant(found, '(person "Ada")') == ["p-ada", "p-quill"]
    assert read_form('(event (attends (me)))') not in found.entities


def test_form_resolution_takes_all_that_a_description_fits(resolve):
    both = resolve('(ask (which (event (like "budget"))))')
    assert set(meant(both, '(event (like "budget"))')) == {"e-budget", "e-plan"}
    assert read_form('(event (like "budget"))') in both.plural
    nurses = resolve('(ask (which (person (attends (event "standup")) '
                     '(except (person (like "nurses"))))))')
    assert set(meant(nurses, '(person (like "nurses"))')) == {"p-cem", "p-dana"}
    one = resolve('(ask (where (event (like "visit"))))')
    assert meant(one, '(event (like "visit"))') == ["e-visit"]
    assert not one.plural


def test_form_resolution_takes_whom_a_description_of_what_they_do_fits(resolve):
    found = resolve('(ask (where (person (like "site visit"))))')
    assert meant(found, '(person (like "site visit"))') == ["p-kaplan"]


@pytest.mark.parametrize(("said", "person"), [
    ("nurse Dana", ["p-dana"]), ("Dana the nurse", ["p-dana"]), ("Ada from optics", ["p-ada"]),
    ("nurse Ada", []), ("nurse Olaf", []), ("Dana Lovelace", [])])
def test_somebody_is_called_by_name_and_what_they_are(resolve, said, person):
    form = f'(person "{said}")'
    assert meant(resolve(f"(ask (where {form}))"), form) == person


@pytest.mark.parametrize(("form", "answered", "then"), [
    ("(ask (holds (free (me) (then_before))))", ["e-budget"], (at(6, 14), at(6, 15))),
    ("(ask (which (event (then_after))))", ["e-budget"], (at(6, 14), at(6, 15))),
    ("(ask (holds (free (me) (then))))", ["e-budget"], (at(6, 0), at(7, 0))),
    ("(ask (which (event (then_after))))", ["e-budget", "e-standup-6"], (at(6, 0), at(7, 0))),
    ("(ask (which (event (then_after))))", ["e-plan"], (at(6, 0), at(7, 0)))])
def test_before_and_after_that_are_beside_the_only_event_of_the_day(resolve, form, answered, then):
    context = DialogueContext(dict.fromkeys(answered, 0.9), (tuple(answered),),
                              window=day_window(at(6, 0).date(), ZONE),
                              answered_then=tuple(answered))
    found = resolve(form, context).then
    assert (found.start, found.end) == then


@pytest.mark.parametrize(("first", "second", "then"), [
    (["e-budget"], [], (at(6, 0), at(7, 0))), ([], ["e-budget"], (at(6, 14), at(6, 15))),
    (["e-budget"], ["r-birch"], (at(6, 0), at(7, 0)))])
def test_after_that_is_beside_no_event_that_an_older_question_was_answered_with(
        resolve, first, second, then):
    dialogue = DialogueGraph()
    friday = day_window(at(6, 0).date(), ZONE)
    for answers, window in ((first, None), (second, friday)):
        turn = dialogue.add_turn(USER, [Hypothesis("and on Friday?")], at=NOW)
        dialogue.set_forms(turn, "(ask (which (event)))", answers=answers, window=window)
        dialogue.add_turn(AGENT, [Hypothesis("so and so")], at=NOW)
    context = context_before(dialogue, dialogue.next_turn, {})
    found = resolve("(ask (which (event (then_after))))", context).then
    assert (found.start, found.end) == then


def test_after_that_is_beside_the_event_of_the_day_when_something_else_was_asked_of_it(resolve):
    friday = day_window(at(6, 0).date(), ZONE)
    context = DialogueContext({}).and_then([], ["e-budget"], friday).and_then(
        ["e-budget"], ["r-birch"])
    found = resolve("(ask (which (event (then_after))))", context).then
    assert (found.start, found.end) == (at(6, 14), at(6, 15))


def test_form_resolution_takes_all_of_a_name_that_stands_more_than_once(resolve):
    both = resolve('(ask (when (free (and (person "Ada") (person "Ada")))))')
    assert set(meant(both, '(person "Ada")')) == {"p-ada", "p-quill"}
    assert read_form('(person "Ada")') in both.plural
    one = resolve('(ask (when (free (and (person "Cem") (person "Cem")))))')
    assert meant(one, '(person "Cem")') == ["p-cem"]
    assert not one.plural


def test_form_resolution_prefers_whom_was_spoken_of(resolve):
    spoken = DialogueContext({"p-quill": 0.85})
    assert meant(resolve('(ask (phone (person "Ada")))', spoken), '(person "Ada")') == ["p-quill"]


# --- what was said before

@pytest.mark.parametrize(("text", "form", "ids"), [
    ('(ask (where (that (type "she"))))', '(that (type "she"))', ["p-cem"]),
    ('(ask (where (that)))', '(that)', ["e-budget"]),
    ('(ask (which (event (location (that)))))', '(that)', ["r-birch"]),
    ('(ask (which (person (attends (that)))))', '(that)', ["e-budget"]),
    ('(ask (phone (that)))', '(that)', ["p-cem"]),
    ('(ask (which (person (member_of (that (type "that group"))))))', '(that (type "that group"))',
     ["g-nurses"]),
    ('(ask (holds (location (that) (room "Maple"))))', '(that)', ["e-budget"]),
    # somebody who is named beside is not "she"
    ('(ask (when (free (and (person "Cem") (that (type "she"))))))', '(that (type "she"))',
     ["p-dana"]),
    # what the same utterance names just before
    ('(ask (holds (present (person "Bo")))) (ask (phone (that (type "his"))))',
     '(that (type "his"))', ["p-bo"])])
def test_form_resolution_finds_what_was_spoken_of(resolve, text, form, ids):
    context = DialogueContext({"p-ada": 0.95, "p-cem": 0.8, "e-budget": 0.7, "r-birch": 0.5,
                               "g-nurses": 0.5, "p-dana": 0.4}, speaker="p-ada")
    assert meant(resolve(text, context), form) == ids


def test_form_resolution_is_unsure_between_two_who_are_as_present(resolve):
    found = resolve('(ask (where (that (type "he"))))', DialogueContext(
        {"p-bo": 0.8, "p-cem": 0.8})).entities[read_form('(that (type "he"))')]
    assert [share for _, share in found] == pytest.approx([0.49, 0.49], abs=0.02)
    assert meant(resolve('(ask (where (that (type "he"))))'), '(that (type "he"))') == []


def test_form_resolution_means_several_at_once(resolve):
    context = DialogueContext({"p-bo": 0.8, "e-budget": 0.7}, answered=(("p-dana", "p-cem"),),
                              together=("p-dana", "p-cem"), speaker="p-ada")
    found = resolve('(ask (which (among (answers) (member_of (group "Nurses"))))) '
                    '(ask (when (free (those)))) (ask (when (free (us)))) '
                    '(choose (answers (one_of 2)))', context)
    assert meant(found, "(answers)") == ["p-dana", "p-cem"]
    assert meant(found, "(answers (one_of 2))") == ["p-dana", "p-cem"]
    assert meant(found, "(those)") == ["p-dana", "p-cem"]
    assert set(meant(found, "(us)")) >= {"p-ada", "p-bo"}
    assert {read_form(each) for each in ("(answers)", "(those)", "(us)")} <= found.plural
    assert all(sum(share for _, share in each) <= 1 + 1e-9 for each in found.entities.values())


@pytest.mark.parametrize("form", ["(that)", '(that (type "their"))'])
def test_form_resolution_means_each_of_the_people_who_were_answered(resolve, form):
    context = DialogueContext({"p-bo": 0.4, "p-cem": 0.4}, answered=(("p-bo", "p-cem"),))
    found = resolve(f"(ask (email {form}))", context)
    assert meant(found, form) == ["p-bo", "p-cem"]
    assert read_form(form) in found.plural
    many = replace(context, answered=(("p-bo", "p-cem", "p-ada", "p-dana", "p-quill",
                                       "p-kaplan"),))
    for other, before in ((form.replace("their", "her"), many),
                          ('(that (type "her"))', context)):
        found = resolve(f"(ask (email {other}))", before)
        assert found.entities[read_form(other)][0][1] < 0.7
        assert not found.plural
    assert not resolve(f"(ask (ends {form}))", context).plural


def test_form_resolution_takes_the_answers_that_fit(resolve):
    context = DialogueContext({}, answered=(("e-budget",), ("p-dana", "p-cem")))
    people = resolve('(ask (which (among (answers) (member_of (group "Nurses")))))', context)
    assert meant(people, "(answers)") == ["p-dana", "p-cem"]
    assert meant(resolve("(ask (count (answers)))", context), "(answers)") == ["e-budget"]
    assert resolve("(ask (count (answers)))").entities[Form("answers")] == []


@pytest.mark.parametrize(("form", "ids"), [
    ('(person "Ada" (member_of (group "Optics")))', ["p-ada"]),
    ('(person "Ada" (except (that)))', ["p-quill"]),
    ('(person "Dana" (like "nurses"))', ["p-dana"]),
    ('(person "Bo" (like "nurses"))', ["p-cem", "p-dana"]),
    ('(person (except (that)))', ["p-bo"]),
])
def test_form_resolution_tells_apart_those_of_a_name(resolve, form, ids):
    context = DialogueContext({"p-ada": 0.95}, answered=(("p-ada",), ("p-ada", "p-bo")))
    assert meant(resolve(f"(ask (where {form}))", context), form) == ids


def test_form_resolution_puts_several_answers_in_order(resolve):
    context = DialogueContext({"e-plan": 0.9}, answered=(("e-plan",), ("e-plan", "e-budget")))
    ordered = resolve('(ask (which (among (answers) (shortest))))', context)
    assert meant(ordered, "(answers)") == ["e-plan", "e-budget"]


def test_form_resolution_leaves_somebody_out_of_several_answers(resolve):
    context = DialogueContext({"p-quill": 0.9}, answered=(("p-quill",), ("p-ada", "p-quill")))
    other = resolve('(ask (phone (answers (except (that)))))', context)
    assert set(meant(other, '(answers)')) == {"p-ada", "p-quill"}
    assert meant(other, '(that)') == ["p-quill"]
    assert meant(resolve('(ask (phone (answers)))', context), '(answers)') == ["p-quill"]


@pytest.mark.parametrize(("query", "of", "fitting"), [
    ("(which (person (attends (that))))", "e-budget", "(which (person (attends (that))))"),
    ("(which (person (attends (that))))", "g-nurses", "(which (person (member_of (that))))"),
    ("(which (person (attends (that))))", "r-birch", "(which (person (location (that))))"),
    ("(count (person (not (member_of (that)))))", "e-budget",
     "(count (person (not (attends (that)))))"),
    ('(holds (member_of (person "Bo") (that)))', "e-budget",
     '(holds (attends (person "Bo") (that)))'),
    ("(members (that))", "e-budget", "(attendees (that))"),
    ("(ends (that))", "p-bo", "(when (present (that)))"),
    ("(ends (that))", "r-birch", "(ends (event (location (that)) (then)))"),
    ("(ends (that))", "e-budget", "(ends (that))"),
    ("(attendees (that))", "g-nurses", "(members (that))"),
    ("(which (event (attends (that))))", "g-nurses", "(which (event (attends (that))))"),
    ("(which (person (organises (that))))", "e-visit", "(which (person (attends (that))))"),
    ("(which (person (organises (that))))", "e-plan", "(which (person (organises (that))))"),
    ("(organizer (that))", "e-visit", "(organizer (that))")])
def test_who_belongs_to_what_is_asked_by_what_that_is(kb, query, of, fitting):
    meant = Resolution({read_form("(that)"): [(of, 0.9)]}, NOW)
    assert str(with_fitting_heads(read_form(query), meant, kb)) == fitting


def test_form_resolution_knows_who_speaks(resolve):
    found = resolve("(ask (which (event (attends (me)))))",
                    DialogueContext({}, speaker="p-bo", sure=0.9))
    assert found.entities[Form("me")] == [("p-bo", 0.9)]
    assert found.speaker == "p-bo"
    assert resolve("(ask (which (event (attends (me)))))").entities[Form("me")] == []
    assert resolve("(ask (about (you)))").entities[Form("you")] == []


# --- times

def windows(resolution: Resolution, form: str) -> Window:
    return resolution.windows[read_form(form)][0][0]


def test_form_resolution_reads_the_times_of_an_utterance_together(resolve):
    found = resolve('(ask (holds (free (person "Bo") (at "friday") (from "two") (until "four")))) '
                    '(ask (holds (busy (person "Bo") (at "five"))))')
    assert windows(found, '(at "friday")') == day_window(dt.date(2026, 3, 6), ZONE)
    assert windows(found, '(from "two")') == instant(at(6, 14))
    assert windows(found, '(until "four")') == instant(at(6, 16))
    assert windows(found, '(at "five")') == instant(at(6, 17))


def test_form_resolution_ends_after_it_starts(resolve):
    found = resolve('(ask (which (event (from "monday") (until "wednesday"))))')
    assert windows(found, '(from "monday")').start == at(9, 0)
    assert windows(found, '(until "wednesday")') == day_window(dt.date(2026, 3, 11), ZONE)


@pytest.mark.parametrize(("start", "end", "day", "hours"), [
    ("ten", "eleven", 4, (10, 11)), ("ten", "two", 4, (10, 14)), ("eight", "nine", 5, (8, 9)),
    ("tomorrow at ten", "eleven", 5, (10, 11)), ("two", "four", 4, (14, 16))])
def test_a_stretch_whose_end_is_to_come_is_of_today(resolve, start, end, day, hours) -> None:
    found = resolve(f'(ask (holds (free (person "Bo") (from "{start}") (until "{end}"))))')
    begins, ends = (found.windows[each][0][0] for each in found.windows)
    assert (begins.start, ends.start) == tuple(at(day, hour) for hour in hours)


def test_form_resolution_is_on_the_day_that_was_spoken_of(resolve):
    friday = day_window(dt.date(2026, 3, 6), ZONE)
    context = DialogueContext({}, window=friday)
    found = resolve('(revise (retime (at "three"))) (ask (which (event (then))))', context)
    assert windows(found, '(at "three")') == instant(at(6, 15))
    assert found.then == friday
    assert resolve("(ask (which (event (then))))").then is None


def test_form_resolution_takes_the_reading_of_a_time_that_is_sure_alone(resolve):
    found = resolve('(ask (holds (free (person "Bo") (at "half two") (at "nine"))))')
    assert found.windows[read_form('(at "half two")')] == [(instant(at(4, 14, 30)), 1.0)]
    assert found.windows[read_form('(at "nine")')] == [(instant(at(5, 9)), 1.0)]


def test_form_resolution_has_lengths(resolve):
    found = resolve('(ask (which (room (is_free (within "ten minutes") (lasting "an hour"))))) '
                    '(ask (which (event (long "half an hour"))))')
    assert found.lengths == {
        read_form('(within "ten minutes")'): 10, read_form('(lasting "an hour")'): 60,
        read_form('(long "half an hour")'): 30}
    assert windows(found, '(within "ten minutes")') == Window(NOW, at(4, 10, 27).replace(second=0))


def test_form_resolution_has_half_a_day_by_the_office_hours(kb):
    resolver = FormResolver(kb, NameIndex(kb), ORGANISATION,
                            hours=OfficeHours(dt.time(9), dt.time(16)))
    found = resolver.resolve(read_forms('(ask (which (event (long "half a day"))))'),
                             DialogueContext({}), now=NOW)
    assert found.lengths == {read_form('(long "half a day")'): 210}


def test_form_resolution_arranges_what_lies_ahead(resolve):
    asked = resolve('(ask (which (event (at "wednesday"))))')
    wanted = resolve('(request (create (time (at "wednesday"))))')
    assert windows(asked, '(at "wednesday")').start == at(4, 0)
    assert windows(wanted, '(at "wednesday")').start == at(11, 0)


def test_form_resolution_leaves_out_times_that_it_does_not_understand(resolve):
    found = resolve('(ask (which (event (at "soonish") (lasting "a bit"))))')
    assert not found.windows
    assert not found.lengths


@pytest.mark.parametrize("span", [
    'x" (', "💥" * 300, "\\", "9" * 400, "' OR 1=1", "\x00", "a" * 5000])
def test_form_resolution_takes_any_words(resolve, kb, span):
    resolver = FormResolver(kb, NameIndex(kb), ORGANISATION)
    forms = [Form("ask", (Form("which", (Form(head, (Span(span), Form("at", (Span(span),)))),)),))
             for head in ("person", "event", "room", "group", "thing")]
    found = resolver.resolve(forms, DialogueContext({}), now=NOW)
    assert all(sum(share for _, share in each) <= 1 for each in found.entities.values())


# --- the dialogue

def test_dialogue_context_has_what_was_answered_last():
    dialogue = DialogueGraph()
    before = instant(at(6, 15))
    turn = dialogue.add_turn(USER, [Hypothesis("Who is in the standup?")], at=NOW)
    dialogue.set_forms(turn, '(ask (which (person (attends (event "standup")))))',
                       answers=["p-bo", "p-cem"], window=before)
    dialogue.add_turn(AGENT, [Hypothesis("Bo and Cem.")], at=NOW)
    now = dialogue.add_turn(USER, [Hypothesis("Which of them is free?")], at=NOW)
    context = context_before(dialogue, now, {"p-bo": 0.8})
    assert context.answered == (("p-bo", "p-cem"),)
    assert context.together == ("p-bo", "p-cem")
    assert context.window == before
    assert set(context.mentioned) == {"p-bo", "p-cem"}


def test_dialogue_context_takes_what_only_the_reply_names_where_nothing_was_noted():
    dialogue = DialogueGraph()
    for speaker, ids in ((USER, ["e-budget"]), (AGENT, ["e-budget", "r-birch"])):
        turn = dialogue.add_turn(speaker, [Hypothesis("…")], at=NOW)
        for entity in ids:
            node = dialogue.add_mention(turn, Mention("x", 0, 1, MentionKind.NAME))
            dialogue.add_reference(node, entity, entity_type="event", probability=0.9,
                                   provenance=Provenance("test"))
    context = context_before(dialogue, dialogue.next_turn, {"e-budget": 0.9})
    assert context.answered == (("r-birch",),)
    assert context.mentioned["r-birch"] == 0.9
    assert context.together == ("e-budget", "r-birch")
    assert not context.speaker


def test_dialogue_context_keeps_all_that_is_salient_where_no_forms_are_noted():
    dialogue = DialogueGraph()
    dialogue.add_turn(USER, [Hypothesis("Are Bo and Cem in?")], at=NOW)
    context = context_before(dialogue, dialogue.next_turn, {"p-bo": 0.8, "p-cem": 0.7})
    assert context.mentioned == {"p-bo": 0.8, "p-cem": 0.7}


def test_dialogue_context_goes_on_with_what_has_just_been_answered():
    context = DialogueContext({"e-plan": 0.95, "p-bo": 0.6}, answered=(("e-plan",),))
    further = context.and_then(["e-budget"], ["p-cem"])
    assert further.answered == (("p-cem",), ("e-plan",))
    assert further.mentioned["e-budget"] == further.mentioned["p-cem"] > 0.5
    assert further.mentioned["e-plan"] < 0.5
    assert context.and_then(["e-budget"], []).answered == context.answered
    assert context.and_then([], ["p-cem", "p-bo"]).together == ("p-cem", "p-bo")


def test_dialogue_context_of_a_new_dialogue_is_empty():
    assert context_before(DialogueGraph(), "u1", {}) == DialogueContext({}, sure=0.0)


@pytest.mark.parametrize(("later", "called"), [(2, (("she", ("p-ada",)),)), (12, ())])
def test_dialogue_context_has_what_somebody_was_called_of_late(later, called):
    dialogue = DialogueGraph()
    turn = dialogue.add_turn(USER, [Hypothesis("Where is she?")], at=NOW)
    dialogue.set_forms(turn, '(ask (where (that (type "she"))))', about=["p-ada"])
    for _ in range(later):
        dialogue.add_turn(USER, [Hypothesis("Hm")], at=NOW)
    assert context_before(dialogue, dialogue.next_turn, {}).called == called


def test_dialogue_context_has_the_last_time():
    dialogue = DialogueGraph()
    turn = dialogue.add_turn(USER, [Hypothesis("on Friday?")], at=NOW)
    friday = day_window(dt.date(2026, 3, 6), ZONE)
    dialogue.add_mention(turn, Mention("on Friday", 0, 9, MentionKind.TIME, window=friday))
    assert context_before(dialogue, dialogue.next_turn, {}).window == Window(
        friday.start, friday.end, WindowKind.DAY)


@pytest.mark.parametrize(("text", "form", "types"), [
    ('(ask (which (person (attends (that)))))', "(that)", {"event", "group"}),
    ('(ask (which (person (member_of (that)))))', "(that)", {"event", "group"}),
    ('(ask (holds (is (that) (now))))', "(that)", {"event"}),
    ('(ask (which (event (attends (that)))))', "(that)", {"person"}),
    ('(ask (holds (location (that) (room "x"))))', "(that)", {"event", "person"}),
    ('(ask (phone (that)))', "(that)", {"person"}),
    ('(ask (when (that)))', "(that)", {"event"}),
    ('(ask (about (that)))', "(that)", set()),
    ('(ask (which (person (attends (that)) (except (answers)))))', "(answers)", {"person"}),
    ('(ask (which (among (answers) (floor "second"))))', "(answers)", {"room"}),
    ('(ask (which (answers (is_present (now)))))', "(answers (is_present (now)))", {"person"}),
    ('(ask (which (event (not (location (that))))))', "(that)", {"room"}),
    ('(request (create (attendee (that)) (venue (room))))', "(that)", {"person", "group"})])
def test_wanted_types_are_those_of_the_place(text, form, types):
    assert wanted_types(read_form(text), ORGANISATION)[read_form(form)] == types
