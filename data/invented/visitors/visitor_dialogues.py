"""Training dialogues: simulated visitors with the ideal receptionist."""

from __future__ import annotations

import random
from collections.abc import Iterator

from frontdesk.data.datasets.training_dialogues import TrainingDialogue, TrainingTurn
from frontdesk.data.invented.visitors.conversation import hold_visit, new_visitor
from frontdesk.data.invented.visitors.ideal import IdealReceptionist
from frontdesk.data.invented.visitors.tasks import draw_visit
from frontdesk.data.invented.visitors.visited_organisations import Split

#: Share of the dialogues in which the visitor is heard through the simulated recogniser.
_HEARD = 0.5


def visit_dialogues(n: int, seed: int) -> Iterator[TrainingDialogue]:
    """Dialogues of the visitors of the training split, half of them as a recogniser hears them.

    The receptionist's side is the ideal one's, whose replies are true by construction and which
    does what it says; those of an agent would teach it its own mistakes.

    Args:
        n: How many, at least 0.
        seed: The same seed gives the same dialogues; the first of many are those of few.
    """
    for number in range(n):
        task, world, rng = draw_visit(Split.TRAINING, seed, number)
        heard = random.Random(f"{seed} heard {number}").random() < _HEARD
        visitor = new_visitor(task, world, rng, Split.TRAINING, heard=heard)
        visit = hold_visit(visitor, IdealReceptionist(visitor, rng), rng, heard=heard)
        turns = tuple(TrainingTurn(turn.hypotheses[0].text, turn.reply, turn.now)
                      for turn in visit.turns)
        yield TrainingDialogue(f"visit-{seed}-{number}", world.kb, turns, "simulated")
