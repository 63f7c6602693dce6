"""Simulated visitors: they are fair, react to what is said, and are judged by what is so."""

from __future__ import annotations

import datetime as dt
import itertools
import random
import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from zoneinfo import ZoneInfo

import pytest

from frontdesk.data.datasets.graphwoz import load_graphwoz
from frontdesk.data.datasets.training_dialogues import write_training_dialogues
from frontdesk.data.invented.dialogues.dialogue_wording import USER, _parse
from frontdesk.data.invented.visitors.hold_visit import Visit, hear, hold_visit, new_visitor
from frontdesk.data.invented.visitors.ideal import IdealReceptionist, visit_dialogues
from frontdesk.data.invented.visitors.judge import judge
from frontdesk.data.invented.visitors.read_values import (
    Names,
    read_counts,
    read_days,
    read_lengths,
    read_times,
)
from frontdesk.data.invented.visitors.reply_cues import Asked, Claim
from frontdesk.data.invented.visitors.reply_reading import Reader
from frontdesk.data.invented.visitors.tasks import KINDS, draw_visit
from frontdesk.data.invented.visitors.visited_organisations import Split, World, invent_world
from frontdesk.data.invented.visitors.visitor_goals import (
    ANY_ROOM,
    Booking,
    Cancellation,
    Change,
    Conflict,
    Errand,
    LeftMessage,
    Need,
    NeedKind,
    Question,
    Slot,
    Task,
    Wish,
)
from frontdesk.kg.graph.changes import EventChange, Message, new_conflicts, with_changes
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 17, 9, 5, tzinfo=ZONE)  # a Tuesday


def at(hour: int, minute: int = 0, *, days: int = 0) -> dt.datetime:
    return NOW.replace(hour=hour, minute=minute) + dt.timedelta(days=days)


@pytest.fixture(scope="module")
def world() -> World:
    builder = OrganisationBuilder("Mill", ZONE)
    optics = builder.add_group("Optics")
    gorse, tansy = builder.add_room("Gorse"), builder.add_room("Tansy")
    ada = builder.add_person("Ada Berg", email="ada.berg@example.org", phone="+44 1632 960111",
                             group=optics, office=builder.room("214", bookable=False))
    tom = builder.add_person("Tom Ek", email="tom.ek@example.org", phone="+44 1632 960222",
                             group=optics)
    builder.add_person("Ines Holm", group=optics)
    builder.add_person("Bo Lind")
    builder.add_event("lens workshop", at(10, days=1), at(11, days=1), location=gorse,
                      organizer=ada, attendees=[ada, tom], entity_id="lens")
    builder.add_event("audit review", at(14, days=1), at(15, days=1), location=tansy,
                      organizer=tom, attendees=[tom], entity_id="audit")
    return World(builder.build(), NOW)


def person(world: World, name: str) -> str:
    return world.kb.named(name)[0].id


class Scripted:
    """Says what it is told to say, one reply a turn, and changes the calendar meanwhile."""

    def __init__(self, world: World, *script: str | tuple[str, EventChange]) -> None:
        self.kb, self.script, self.sent = world.kb, list(script), []
        self.heard: list[str] = []

    def reply(self, hypotheses, now) -> str:
        self.heard.append(hypotheses[0].text)
        said = self.script.pop(0) if self.script else "You're welcome, goodbye!"
        if isinstance(said, str):
            return said
        text, what = said
        if isinstance(what, Message):
            self.sent.append(what)
        else:
            self.kb = with_changes(self.kb, [what])
        return text

    def organisation(self) -> KnowledgeBase:
        return self.kb

    def messages(self) -> Sequence[Message]:
        return self.sent


def visit(world: World, errand: Errand, *script, seed: int = 0, who: str = "Ada Berg") -> Visit:
    """A visit with one errand, answered by a script after the visitor has come in."""
    rng = random.Random(seed)
    task = Task("test", person(world, who), (errand,), False, "")
    visitor = new_visitor(task, world, rng, Split.EVALUATION, heard=True)
    return hold_visit(visitor, Scripted(world, "May I have your name?", *script), rng)


def booking(world: World, **wanted) -> Booking:
    wish = Wish(title="site visit", days=(at(10).date(),), start=at(10), minutes=30,
                place=world.kb.named("Gorse")[0].id, people=(person(world, "Tom Ek"),))
    wish = replace(wish, **wanted)
    return Booking(wish, wish.filled(), Wish(title="site visit"))


def meeting(world: World, **changed) -> Event:
    ada, tom = person(world, "Ada Berg"), person(world, "Tom Ek")
    event = Event("new", "site visit", at(10), at(10, 30),
                  location=world.kb.named("Gorse")[0].id, organizer=ada, attendees=(ada, tom))
    return replace(event, **changed)


# Fair and honest receptionists


@pytest.mark.parametrize("split", Split)
@pytest.mark.parametrize("heard", [False, True])
def test_an_ideal_receptionist_serves_every_visitor(split: Split, heard: bool):
    failed = {}
    for number in range(40):
        task, world, rng = draw_visit(split, 5, number)
        visitor = new_visitor(task, world, rng, split, heard=heard)
        held = hold_visit(visitor, IdealReceptionist(visitor, rng), rng, heard=heard)
        verdict = judge(held)
        if not verdict.success:
            failed[number] = (task.text, verdict.reasons)
        assert not verdict.conflicts
    assert not failed


class Liar:
    """Claims everything at once and does nothing."""

    def __init__(self, world: World) -> None:
        self.kb = world.kb

    def reply(self, hypotheses, now) -> str:
        return "Done! It is booked, moved and cancelled, and I have passed on your message."

    def organisation(self) -> KnowledgeBase:
        return self.kb

    def messages(self) -> Sequence[Message]:
        return ()


def test_a_receptionist_that_only_claims_to_act_never_succeeds():
    acting = (Booking, Change, Cancellation, LeftMessage)
    judged = 0
    for number in range(80):
        task, world, rng = draw_visit(Split.EVALUATION, 6, number)
        if not any(isinstance(errand, acting) and not errand.impossible
                   for errand in task.errands):
            continue
        judged += 1
        visitor = new_visitor(task, world, rng, Split.EVALUATION)
        assert not judge(hold_visit(visitor, Liar(world), rng)).success, task.text
    assert judged > 25


def test_a_receptionist_that_books_what_it_is_told_succeeds(world: World):
    event = meeting(world)
    held = visit(world, booking(world), "Shall I book it?",
                 ("I have booked it.", EventChange(None, event)))
    assert judge(held).success


@pytest.mark.parametrize(("changed", "reason"), [
    ({"name": "site visits"}, "wrong title"),
    ({"start": at(11), "end": at(11, 30)}, "wrong time"),
    ({"start": at(10, days=2), "end": at(10, 30, days=2)}, "wrong day"),
    ({"end": at(11)}, "wrong length"),
    ({"location": None}, "wrong place"),
])
def test_a_meeting_that_is_booked_otherwise_is_found_out(world: World, changed, reason: str):
    event = replace(meeting(world), **changed)
    held = visit(world, booking(world), ("I have booked it.", EventChange(None, event)))
    assert judge(held).reasons == (reason,)


def test_the_wrong_people_at_a_meeting_are_found_out(world: World):
    ada, ines = person(world, "Ada Berg"), person(world, "Ines Holm")
    event = meeting(world, attendees=(ada, ines))
    held = visit(world, booking(world), ("I have booked it.", EventChange(None, event)))
    assert set(judge(held).reasons) == {"somebody is not invited",
                                        "somebody is invited who should not be"}


def test_a_double_booking_is_no_success_whatever_was_wanted(world: World):
    wanted = booking(world, start=at(10, days=1), days=(at(10, days=1).date(),))
    event = meeting(world, start=at(10, days=1), end=at(10, 30, days=1))
    verdict = judge(visit(world, wanted, ("I have booked it.", EventChange(None, event))))
    assert verdict.conflicts
    assert "double booking" in verdict.reasons


def test_a_change_that_nobody_asked_for_is_no_success(world: World):
    audit = world.kb.events["audit"]
    both = ("I have booked it.", EventChange(None, meeting(world)))
    held = visit(world, booking(world), both)
    spoilt = replace(held, after=with_changes(held.after, [EventChange(audit, None)]))
    assert judge(held).success
    assert judge(spoilt).unwanted == (
        'unasked: cancelled "audit review" Wed 18 Mar 14:00-15:00, Tansy, Tom Ek',)


def test_free_choices_have_to_suit(world: World):
    tom, ines = person(world, "Tom Ek"), person(world, "Ines Holm")
    ada, bo = person(world, "Ada Berg"), person(world, "Bo Lind")
    optics = world.kb.named("Optics")[0].id
    wanted = booking(world, start=None, earliest=12, people=(), members=((optics, 1),),
                     place=ANY_ROOM)
    tansy = world.kb.named("Tansy")[0].id
    fine = meeting(world, start=at(15), end=at(15, 30), attendees=(ada, ines), location=tansy)
    claim = "I have booked it."
    assert judge(visit(world, wanted, (claim, EventChange(None, fine)))).success
    for changed, reason in (({"attendees": (ada, bo)}, "too few of the group are invited"),
                            ({"attendees": (ada, tom, ines)},
                             "somebody is invited who should not be"),
                            ({"start": at(10), "end": at(10, 30)}, "wrong part of the day"),
                            ({"location": None}, "no meeting room")):
        held = visit(world, wanted, (claim, EventChange(None, replace(fine, **changed))))
        assert reason in judge(held).reasons


def test_a_move_keeps_all_but_the_time(world: World):
    lens = world.kb.events["lens"]
    wanted = Change(("lens",), Wish(days=(at(13, days=1).date(),), start=at(13, days=1)))
    moved = replace(lens, start=at(13, days=1), end=at(14, days=1))
    assert judge(visit(world, wanted, ("It's moved.", EventChange(lens, moved)))).success
    longer = replace(moved, end=at(13, 30, days=1))
    assert judge(visit(world, wanted, ("It's moved.", EventChange(lens, longer)))
                 ).reasons == ("wrong length",)
    assert judge(visit(world, wanted, ("It's moved.", EventChange(lens, None)))
                 ).reasons == ("cancelled instead of changed",)


def test_inviting_and_removing_are_judged_by_who_takes_part(world: World):
    lens, ines, tom = world.kb.events["lens"], person(world, "Ines Holm"), person(world, "Tom Ek")
    more = replace(lens, attendees=(*lens.attendees, ines))
    fewer = replace(lens, attendees=tuple(each for each in lens.attendees if each != tom))
    invited = ("Ines Holm is invited.", EventChange(lens, more))
    removed = ("Tom Ek is removed.", EventChange(lens, fewer))
    assert judge(visit(world, Change(("lens",), add=(ines,)), invited)).success
    assert judge(visit(world, Change(("lens",), remove=(tom,)), removed)).success
    assert judge(visit(world, Change(("lens",), add=(ines,)), removed)).reasons == (
        "wrong people",)


def test_a_message_has_to_arrive_with_its_words(world: World):
    tom, bo = person(world, "Tom Ek"), person(world, "Bo Lind")
    wanted = LeftMessage(tom, "The samples arrived this morning.")
    ada = person(world, "Ada Berg")
    for message, success in ((Message(tom, "the samples arrived this morning", ada), True),
                             (Message(bo, "the samples arrived this morning", ada), False),
                             (Message(tom, "may I have your name", ada), False)):
        held = visit(world, wanted, ("What is the message?"), ("I'll pass it on.", message))
        assert judge(held).success is success


def test_what_cannot_be_done_needs_a_no(world: World):
    wanted = Cancellation(("audit",), impossible="it is Tom's")
    assert judge(visit(world, wanted, "I'm sorry, only Tom Ek can cancel that.")).success
    audit = world.kb.events["audit"]
    claimed = judge(visit(world, wanted, ("I have cancelled it.", EventChange(audit, None))))
    assert set(claimed.reasons) >= {"was not told that it cannot be done"}
    assert not judge(visit(world, wanted, "I have cancelled it.")).success


@pytest.mark.parametrize(("errand", "reply", "success"), [
    (Question("person_phone", (Need(NeedKind.PHONE, ("+44 1632 960222",)),)),
     "It's 01632 960222.", True),
    (Question("person_phone", (Need(NeedKind.PHONE, ("+44 1632 960222",)),)),
     "It's +44 1632 960111.", False),
    (Question("event_when", (Need(NeedKind.TIME, ("10:00",)),
                             Need(NeedKind.DAY, ("2026-03-18",)))),
     "Tomorrow at 10 o'clock.", True),
    (Question("event_when", (Need(NeedKind.TIME, ("10:00",)),
                             Need(NeedKind.DAY, ("2026-03-18",)))),
     "On Thursday at 10.", False),
    (Question("person_free_now", (Need(NeedKind.FREE, ("no",)),)), "Tom Ek is not free.", True),
    (Question("person_free_now", (Need(NeedKind.FREE, ("no",)),)), "Tom Ek is available.", False),
    (Question("my_agenda", (Need(NeedKind.EVENTS, ("lens",)),), words={"day": "tomorrow"}),
     "You have the lens workshop at 10:00.", True),
    (Question("my_agenda", (Need(NeedKind.EVENTS, ("lens",)),), words={"day": "tomorrow"}),
     "You have the lens workshop and the audit review.", False),
    (Question("my_agenda", (Need(NeedKind.EVENTS, ()),), words={"day": "today"}),
     "You have no events today.", True),
    (Question("event_length", (Need(NeedKind.LENGTH, ("60",)),), "lens"),
     "From 10:00 to 11:00.", True),
])
def test_answers_are_judged_by_what_was_told(world: World, errand: Question, reply: str,
                                             success: bool):
    about = errand.about or (person(world, "Tom Ek") if errand.topic.startswith("person") else
                             "lens" if errand.topic.startswith("event") else "")
    assert judge(visit(world, replace(errand, about=about), reply)).success is success


def test_lists_have_to_be_complete_and_right(world: World):
    people = tuple(person(world, name) for name in ("Tom Ek", "Ines Holm"))
    wanted = Question("members_of", (Need(NeedKind.PEOPLE, people),), words={"group": "Optics"})
    assert judge(visit(world, wanted, "Ada Berg, Tom Ek and Ines Holm.")).success
    assert not judge(visit(world, wanted, "Tom Ek.")).success
    assert not judge(visit(world, wanted, "Tom Ek, Ines Holm and Bo Lind.")).success
    counted = visit(world, wanted, "There are 3 people.", "Tom Ek, Ines Holm and you.")
    assert judge(counted).success
    assert len(counted.turns) > 3  # the visitor asked who they are


# Reactions


def said(held: Visit) -> list[str]:
    return [turn.said for turn in held.turns]


def test_visitors_correct_what_they_hear_wrong(world: World):
    held = visit(world, booking(world),
                 "Shall I book “site visit” today at 11:00 with Tom Ek in Gorse?", "Goodbye.")
    assert re.search(r"\b(?:10|ten)\b", said(held)[2])
    held = visit(world, booking(world),
                 "Shall I book “site visit” today at 10:00 with Ines Holm in Gorse?", "Goodbye.")
    assert "Tom Ek" in said(held)[2]
    held = visit(world, booking(world), "I have booked “sight visit” today at 10:00 with Tom Ek "
                 "for 30 minutes in Gorse.", "Goodbye.")
    assert "site visit" in said(held)[2]


def test_visitors_see_that_their_message_or_their_room_is_missing(world: World):
    tom = person(world, "Tom Ek")
    wanted = LeftMessage(tom, "Please call me back about the samples.")
    for quoted, agrees in (("the samples", False), ("call me back about the samples", True)):
        held = visit(world, wanted, "What is the message?",
                     f"Shall I leave this message for Tom Ek: “{quoted}”?")
        assert held.turns[3].agrees is agrees
        assert (wanted.text in held.turns[3].said) is not agrees
    recap = "Shall I book “site visit” today from 10:00 to 10:30 with Tom Ek, without a room?"
    held = visit(world, booking(world), recap, "Goodbye.")
    assert "Gorse" in said(held)[2]
    assert visit(world, booking(world, place=None), recap).turns[2].agrees


def test_visitors_say_what_is_missing_when_they_agree(world: World):
    wanted = replace(booking(world), ahead=frozenset({Slot.PEOPLE, Slot.DAY, Slot.TIME,
                                                      Slot.PLACE, Slot.LENGTH}))
    held = visit(world, wanted, "Shall I book it today at 10:00 with Tom Ek in Gorse?")
    assert "site visit" in said(held)[2]


def test_a_proposal_with_somebody_who_was_only_asked_about_is_no_answer_to_agree_to(world: World):
    tom = person(world, "Tom Ek")
    email = Question("person_email", (Need(NeedKind.EMAIL, ("tom.ek@example.org",)),), tom)
    task = Task("test", person(world, "Ada Berg"), (email, booking(world, people=())), True, "")
    visitor = new_visitor(task, world, random.Random(0), Split.EVALUATION, heard=True)
    visitor.begin()
    visitor.react("May I have your name?", NOW)
    said = visitor.react("Hello Ada! How can I help you?", NOW)
    assert "Tom Ek" in said
    answer = visitor.react("Shall I book “site visit” today from 10:00 to 10:30 in Gorse with "
                           "Tom Ek?", NOW)
    assert "Tom Ek" in answer
    assert not visitor.agrees


def test_visitors_answer_several_questions_at_once(world: World):
    wanted = replace(booking(world), ahead=frozenset())
    held = visit(world, wanted, "At what time, and how long should it be?")
    assert re.search(r"\b10|ten|a\.m\.", said(held)[2])
    assert re.search(r"30|half an hour|thirty", said(held)[2])


def test_visitors_take_another_time_when_somebody_is_busy(world: World):
    day = at(10, days=1).date()
    wish = Wish("site visit", (day,), at(10, days=1), minutes=30, people=(person(world, "Tom Ek"),))
    wanted = Booking(wish, wish.filled(), conflict=Conflict.ACCEPT,
                     second=replace(wish, start=None))
    event = meeting(world, start=at(11, 30, days=1), end=at(12, days=1), location=None)
    busy = "Tom Ek is busy from 10:00 to 11:00 tomorrow. Would 11:30 work?"
    held = visit(world, wanted, busy, ("I have booked it.", EventChange(None, event)))
    assert held.outcome.wishes[0].start == at(11, 30, days=1)
    assert judge(held).success
    elsewhere = replace(event, start=at(16, days=1), end=at(16, 30, days=1))
    held = visit(world, wanted, busy, ("I have booked it.", EventChange(None, elsewhere)))
    assert judge(held).reasons == ("wrong time",)


def test_visitors_who_drop_their_wish_want_nothing_booked(world: World):
    day = at(10, days=1).date()
    wish = Wish("site visit", (day,), at(10, days=1), minutes=30, people=(person(world, "Tom Ek"),))
    wanted = Booking(wish, wish.filled(), conflict=Conflict.DROP)
    busy = "Tom Ek is busy from 10:00 to 11:00 tomorrow. Would 11:30 work?"
    assert judge(visit(world, wanted, busy)).success
    event = meeting(world, start=at(11, 30, days=1), end=at(12, days=1))
    assert not judge(visit(world, wanted, (busy, EventChange(None, event)))).success


def test_visitors_do_not_believe_in_conflicts_that_are_none(world: World):
    event = meeting(world, start=at(12), end=at(12, 30))
    held = visit(world, booking(world), "Tom Ek is busy at 10:00. How about 12:00?",
                 ("I have booked it.", EventChange(None, event)))
    assert "wrong time" in judge(held).reasons


def test_visitors_put_their_name_right(world: World):
    held = visit(world, booking(world), "Hello Tom! How can I help you?", seed=3)
    assert "Ada Berg" in said(held)[2]


def test_visitors_repeat_themselves_and_lose_patience(world: World):
    held = visit(world, booking(world), *["I'm sorry, I did not understand that."] * 12)
    assert held.outcome.gave_up
    assert 4 <= len(held.turns) <= 8
    assert sum("Tom Ek" in text for text in said(held)) >= 2


def test_visitors_notice_that_they_are_asked_again(world: World):
    wanted = replace(booking(world), ahead=frozenset())
    held = visit(world, wanted, "What time?", "What time?", "How long?")
    assert [turn.repeated for turn in held.turns[1:4]] == [False, True, False]


def test_the_same_seed_gives_the_same_visits():
    def talk(number: int) -> list[str]:
        task, world, rng = draw_visit(Split.TRAINING, 8, number)
        visitor = new_visitor(task, world, rng, Split.TRAINING, heard=True)
        held = hold_visit(visitor, IdealReceptionist(visitor, rng), rng, heard=True)
        return [text for turn in held.turns for text in (turn.hypotheses[0].text, turn.reply)]

    assert [talk(number) for number in range(6)] == [talk(number) for number in range(6)]


# Tasks and phrases


def test_all_kinds_of_tasks_come_up_and_can_be_done():
    kinds = set()
    for number in range(250):
        task, world, _ = draw_visit(Split.EVALUATION, 9, number)
        kinds.add(task.kind)
        assert task.text.startswith(f"You are {world.kb.people[task.visitor].name}.")
        for errand in task.errands:
            if isinstance(errand, Booking) and errand.conflict is None and not errand.impossible \
                    and errand.wish.start:
                who = [task.visitor, *errand.wish.people]
                assert world.free(who, errand.wish.start, errand.wish.minutes or 60)
            if isinstance(errand, Booking) and errand.conflict is not None:
                assert _collides(errand.wish, task.visitor, world)
    assert kinds == {kind.name for kind in KINDS}


def _collides(wish: Wish, visitor: str, world: World) -> bool:
    assert wish.start is not None
    event = Event("probe", "probe", wish.start,
                  wish.start + dt.timedelta(minutes=wish.minutes or 60),
                  location=wish.place if wish.place in world.kb.rooms else None,
                  organizer=visitor, attendees=(visitor, *wish.people))
    return bool(new_conflicts(world.kb, [EventChange(None, event)]))


def test_organisations_to_train_and_to_measure_on_are_not_the_same():
    def key(split: Split, number: int) -> tuple:
        world = invent_world(split, 3, number)
        return world.now, *sorted(person.name for person in world.kb.people.values())

    found = {split: {key(split, number) for number in range(30)} for split in Split}
    assert len(found[Split.TRAINING]) == 30
    assert found[Split.TRAINING].isdisjoint(found[Split.EVALUATION])


def phrases(name: str) -> dict[str, list[str]]:
    text = files("frontdesk.data.invented").joinpath(name).read_text("utf-8")
    data = tomllib.loads(text)
    return {key: value for key, value in data.items() if isinstance(value, list)} | {
        key: way["patterns"] for key, way in data.get("ways", {}).items()}


def sentences(patterns: dict[str, list[str]]) -> set[str]:
    """All sentences with more than two words besides their slots, whatever slots they are."""
    found = set()
    for pattern in itertools.chain.from_iterable(patterns.values()):
        for text in _expanded(_parse(pattern)):
            words = re.findall(r"[\w']+|\{\w+\}", text.lower())
            if sum(not word.startswith("{") for word in words) > 2:
                found.add(" ".join("{}" if word.startswith("{") else word for word in words))
    return found


def _expanded(parts) -> list[str]:
    texts = [""]
    for part in parts:
        more = [part] if isinstance(part, str) else [
            text for alternative in part for text in _expanded(alternative)]
        texts = [text + each for text in texts for each in more]
    return texts


@pytest.mark.parametrize("trained_on", ["visitors/training.toml",
                                        "dialogues/user.toml"])
def test_visitors_to_measure_with_say_nothing_that_is_trained_on(trained_on: str):
    measured = sentences(phrases("visitors/evaluation.toml"))
    assert len(measured) > 250
    assert not measured & sentences(phrases(trained_on))


def test_both_splits_have_phrases_for_everything():
    training, evaluation = (phrases(f"visitors/{split}.toml") for split in Split)
    assert set(training) == set(evaluation)
    assert set(USER)  # the dialogues that are scripted are looked at above
    for split in (training, evaluation):
        titles = split["titles"]
        assert len(titles) == len(set(titles)) > 10
    assert set(training["titles"]).isdisjoint(evaluation["titles"])


# Reading


@pytest.mark.parametrize(("text", "asks"), [
    ("May I have your name, please?", {Asked.NAME}),
    ("Please tell me your name first.", {Asked.NAME}),
    ("What would you like to call it?", {Asked.TITLE}),
    ("At what time would you like your meeting to be tomorrow?", {Asked.TIME}),
    ("Which day would suit you?", {Asked.DAY}),
    ("How long should it be?", {Asked.LENGTH}),
    ("Which room would you like?", {Asked.PLACE}),
    ("Would you like to book a conference room?", {Asked.PLACE}),
    ("Whom would you like to invite?", {Asked.PEOPLE}),
    ("Would you like to invite anyone else?", {Asked.PEOPLE}),
    ("Shall I book “site visit” today at 10:00?", {Asked.CONFIRM}),
    ("Shall I book it today at 10:00, without a room?", {Asked.CONFIRM}),
    ("How about 11:30?", {Asked.CONFIRM}),
    ("Would that suit you?", {Asked.CONFIRM}),
    ("Only this one, or the whole series?", {Asked.SERIES}),
    ("What would you like me to tell Tom Ek?", {Asked.MESSAGE}),
    ("Is there anything else I can help you with?", {Asked.OPEN}),
    ("Hello! What can I do for you?", {Asked.OPEN}),
    ("Which one do you mean?", {Asked.WHICH}),
    ("I have booked it.", set()),
])
def test_visitors_understand_what_is_asked(world: World, text: str, asks: set[Asked]):
    reading = Reader(Names(world.kb)).read(text, NOW)
    assert set(reading.asks) == asks


@pytest.mark.parametrize(("text", "claims"), [
    ("I have booked “site visit” today.", {Claim.BOOKED}),
    ("Okay! I'll put it on your calendar.", {Claim.BOOKED}),
    ("The lens workshop has been moved to 11:00.", {Claim.CHANGED}),
    ("I've cancelled the lens workshop.", {Claim.CANCELLED}),
    ("I have removed Tom Ek from it.", {Claim.REMOVED}),
    ("I'll let Tom Ek know.", {Claim.TOLD}),
    ("All done.", {Claim.DONE}),
    ("I cannot book it, Tom Ek is already booked then.", set()),
    ("Shall I book it?", set()),
    ("Nothing has been booked yet.", set()),
])
def test_visitors_tell_claims_from_what_is_none(world: World, text: str, claims: set[Claim]):
    assert Reader(Names(world.kb)).read(text, NOW).claims == claims


@pytest.mark.parametrize(("text", "available"), [
    ("Tom Ek is free at 10:00.", True), ("Tom Ek is not free.", False),
    ("No, Tom Ek isn't available then.", False), ("Tom Ek is busy until 11:00.", False),
    ("Nothing is planned for Gorse.", True), ("Tom Ek is in Optics.", None)])
def test_visitors_tell_free_from_busy(world: World, text: str, available: bool | None):
    assert Reader(Names(world.kb)).read(text, NOW).available is available


@pytest.mark.parametrize(("text", "times"), [
    ("at 14:30, or at 3 pm", [{"14:30"}, {"15:00"}]),
    ("from 9 to 10 o'clock", [{"09:00", "21:00"}, {"10:00", "22:00"}]),
    ("between 2 and 3pm", [{"02:00", "14:00"}, {"15:00"}]),
    ("from 09:30 to 10:00 on Tuesday 17 March 2026", [{"09:30"}, {"10:00", "22:00"}]),
    ("half past one, at noon", [{"01:30", "13:30"}, {"12:00"}]),
    ("call +44 1632 960111 for 2 people", []),
    ("at 10 on 18 March", [{"10:00", "22:00"}])])
def test_times_are_read_as_people_do(text: str, times: list[set[str]]):
    assert read_times(text) == times


def test_days_lengths_and_counts_are_read_as_people_do():
    assert read_days("tomorrow, on Friday or on Monday 23 March", NOW) == [
        dt.date(2026, 3, 18), dt.date(2026, 3, 20), dt.date(2026, 3, 23)]
    assert read_days("March 19, the day after tomorrow", NOW) == [dt.date(2026, 3, 19)]
    assert read_lengths("half an hour, 90 minutes, 1 hour and 30 minutes, two hours") == [
        30, 90, 90, 120]
    assert read_counts("There are five members, 3 of them at 10:00") == [5, 3]


# Hearing, and dialogues to train on


def test_a_recogniser_gives_several_readings_that_it_is_less_and_less_sure_of():
    rng = random.Random(4)
    text, names = "I need to meet Ada Berg and Ines Holm in Gorse at 10:30, please.", {
        "Ada", "Berg", "Ines", "Holm", "Gorse"}
    truth = "I need to meet Ada Berg and Ines Holm in Gorse at 10:30 please"
    first = somewhere = several = 0
    for _ in range(300):
        heard = hear(text, names, rng)
        confidences = [each.confidence for each in heard]
        assert confidences == sorted(confidences, reverse=True)
        assert all(0 <= confidence <= 1 for confidence in confidences)
        assert len({each.text for each in heard}) == len(heard) <= 5
        first += heard[0].text == truth
        somewhere += truth in [each.text for each in heard]
        several += len(heard) > 1
    assert first < somewhere < 300
    assert 90 < first < 200  # five names, each hard to hear three times in ten
    assert several > 150


def test_training_dialogues_are_read_back_and_true(tmp_path):
    dialogues = list(visit_dialogues(12, seed=2))
    path = tmp_path / "visits.json.gz"
    assert write_training_dialogues(path, dialogues) == 12
    back = load_graphwoz(path)
    assert [len(dialogue.turns) for dialogue in back.values()] == [
        len(dialogue.turns) for dialogue in dialogues]
    for dialogue in dialogues:
        phones = {each.phone for each in dialogue.knowledge_base.people.values()}
        for turn in dialogue.turns:
            assert set(re.findall(r"\+44 \d{4} \d{6}", turn.reference)) <= phones
    assert next(visit_dialogues(3, seed=2)).turns == dialogues[0].turns
