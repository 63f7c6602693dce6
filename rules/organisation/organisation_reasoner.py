"""Commonsense reasoning: derived facts for what a turn can ask about (paper, section 3.2.3).

Facts are derived goal-directed: only for the entities a turn refers to, only for the times it
speaks of, over slices of the knowledge base around them. A derived fact is as probable as the
links and the uncertain stored facts that it rests on are together.
"""

from __future__ import annotations

import datetime as dt

from frontdesk.kg.graph.errors import DeadlineError, ProverError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.rules.engine.derived import Derived, premises, rule_name
from frontdesk.rules.engine.goal import MOST_WINDOWS, Goal
from frontdesk.rules.engine.packaged_rules import packaged_text
from frontdesk.rules.engine.prover import Prover
from frontdesk.rules.engine.prover_process import Budget
from frontdesk.rules.organisation.calendar_derivation import CalendarDerivation
from frontdesk.rules.organisation.calendar_slice import MOST_AT_ONCE, MOST_CONFLICTS, MOST_LISTED

__all__ = ["MOST_AT_ONCE", "MOST_CONFLICTS", "MOST_LISTED", "MOST_WINDOWS", "PROGRAMS", "Derived",
           "Goal", "Reasoner", "commonsense_program", "premises", "rule_name"]

PROGRAMS = ("commonsense.pl", "conflicts.pl")


def commonsense_texts() -> dict[str, str]:
    """The text of each of the packaged commonsense rules."""
    return {name: packaged_text(name) for name in PROGRAMS}


def commonsense_program() -> str:
    """The text of the packaged commonsense rules."""
    return "\n".join(commonsense_texts().values())


class Reasoner:
    """Derives facts by ``commonsense.pl`` and ``conflicts.pl``.

    Args:
        deadline_s: Seconds that the rules may take in one turn. With a deadline they are
            evaluated in a process of their own, which is killed when the time is used up; what
            has been derived by then stands. Waiting for it to start, or for the questions of other
            turns, does not count. None for no limit, in this process.
    """

    def __init__(self, kb: KnowledgeBase, *, deadline_s: float | None = None) -> None:
        self.kb = kb
        self._deadline_s = deadline_s
        self._prover = Prover(commonsense_texts(), deadline_s=deadline_s)

    def derive(self, goal: Goal, *, now: dt.datetime, budget: Budget | None = None) -> Derived:
        """The derived facts for a goal, each with its probability, rule and proof.

        Args:
            now: Zone-aware present.
            budget: Of the turn, where its rules are not these alone; of ``deadline_s`` if None.

        Raises:
            RuleError: A rule cannot be evaluated.
        """
        budget = budget or Budget(self._deadline_s)
        try:
            # A process that does not start is waited for once, not for each question.
            self._prover.slice(budget).ask("now", None)
        except ProverError as error:
            return Derived((), (f"nothing could be looked up: {error.message}",))
        except DeadlineError:
            # The derivation, to which no time is left, says so.
            pass
        return CalendarDerivation(self.kb, self._prover, goal, now, budget).run()
