"""The stages of a turn, in order, and how they are run.

::

    refresh ─► parse ─► link ─► decide ─► act ─► answer ─► notify ─► infer ─► verbalise ─► rank
    calendar   forms    who,    question  tasks  queries   host of   facts    sentences    top-K
    as it is   read     what    or task   done   proved    visitors  found
                                                        ─► generate ─► check ─► remember
                                                           candidates  one that is so
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from frontdesk.agent.acting.action_context import ActingComponents
from frontdesk.agent.domains.visible_domain import DomainSource
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.settings.thresholds import Thresholds
from frontdesk.agent.turn.faithfulness import Faithfulness
from frontdesk.agent.turn.stages.act_on_requests import ActOnRequests
from frontdesk.agent.turn.stages.answer_queries import AnswerQueries
from frontdesk.agent.turn.stages.check_replies import CheckReplies
from frontdesk.agent.turn.stages.decide_tasks import DecideTasks
from frontdesk.agent.turn.stages.generate_replies import GenerateReplies
from frontdesk.agent.turn.stages.infer_facts import InferFacts
from frontdesk.agent.turn.stages.link_mentions import LinkMentions
from frontdesk.agent.turn.stages.notify_people import NotifyPeople
from frontdesk.agent.turn.stages.parse_utterance import ParseUtterance
from frontdesk.agent.turn.stages.rank_facts import RankFacts
from frontdesk.agent.turn.stages.refresh_calendar import RefreshCalendar
from frontdesk.agent.turn.stages.remember_turn import RememberTurn
from frontdesk.agent.turn.stages.verbalise_facts import VerbaliseFacts
from frontdesk.agent.turn.turn_state import TurnState
from frontdesk.agent.understanding.meaning import MeaningReader
from frontdesk.agent.understanding.pattern_parser import PatternParser
from frontdesk.agent.understanding.semantic_parser import SemanticParser
from frontdesk.generation.checks.claim_check import ClaimCheck
from frontdesk.generation.voice.generator import Generator
from frontdesk.scoring.encoder import SentenceEncoder
from frontdesk.scoring.passages import HousePassages
from frontdesk.scoring.relevance import RelevanceRanker

#: Is told the name of each stage when it ends, and the milliseconds that it took.
Watch = Callable[[str, float], None]
TOTAL = "total"


class Stage(Protocol):
    """A stage of a turn."""

    @property
    def name(self) -> str:
        """By which it is timed."""
        ...

    def run(self, state: TurnState) -> None:
        """Find what the stage finds, from what those before it found."""
        ...


@dataclass(frozen=True)
class SharedComponents:
    """What the stages of all turns share, whoever speaks.

    Args:
        realiser: Words them without a model; takes the generator's place where that fails.
        thresholds: From which scores on they may be said.
        meaning: Reads the logical forms of utterances; None where no trained parser does.
        stand_in: Whether the realiser stands in for a generator that does not answer.
        new_id: Makes ids of transactions.
        house: What the house says of itself; None for nothing.
        reaches: Whether notices are sent to somebody with an e-mail address, or with none that is
            known; by default nobody sends them.
    """

    settings: Settings
    encoder: SentenceEncoder
    ranker: RelevanceRanker
    generator: Generator
    realiser: Generator
    faithfulness: Faithfulness
    thresholds: Thresholds
    meaning: MeaningReader | None
    stand_in: bool
    new_id: Callable[[], str]
    house: HousePassages | None = None
    reaches: Callable[[str | None], bool] = lambda address: False


def pipeline(parts: SharedComponents, source: DomainSource, parser: SemanticParser | None = None
             ) -> tuple[Stage, ...]:
    """The stages of a turn, in order.

    Args:
        source: What is talked about, and the calendar.
        parser: Reads utterances; by names and patterns by default.
    """
    settings = parts.settings
    calendar, actions = source.calendar, source.latest.domain.pack.actions
    acting = ActingComponents(source, actions, calendar, settings, parts.new_id) \
        if calendar is not None and actions is not None and settings.actions.enabled else None
    return (
        RefreshCalendar(source),
        ParseUtterance(parser or PatternParser(), parts.meaning),
        LinkMentions(),
        DecideTasks(acting),
        ActOnRequests(acting),
        AnswerQueries(settings.knowledge, acting is not None, parts.house),
        NotifyPeople(acting, parts.reaches),
        InferFacts(settings.knowledge),
        VerbaliseFacts(),
        RankFacts(parts.ranker, parts.encoder, settings.knowledge),
        GenerateReplies(parts.generator, parts.realiser, settings.check, stand_in=parts.stand_in),
        CheckReplies(parts.generator, parts.realiser, parts.faithfulness, parts.thresholds,
                     settings.check, ClaimCheck(parts.meaning.parser) if parts.meaning else None),
        RememberTurn(),
    )


def run_stages(stages: Sequence[Stage], state: TurnState, watch: Watch | None = None) -> None:
    """Run stages one after the other, and take the time of each.

    Args:
        stages: In order.
        state: The turn; its ``timings_ms`` get the time of each stage by its name.
        watch: Is told of each stage; what it raises ends the turn.
    """
    with _timed(TOTAL, state, watch):
        for stage in stages:
            with _timed(stage.name, state, watch):
                stage.run(state)


def upto(stages: Sequence[Stage], name: str) -> Sequence[Stage]:
    """The stages up to the one of a name, that included.

    Raises:
        ValueError: There is none.
    """
    return stages[:[each.name for each in stages].index(name) + 1]


@contextmanager
def _timed(name: str, state: TurnState, watch: Watch | None) -> Iterator[None]:
    start = time.perf_counter()
    try:
        yield
    finally:
        spent = (time.perf_counter() - start) * 1000
        state.timings_ms[name] = spent
        if watch is not None:
            watch(name, spent)
