"""Commonsense reasoning: derived facts for what a turn can ask about (paper, section 3.2.3).

Facts are derived goal-directed: only for the entities a turn refers to, only for the times it
speaks of, over slices of the knowledge base around them. A derived fact is as probable as the
links and the uncertain stored facts that it rests on are together.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from importlib.resources import files

from frontdesk.kg.knowledge_base import KnowledgeBase
from frontdesk.rules.calendar_derivation import CalendarDerivation
from frontdesk.rules.calendar_slice import MOST_AT_ONCE, MOST_CONFLICTS, MOST_LISTED
from frontdesk.rules.derived import Derived
from frontdesk.rules.goal import Goal
from frontdesk.rules.premises import premises, rule_name
from frontdesk.rules.prover import Prover
from frontdesk.rules.turn_facts import MOST_WINDOWS

__all__ = ["MOST_AT_ONCE", "MOST_CONFLICTS", "MOST_LISTED", "MOST_WINDOWS", "PROGRAMS", "Derived",
           "Goal", "Reasoner", "commonsense_program", "premises", "rule_name"]

PROGRAMS = ("commonsense.pl", "conflicts.pl")


def commonsense_texts() -> dict[str, str]:
    """The text of each of the packaged commonsense rules."""
    return {name: (files("frontdesk.rules") / name).read_text(encoding="utf-8")
            for name in PROGRAMS}


def commonsense_program() -> str:
    """The text of the packaged commonsense rules."""
    return "\n".join(commonsense_texts().values())


class Reasoner:
    """Derives facts by ``commonsense.pl`` and ``conflicts.pl``.

    Args:
        kb: The stored facts.
        deadline_s: Seconds for one turn. With a deadline the rules are evaluated in a process of
            their own, which is killed when the time is used up; what has been derived by then
            stands. None for no limit, in this process.
        clock: What the seconds are taken from.
    """

    def __init__(self, kb: KnowledgeBase, *, deadline_s: float | None = None,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self.kb = kb
        self._deadline_s, self._clock = deadline_s, clock
        self._prover = Prover(commonsense_texts(), deadline_s=deadline_s)

    def derive(self, goal: Goal, *, now: dt.datetime) -> Derived:
        """The derived facts for a goal, each with its probability, rule and proof.

        Args:
            goal: What can be asked about.
            now: Zone-aware present.

        Raises:
            RuleError: A rule cannot be evaluated.
            ProverError: With a deadline: the process does not start.
        """
        if self._deadline_s is not None:
            # That its process is still starting is no fault of the turn's: wait for it first.
            self._prover.slice().ask("now", None)
        return CalendarDerivation(self.kb, self._prover, goal, now, deadline_s=self._deadline_s,
                                  clock=self._clock).run()
