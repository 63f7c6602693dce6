"""Augmented dialogues: the values that a reply had from the graph, it has from the new graph."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from zoneinfo import ZoneInfo

import pytest

from frontdesk.data.datasets.graphwoz_reduced import load_graphwoz_reduced
from frontdesk.data.datasets.training_dialogues import (
    TrainingDialogue,
    TrainingTurn,
    content_hash,
    from_reduced,
    turn_hashes,
    without_held_out,
)
from frontdesk.data.invented.augment import augment
from frontdesk.data.invented.dialogues import simulate_dialogues
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.import_json import dump_json

from ...conftest import _data_file

UTC = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, 10, tzinfo=UTC)


@pytest.fixture(scope="module")
def graphwoz_train() -> list[TrainingDialogue]:
    path = _data_file("graphwoz/graphwoz_train_turns.json.gz")
    return [from_reduced(each) for each in load_graphwoz_reduced(path)]


def office() -> KnowledgeBase:
    start = NOW.replace(hour=11, minute=0)
    return KnowledgeBase(
        name="Lanternworks", timezone=UTC, groups=[Group("g", "Optics")],
        people=[Person("p1", "Sarah Quill", email="sarah.quill@company.email", phone="+4712345678",
                       group="g", office="o"),
                Person("p2", "Sarah Payne"), Person("p3", "Tom Bell")],
        rooms=[Room("r", "Gamma"), Room("o", "314", floor=3, bookable=False)],
        events=[Event("e", "lens team meeting", start, start + dt.timedelta(hours=1), location="r",
                      organizer="p1", attendees=("p1", "p2")),
                Event("e2", "lens workshop", start + dt.timedelta(days=1, hours=1),
                      start + dt.timedelta(days=1, hours=2))])


def talk(*turns: tuple[str, str]) -> TrainingDialogue:
    return TrainingDialogue("t", office(), tuple(TrainingTurn(*turn, NOW) for turn in turns),
                            "graphwoz")


def named(text: str, names: dict[str, str]) -> set[str]:
    """Ids of the entities whose name stands in a text, the longest names first."""
    found = set()
    for entity, name in sorted(names.items(), key=lambda item: -len(item[1])):
        pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
        if re.search(pattern, text, re.IGNORECASE):
            found.add(entity)
            text = re.sub(pattern, "#", text, flags=re.IGNORECASE)
    return found


def names_of(kb: KnowledgeBase) -> dict[str, str]:
    kept: dict[str, str] = {}
    for entity in kb.entities():
        # Several events may have one name: the first stands for all.
        if entity.name.casefold() not in {name.casefold() for name in kept.values()}:
            kept[entity.id] = entity.name
    return kept


def values(text: str, kb: KnowledgeBase) -> Counter[tuple[str, str]]:
    """E-mail addresses and phones in a text, by whose they are."""
    plain = re.sub(r"(?<=\d) (?=\d)", "", text)
    return Counter((kind, person.id) for person in kb.people.values()
                   for kind, value in (("email", person.email), ("phone", person.phone))
                   if value and value.replace(" ", "") in plain)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_augmented_replies_have_the_new_values_of_what_they_had(graphwoz_train, seed):
    seen = 0
    for old in graphwoz_train:
        new = augment(old, seed)
        before, after = names_of(old.knowledge_base), new.knowledge_base
        for was, turn in zip(old.turns, new.turns, strict=True):
            expected = named(was.reference, before)
            assert {after.entity(each).name.casefold() for each in expected} == {
                after.entity(each).name.casefold()
                for each in named(turn.reference, {each: after.entity(each).name
                                                   for each in before}) & expected}, turn
            assert values(was.reference, old.knowledge_base) == values(turn.reference, after)
            seen += len(expected)
    assert seen > 200


def test_augmented_events_keep_their_times_in_replies(graphwoz_train):
    """A reply that gave the start or the date of the event that it names still does."""
    seen = Counter()
    for old in graphwoz_train:
        new = augment(old, seed=3)
        for was, turn in zip(old.turns, new.turns, strict=True):
            for event in old.knowledge_base.events.values():
                if named(was.reference, {"e": event.name}):
                    later = new.knowledge_base.entity(event.id)
                    for kind, say in (("start", clock), ("date", lambda at: f"{at:%B} {at.day}")):
                        before = rf"\b{say(event.start)}\b(?! (?:event|member))"
                        if re.search(before, was.reference):
                            assert re.search(rf"\b{say(later.start)}\b", turn.reference), turn
                            seen[kind] += 1
    assert seen["start"] >= 15
    assert seen["date"] >= 4


def clock(moment: dt.datetime) -> str:
    hour = moment.hour % 12 or 12
    return f"{hour}:{moment.minute:02d}" if moment.minute else f"{hour}"


def test_augmented_dialogues_keep_no_old_names(graphwoz_train):
    for old in graphwoz_train:
        new = augment(old, seed=5)
        people = {"p" + name: name for name in
                  {person.name for person in old.knowledge_base.people.values()}
                  - {person.name for person in new.knowledge_base.people.values()}}
        for turn in new.turns:
            assert not named(turn.reference, people), turn


def test_augmented_calendars_stay_in_office_hours_and_in_shape(graphwoz_train):
    shifts = set()
    for old in graphwoz_train:
        new = augment(old, seed=2)
        moved = {later.start - event.start for event in old.knowledge_base.events.values()
                 for later in [new.knowledge_base.entity(event.id)]}
        assert len(moved) <= 1
        shifts |= moved
        for event in old.knowledge_base.events.values():
            later = new.knowledge_base.entity(event.id)
            assert later.end - later.start == event.end - event.start
            assert (later.location, later.attendees) == (event.location, event.attendees)
            assert 8 <= later.start.hour <= 18
        for was, turn in zip(old.turns, new.turns, strict=True):
            if moved:
                assert turn.now - was.now == next(iter(moved))
    assert len(shifts) > 40


def test_augment_replaces_names_addresses_numbers_and_times_alike():
    old = talk(("hi my name is Tom Bell when is the lens team meeting",
                "Hi Tom! The lens team meeting is today, March 2, at 11 o'clock in the Gamma "
                "conference room."),
               ("who organises it", "Sarah Quill from the Optics group."),
               ("what is Sarah's phone number", "Sarah's phone number is +47 12 34 56 78, and her "
                "email is sarah.quill@company.email. Her office is room 314 on the third floor."))
    new = augment(old, seed=1)
    kb = new.knowledge_base
    tom, sarah, other = (kb.entity(each) for each in ("p3", "p1", "p2"))
    event = kb.entity("e")
    ordinals = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
                "ninth")
    floor = ordinals[kb.entity("o").floor - 1]
    digits = sarah.phone
    phone = " ".join([digits[:3], *(digits[at:at + 2] for at in range(3, 11, 2))])
    first = sarah.name.split()[0]
    assert new.turns[0].user == f"hi my name is {tom.name} when is the {event.name}"
    assert new.turns[0].reference == (
        f"Hi {tom.name.split()[0]}! The {event.name} is today, {event.start:%B} {event.start.day}, "
        f"at {clock(event.start)} o'clock in the {kb.entity('r').name} conference room.")
    assert new.turns[1].reference == f"{sarah.name} from the {kb.entity('g').name} group."
    assert new.turns[2].user == f"what is {first}'s phone number"
    assert new.turns[2].reference == (
        f"{first}'s phone number is {phone}, and her email is {sarah.email}. Her office is room "
        f"{kb.entity('o').name} on the {floor} floor.")
    assert sarah.email == f"{sarah.name.lower().replace(' ', '.')}@company.email"
    assert other.name.split()[0] == first, "people of one first name still share one"
    assert event.name.removesuffix("team meeting") == \
        kb.entity("e2").name.removesuffix("workshop"), "so do events of one topic"
    assert not {"Sarah", "Tom", "Quill", "Optics", "Gamma", "314"} & set(
        re.findall(r"\w+", " ".join(f"{turn.user} {turn.reference}" for turn in new.turns)))


def test_augment_puts_new_names_where_old_ones_were_misheard():
    old = talk(("is Sarah pain free", "Sarah Payne is not in any meetings right now."))
    heard = {augment(old, seed).turns[0].user for seed in range(12)}
    assert len(heard) == 12
    assert not any("Sarah" in each or "pain" in each for each in heard)
    exact = [seed for seed in range(12) if augment(old, seed).knowledge_base.entity("p2").name
             in augment(old, seed).turns[0].user]
    assert 0 < len(exact) < 12, "some are misheard again, some are not"


@pytest.mark.parametrize("said", ["tomorrow morning", "at noon", "at 11 a.m."])
def test_augment_leaves_times_of_day_where_parts_of_the_day_are_spoken_of(said):
    for seed in range(5):
        new = augment(talk((f"what is there {said}", "The lens workshop.")), seed)
        assert new.knowledge_base.entity("e").start.hour == 11
        assert said in new.turns[0].user


def test_augment_leaves_counts_and_durations_alone():
    reply = "There are 10 members, and 3 events of 30 minutes at 11 o'clock."
    counts = {re.sub(r"at \d+", "at _", augment(talk(("x", reply)), seed).turns[0].reference)
              for seed in range(8)}
    assert counts == {re.sub(r"at \d+", "at _", reply)}


def test_augment_is_the_same_for_the_same_seed():
    old = talk(("hi", "Hello!"), ("where is Sarah Quill", "In room 314."))

    def written(seed: int) -> str:
        new = augment(old, seed)
        return repr((new.id, new.turns)) + dump_json(new.knowledge_base)

    assert written(1) == written(1) != written(2)
    assert augment(old, 1).source == "augmented"


def test_simulated_dialogues_can_be_augmented_too():
    for old in simulate_dialogues(12, seed=8):
        new = augment(old, seed=0)
        for was, turn in zip(old.turns, new.turns, strict=True):
            assert values(was.reference, old.knowledge_base) == values(turn.reference,
                                                                      new.knowledge_base)


def test_no_development_turn_is_among_augmented_dialogues(graphwoz_train, dev_dialogues):
    held_out = turn_hashes(dev_dialogues.values())
    kept = list(without_held_out([*graphwoz_train, *(augment(each, 0) for each in graphwoz_train)],
                                 held_out))
    assert len(kept) > 100
    assert not {content_hash(turn.user, turn.reference) for each in kept
                for turn in each.turns} & held_out
