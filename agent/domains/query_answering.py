"""What answers the queries of a turn in a domain, and what it tells."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_answer import AnswerCore, AnswerKind, QueryAnswer

if TYPE_CHECKING:
    from frontdesk.agent.domains.form_links import FormLinks
    from frontdesk.generation.checks.claim_check import ClaimProver
    from frontdesk.kg.graph.dialogue_graph import AskedBack, DialogueGraph
    from frontdesk.kg.graph.facts import Fact
    from frontdesk.kg.graph.logical_forms import Form
    from frontdesk.kg.graph.mentions import AskedFor
    from frontdesk.kg.parser.name_marks import NameMarks
    from frontdesk.rules.linking.predicate_questions import PredicateQuestions
    from frontdesk.scoring.ranked_fact import RankedFact

#: From what probability on an answer is yes.
_YES = 0.5


@dataclass(frozen=True)
class AnsweredQueries:
    """What the queries of a turn were answered with.

    Args:
        text: In words.
        answers: One for each query.
        about: Ids of the entities that were asked about.
        entities: Ids of the entities that answer, the first first.
        window: The time that was asked about; None where none was.
        asked_back: What is left to the user; None where nothing is.
        core: What a reply in other words must say; empty where only these words will do.
        queries: As they can be gone on with later: their times are not those of what was said last.
        times: Those that answer, where no event has them.
        conditions: On what answers are right, as they begin with it: ``If you mean Ana Silva: ``.
        quoted: Sentences of the house's own that are told where the graph has no answer.
    """

    text: str
    answers: tuple[QueryAnswer, ...] = ()
    about: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    window: Window | None = None
    asked_back: AskedBack | None = None
    core: AnswerCore = field(default_factory=AnswerCore)
    queries: tuple[Form, ...] = ()
    times: tuple[Window, ...] = ()
    conditions: tuple[str, ...] = ()
    quoted: tuple[RankedFact, ...] = ()

    @property
    def asks_who_speaks(self) -> bool:
        """Whether an answer waits for the name of whoever speaks."""
        return any(each.kind is AnswerKind.UNKNOWN and not {"me", "us"}.isdisjoint(each.missing)
                   for each in self.answers)

    @property
    def affirms(self) -> bool:
        """Whether all answers are yes, or tell something."""
        return bool(self.answers) and all(
            bool(each.items) if each.holds is None else each.holds >= _YES
            for each in self.answers)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What the answers rest on, each once: what a reply must say first."""
        return tuple(dict.fromkeys((*self.core.facts, *(
            fact for answer in self.answers for fact in answer.facts))))


class QueryAnswering(Protocol):
    """Answers queries; :class:`frontdesk.agent.domains.calendar_answering.CalendarAnswering`."""

    @property
    def names(self) -> NameMarks:
        """Finds the names that are spoken of in utterances."""
        ...

    @property
    def predicates(self) -> PredicateQuestions | None:
        """Finds questions about predicates that a parser was not taught; None without any."""
        ...

    def asked_for(self, forms: Sequence[Form]) -> AskedFor:
        """Which predicates tell what queries, or other forms, ask."""
        ...

    def links(self, dialogue: DialogueGraph, *, now: dt.datetime) -> FormLinks:
        """What forms refer to in an utterance.

        Args:
            dialogue: With it as its last turn.
            now: Zone-aware present.
        """
        ...

    def answer(self, queries: Sequence[Form], acts: Sequence[Form], links: FormLinks, *,
               speaker: str | None, chosen: Mapping[Form, str] | None = None) -> AnsweredQueries:
        """The answers of queries, in words.

        Args:
            queries: In full, in order.
            links: What forms refer to in the utterance.
            speaker: Id of who speaks; None for somebody unknown.
            chosen: Ids of what the user chose for references of the queries.
        """
        ...

    def refers(self, queries: Sequence[Form], dialogue: DialogueGraph, *, now: dt.datetime) -> bool:
        """Whether what queries refer to by pronouns was spoken of, and is of a type that fits.

        Args:
            queries: In full.
            now: Zone-aware present.
        """
        ...

    def linked(self, forms: Sequence[Form], dialogue: DialogueGraph, *, now: dt.datetime
               ) -> tuple[Form, ...]:
        """Forms with what is meant in the place of the words for it: equal where that is the same.

        Args:
            now: Zone-aware present.
        """
        ...

    def meant_among(self, said: Form, options: Sequence[str], *, now: dt.datetime
                    ) -> tuple[str, ...]:
        """Those of the entities that were offered that a form can mean.

        Args:
            said: Of the sort ``entities``.
            options: Ids, in the order in which they were offered.
            now: Zone-aware present.
        """
        ...

    def claims(self, dialogue: DialogueGraph, answers: Sequence[QueryAnswer], *, now: dt.datetime,
               speaker: str | None, tells: Callable[[Fact], bool]) -> ClaimProver:
        """Proves what the next turn of a dialogue claims.

        Args:
            dialogue: With the utterance that it replies to as its last turn.
            answers: Of what that asked.
            now: Zone-aware present.
            speaker: Id of who is spoken to; None for somebody unknown.
            tells: Whether a fact may be told.
        """
        ...
