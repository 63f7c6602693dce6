"""Simulated dialogues with a receptionist about invented organisations, to train generators on.

Every value in a reply is true: it stands in the knowledge base at the time of the dialogue, or in
what was said before.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Iterator

from frontdesk.data.datasets.training_dialogues import TrainingDialogue
from frontdesk.data.invented.dialogues.bookings import book
from frontdesk.data.invented.dialogues.courtesies import begin, end, small_talk
from frontdesk.data.invented.dialogues.invented_calendars import (
    agenda,
    agenda_of,
    cancel,
    join,
    person_free,
    room_free,
)
from frontdesk.data.invented.dialogues.invented_organisations import ZONE, invent_organisation
from frontdesk.data.invented.dialogues.questions import (
    event_question,
    group_question,
    my_office,
    person_question,
)
from frontdesk.data.invented.dialogues.scene import Scene
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

__all__ = ["simulate_dialogues"]

#: Dialogues about one organisation; inventing one takes longer than a dialogue.
_PER_ORGANISATION = 4
_MOST_TURNS = 16


def simulate_dialogues(n: int, seed: int) -> Iterator[TrainingDialogue]:
    """Dialogues of a user with a receptionist, about organisations in UTC.

    Args:
        n: How many, at least 0.
        seed: The same seed gives the same dialogues; the first of many are those of few.
    """
    kb: KnowledgeBase | None = None
    first_day = dt.date.min
    for number in range(n):
        rng = random.Random(f"{seed} dialogue {number}")
        if kb is None or number % _PER_ORGANISATION == 0:
            organisation = number // _PER_ORGANISATION
            kb, first_day = invent_organisation(
                random.Random(f"{seed} organisation {organisation}"),
                f"simulated-{seed}-{organisation}")
        yield _dialogue(kb, first_day, rng, f"simulated-{seed}-{number}")


def _dialogue(kb: KnowledgeBase, first_day: dt.date, rng: random.Random,
              name: str) -> TrainingDialogue:
    day = first_day + dt.timedelta(days=rng.choice((0, 0, 0, 1)))
    # Within one half hour nothing begins or ends, so what is true when it is found out stays true.
    now = dt.datetime.combine(day, dt.time(8), ZONE) + dt.timedelta(
        minutes=30 * rng.randrange(17), seconds=rng.randint(30, 600))
    scene = Scene(kb, now, rng)
    begin(scene)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
        if len(scene.turns) < _MOST_TURNS:
            rng.choices(*_GOALS)[0](scene)
    if not scene.turns:  # none of what the user wanted could be asked about this calendar
        scene.turn(scene.user("help"), scene.agent("offer_asked"))
    end(scene)
    return TrainingDialogue(name, kb, tuple(scene.turns), "simulated")


def _meet(scene: Scene) -> None:
    scene.need_name()
    book(scene)


def _see_whether_free(scene: Scene) -> None:
    person = person_free(scene)
    if person is not None and (scene.agreed or scene.chance(0.4)):
        scene.need_name()
        book(scene, person=person)


def _find_somebody(scene: Scene) -> None:
    person = group_question(scene)
    if person is not None and scene.chance(0.25):
        scene.need_name()
        book(scene, person=person)


def _ask_organiser(scene: Scene) -> None:
    person = event_question(scene) if scene.upcoming() else None
    if person is not None and person is not scene.speaker and scene.chance(0.12):
        scene.need_name()
        book(scene, person=person)


def _find_room(scene: Scene) -> None:
    room = room_free(scene)
    if room is not None and scene.chance(0.5):
        scene.need_name()
        book(scene, room=room)


def _with_name(goal: Callable[[Scene], object]) -> Callable[[Scene], object]:
    def goal_with_name(scene: Scene) -> None:
        scene.need_name()
        goal(scene)

    return goal_with_name


#: What users want, and how often.
_GOALS: tuple[list[Callable[[Scene], object]], list[float]] = (
    [_ask_organiser, person_question, _see_whether_free, _find_somebody, _with_name(agenda),
     _with_name(cancel), _meet, _find_room, _with_name(join), _with_name(my_office), small_talk,
     agenda_of],
    [22, 10, 12, 13, 11, 5, 17, 5, 5, 1, 1.2, 2])
