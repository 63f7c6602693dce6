"""The tasks of simulated visitors, like those that people were given for GraphWOZ."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from frontdesk.data.invented.visitors import booking_tasks as booking
from frontdesk.data.invented.visitors import change_tasks as change
from frontdesk.data.invented.visitors import question_tasks as question
from frontdesk.data.invented.visitors.describe import describe
from frontdesk.data.invented.visitors.sample_tasks import Draw, UnsuitableError
from frontdesk.data.invented.visitors.visited_organisations import Split, World, invent_world
from frontdesk.data.invented.visitors.visitor_goals import Errand, Question, Task

_TRIES = 400

ErrandDraw = Callable[[Draw], Errand]


@dataclass(frozen=True)
class Kind:
    """A kind of task.

    Args:
        name: As reports call it.
        weight: How often it comes, in proportion.
    """

    name: str
    weight: float
    draw: Callable[[Draw], Sequence[Errand]]


def _one(*among: tuple[ErrandDraw, float]) -> Callable[[Draw], Sequence[Errand]]:
    errands, weights = zip(*among, strict=True)
    return lambda draw: [draw.rng.choices(errands, weights)[0](draw)]


def _two_questions(draw: Draw) -> Sequence[Errand]:
    """Two things about one person or event, or about different ones."""
    if draw.chance(0.4):
        first = question.ask_person(draw)
        if first.topic != "person_contact":
            return [first, question.ask_person(draw, draw.kb.people[first.about], first.topic)]
    elif draw.chance(0.6):
        first = question.ask_event(draw)
        return [first, question.ask_event(draw, draw.kb.events[first.about], first.topic)]
    return [question.ask_event(draw), question.ask_person(draw)]


def _two_things(draw: Draw) -> Sequence[Errand]:
    """A meeting to change or to book, and a question or a message."""
    first = draw.rng.choices((change.cancel, change.move, change.invite), (1, 1, 1))[0](draw) \
        if draw.chance(0.6) else booking.book(draw, fits=False)
    second: Errand = change.leave_message(draw) if draw.chance(0.4) else question.ask_person(draw)
    return [first, second] if draw.chance(0.7) else [second, first]


KINDS: tuple[Kind, ...] = (
    Kind("find attributes", 10, _one((question.ask_person, 4), (question.ask_event, 5),
                                     (question.ask_own_office, 1))),
    Kind("find contacts", 6, _one((question.ask_member, 1))),
    Kind("availability", 9, _one((question.ask_person_free, 2.5), (question.ask_room_free, 1),
                                 (question.ask_rooms_free, 1.5))),
    Kind("group members", 5, _one((question.ask_members, 1))),
    Kind("agenda", 6, _one((question.ask_agenda, 1))),
    Kind("arrange", 18, _one((booking.book, 4), (booking.book_after, 1),
                             (booking.book_and_change_mind, 1))),
    Kind("arrange with a conflict", 9, _one((booking.book_with_conflict, 1))),
    Kind("invite or remove", 7, _one((change.invite, 2), (change.uninvite, 1))),
    Kind("move or edit", 9, _one((change.move, 3), (change.move_all, 1), (change.edit, 2))),
    Kind("cancel", 7, _one((change.cancel, 2), (change.cancel_series, 1),
                           (change.cancel_one_of_series, 1))),
    Kind("leave a message", 4, _one((change.leave_message, 1))),
    Kind("unsolvable", 8, _one(
        (question.ask_about_nobody, 1.5), (booking.book_with_stranger, 1),
        (booking.book_in_the_past, 1), (booking.book_without_room, 1),
        (change.cancel_of_others, 1), (change.move_of_others, 1), (change.invite_stranger, 0.7),
        (change.message_for_stranger, 0.5))),
    Kind("two questions", 6, _two_questions),
    Kind("two things at once", 6, _two_things),
)


def draw_task(world: World, rng: random.Random, split: Split, kind: Kind) -> tuple[Task, World]:
    """A task of a kind, and the organisation with the calendar that it needs.

    Raises:
        UnsuitableError: The organisation has nothing for it.
    """
    for _ in range(_TRIES):
        draw = Draw(world, rng, split)
        try:
            errands = tuple(kind.draw(draw))
        except UnsuitableError:
            continue
        if any(isinstance(each, Question) and each.about == draw.me.id for each in errands):
            continue
        at_once = len(errands) > 1 and rng.random() < 0.5
        text = describe(errands, draw.me, draw.world)
        return Task(kind.name, draw.me.id, errands, at_once, text), draw.world
    raise UnsuitableError


def draw_visit(split: Split, seed: int, number: int) -> tuple[Task, World, random.Random]:
    """The task, the organisation and the generator of chance of one visit.

    Args:
        seed: The same seed and number give the same visit.
        number: Of the visit, from 0.
    """
    rng = random.Random(f"{split} visit {seed} {number}")
    kind = rng.choices(KINDS, [each.weight for each in KINDS])[0]
    attempt = 0
    while True:
        try:
            world = invent_world(split, seed, number + 1_000_000 * attempt)
            task, world = draw_task(world, rng, split, kind)
        except UnsuitableError:
            attempt += 1
        else:
            return task, world, rng
