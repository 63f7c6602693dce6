"""What is known of a turn on its way: what goes in, and what each stage found."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from frontdesk.agent.access.access_rights import Access
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.acting.visitor_notices import ActsToTell
from frontdesk.agent.domains.form_links import FormLinks
from frontdesk.agent.domains.query_answering import AnsweredQueries
from frontdesk.agent.domains.visible_domain import VisibleDomain
from frontdesk.agent.understanding.house_questions import HouseQuestion
from frontdesk.agent.understanding.link_utterance import LinkedUtterance
from frontdesk.agent.understanding.meaning import Meaning
from frontdesk.agent.understanding.request import Request
from frontdesk.agent.understanding.semantic_parser import Parse
from frontdesk.agent.understanding.surface_cues import SurfaceCues
from frontdesk.agent.understanding.task_readings import TaskReading
from frontdesk.generation.checks.graph_check import GraphVerdict
from frontdesk.generation.voice.generator import GeneratedReply, GenerationInput
from frontdesk.kg.english.verbalise import FactVerbaliser
from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Hypothesis
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.pending_action import PendingAction
from frontdesk.rules.engine.derived import Derived
from frontdesk.scoring.ranked_fact import RankedFact
from frontdesk.scoring.relevance import DialogueContext

#: Who words the answers of queries.
ANSWERS = "answers"


@dataclass(frozen=True)
class TurnInputs:
    """What a turn begins with.

    Args:
        dialogue: Before the utterance; the stages write into it.
        hypotheses: What may have been said, the likeliest first, at least one.
        now: Zone-aware present.
        access: Who counts as whom, with the role that the caller vouches for.
        timezone: Of whoever speaks; the organisation's when None.
        hurried: Others wait: the realiser words the reply in the generator's place.
        session: Id of the session; empty for one that is not kept, in which nothing is left for
            anybody.
    """

    dialogue: DialogueGraph
    hypotheses: Sequence[Hypothesis]
    now: dt.datetime
    access: Access
    timezone: dt.tzinfo | None = None
    hurried: bool = False
    session: str = ""


@dataclass(frozen=True)
class RecognisedUser:
    """What ``parse`` found of who speaks, before it forgot anything.

    Args:
        known_before: The same person was known to speak before the turn.
        afresh: Somebody else speaks than before, so all before is forgotten.
    """

    known_before: bool
    afresh: bool


@dataclass(frozen=True)
class ParsedTurn:
    """What ``parse`` found.

    Args:
        visible: What whoever says it may know of.
        turn: Id of the user's turn in the dialogue graph.
        cues: What its words tell beside the forms.
        history: ``(speaker, text)`` of the dialogue, the last turn as it was understood: what
            relevance, generation and the checks of replies take in as text.
        meaning: Its logical forms; empty where no trained parser reads.
        to_tell: What of it people are told of.
        house_questions: What its queries and acts ask of the house, in its words.
    """

    parse: Parse
    visible: VisibleDomain
    turn: str
    cues: SurfaceCues
    history: Sequence[tuple[str, str]]
    meaning: Meaning
    to_tell: ActsToTell
    house_questions: Mapping[Form, HouseQuestion]


@dataclass(frozen=True)
class Task:
    """Something that a turn is asked to do.

    Args:
        request: What it asks for, or says of what is pending; None where that depends on what is
            done before.
        pending: What it goes on with; None where it begins something.
    """

    reading: TaskReading
    request: Request | None = None
    pending: PendingAction | None = None


@dataclass(frozen=True)
class TaskOutcomes:
    """What ``act`` did.

    Args:
        outcomes: What was done about actions, one after the other.
        question: What is still to be answered; None where nothing is.
        visible: What whoever speaks may know of after it.
        links: What forms refer to after it.
    """

    outcomes: tuple[ActionOutcome, ...]
    question: LinkedUtterance | None
    visible: VisibleDomain
    links: FormLinks | None = None


@dataclass(frozen=True)
class InferredFacts:
    """What ``infer`` found.

    Args:
        facts: All that the reply may rest on.
        saliency: The entities that the turn is about, each with a weight in (0, 1].
        derivable: Derives what follows, whether or not the condition lets it through.
    """

    facts: Sequence[Fact]
    saliency: Mapping[str, float] = field(default_factory=dict)
    derivable: Callable[[], Derived] = lambda: Derived(())


@dataclass(frozen=True)
class VerbalisedFacts:
    """What ``verbalise`` found: the facts, each with its sentence, and what says them."""

    sentences: Sequence[tuple[Fact, str]]
    verbaliser: FactVerbaliser


@dataclass(frozen=True)
class RankedKnowledge:
    """What ``rank`` found.

    Args:
        candidates: All facts, the most relevant first.
        context: What they were ranked for; None where nothing is asked.
    """

    candidates: Sequence[RankedFact]
    knowledge: Sequence[RankedFact]
    context: DialogueContext | None
    request: GenerationInput


@dataclass(frozen=True)
class GeneratedReplies:
    """What ``generate`` found.

    Args:
        candidates: Replies to choose from, the best first; empty where ``words`` alone are said.
        words: What is said of what was done; empty where nothing was.
        began: ``time.monotonic`` when the first word was looked for.
    """

    generator: str
    candidates: Sequence[GeneratedReply]
    words: str = ""
    began: float = 0.0


@dataclass(frozen=True)
class CheckedReply:
    """What is said.

    Args:
        verdict: Of the graph check; None where only what was done is told.
        repaired: What was done to come to it, in words; empty where the first reply is said.
        steps: What the checks led to, in words and in order.
        notes: What was skipped or went wrong on the way, in words.
    """

    generator: str
    reply: GeneratedReply
    verdict: GraphVerdict | None = None
    repaired: str = ""
    steps: Sequence[str] = ()
    notes: Sequence[str] = ()


@dataclass
class TurnState:
    """A turn on its way through the stages; each sets once what is named after it.

    Attributes:
        notes: What is to be told of the turn, in words; stages add to them.
        timings_ms: Milliseconds of each stage, and ``total``.
        refreshed: What whoever spoke before may know of; set by ``refresh``.
        recognised: Set by ``parse``, as ``parsed``.
        linked_forms: What the forms of the utterance refer to; None where the domain answers none;
            set by ``link``, as ``linked``.
        notified: What is said of who is told of a visitor; empty where nobody is.
        remembered: Id of the agent's turn in the dialogue graph; set by ``remember``.
    """

    inputs: TurnInputs
    notes: list[str] = field(default_factory=list)
    timings_ms: dict[str, float] = field(default_factory=dict)
    refreshed: VisibleDomain = field(init=False)
    recognised: RecognisedUser = field(init=False)
    parsed: ParsedTurn = field(init=False)
    linked: LinkedUtterance = field(init=False)
    linked_forms: FormLinks | None = field(init=False)
    decided: tuple[Task, ...] = field(init=False)
    acted: TaskOutcomes = field(init=False)
    answered: AnsweredQueries | None = field(init=False)
    notified: str = field(init=False)
    inferred: InferredFacts = field(init=False)
    verbalised: VerbalisedFacts = field(init=False)
    ranked: RankedKnowledge = field(init=False)
    generated: GeneratedReplies = field(init=False)
    checked: CheckedReply = field(init=False)
    remembered: str = field(init=False)

    @property
    def visible(self) -> VisibleDomain:
        """What whoever speaks may know of, by the latest stage that tells."""
        return self.acted.visible if self._has("acted") else \
            self.parsed.visible if self._has("parsed") else self.refreshed

    @property
    def links(self) -> FormLinks | None:
        """What forms refer to, by the latest stage that tells."""
        return self.acted.links if self._has("acted") else self.linked_forms

    @property
    def afresh(self) -> bool:
        """Somebody else speaks than before, as far as is known yet."""
        return self._has("recognised") and self.recognised.afresh

    @property
    def user(self) -> str | None:
        """Id of the person who probably speaks; None when nobody is known."""
        user = self.inputs.dialogue.user()
        return user[0] if user is not None else None

    def _has(self, output: str) -> bool:
        return output in vars(self)
