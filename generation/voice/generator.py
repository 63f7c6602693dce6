"""The interface that every generator fills, and what it is given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from frontdesk.kg.english.verbalise import FactVerbaliser
from frontdesk.kg.graph.mentions import Mention, Observation
from frontdesk.rules.engine.query_answer import AnswerCore
from frontdesk.rules.linking.linking import LinkedMention
from frontdesk.scoring.ranked_fact import RankedFact

if TYPE_CHECKING:
    from frontdesk.generation.voice.pmi_decoding import PmiSettings


@dataclass(frozen=True)
class GenerationInput:
    """What a generator answers from.

    Args:
        history: ``(speaker, text)``, oldest first; the last is the user's turn to answer.
        knowledge: Facts sorted by relevance, the most relevant first.
        observation: What was read from the user's turn.
        links: What its mentions refer to.
        verbaliser: Says entities and facts as the knowledge does.
    """

    history: Sequence[tuple[str, str]]
    knowledge: Sequence[RankedFact]
    observation: Observation
    links: Sequence[LinkedMention] = ()
    verbaliser: FactVerbaliser | None = None

    def clarification(self, options: Sequence[str] = (),
                      mention: Mention | None = None) -> Clarification:
        """What is asked back, with the user's words as the question that waits.

        Args:
            options: Ids of the entities that may be meant, the likeliest first.
            mention: What may mean them; None when it is not about words of the question.
        """
        place = None
        if mention is not None and mention.start < mention.end:  # not in other hypotheses alone
            place = mention.start, mention.end
        return Clarification(self.history[-1][1], tuple(options), place)


@dataclass(frozen=True)
class Clarification:
    """A question that a reply puts back to the user before it can answer.

    Args:
        question: The user's words that wait for an answer.
        options: Ids of the entities that may be meant, the likeliest first.
        place: ``(start, end)`` in the question of the words whose meaning is asked for; None when
            it is not about words of the question.
    """

    question: str
    options: tuple[str, ...]
    place: tuple[int, int] | None = None


@dataclass(frozen=True)
class TokenLogProbabilities:
    """How probable a model finds each token of a reply, given its prompt and the tokens before.

    Args:
        tokens: Each as text, decoded alone, so that white space at its ends may be missing.
        log_probabilities: The natural logarithm of each one's probability, in nats, at most 0.
        ends: Whether the last token is the one that ends the reply, which is no part of its text.
    """

    tokens: tuple[str, ...]
    log_probabilities: tuple[float, ...]
    ends: bool

    def __post_init__(self) -> None:
        if not self.tokens or len(self.tokens) != len(self.log_probabilities):
            raise ValueError(f"{len(self.tokens)} tokens have {len(self.log_probabilities)} "
                             "log-probabilities")

    @property
    def total(self) -> float:
        """The log-probability of the whole reply, in nats."""
        return sum(self.log_probabilities)


@dataclass(frozen=True)
class GeneratedReply:
    """A reply with what it rests on.

    Args:
        text: The reply, one or more sentences.
        used: The facts it rests on, the first being the one that answers.
        clarification: What it asks back, None when it asks nothing.
        notes: What was trimmed or left out on the way, in words.
        social: It is small talk: nothing was asked, and it claims nothing. Only the realiser
            says so.
        declines: It says that what was asked for cannot be done. Only the realiser says so.
        core: Of an answer that is proved: what other words for it must say, empty where only its
            own will do. None of other replies.
    """

    text: str
    used: tuple[RankedFact, ...] = ()
    clarification: Clarification | None = None
    notes: tuple[str, ...] = ()
    social: bool = False
    declines: bool = False
    core: AnswerCore | None = None


def different_replies(replies: Iterable[GeneratedReply], count: int) -> list[GeneratedReply]:
    """The first replies whose texts differ, so many at most."""
    different: dict[str, GeneratedReply] = {}
    for reply in replies:
        if len(different) == count:
            break
        different.setdefault(reply.text, reply)
    return list(different.values())


class Generator(Protocol):
    """Words a reply from the dialogue history and ranked facts."""

    name: str

    def generate(self, request: GenerationInput) -> GeneratedReply:
        """Word a reply to the last turn of the history.

        Raises:
            UnavailableError: The model or endpoint behind it cannot answer.
        """
        ...


@runtime_checkable
class NBestGenerator(Generator, Protocol):
    """A generator that offers several replies to choose from."""

    def generate_several(self, request: GenerationInput, count: int) -> list[GeneratedReply]:
        """The best replies that differ, the best first.

        Args:
            request: What to answer.
            count: Most replies, at least 1.

        Raises:
            UnavailableError: The model or endpoint behind it cannot answer.
        """
        ...


@runtime_checkable
class PmiGenerator(Generator, Protocol):
    """A generator that can decode by PMI-DECODE."""

    def generate_by_pmi(self, request: GenerationInput, count: int, settings: PmiSettings
                        ) -> list[GeneratedReply]:
        """The best replies that differ by PMI-DECODE in a beam search, the best first.

        Args:
            request: What to answer.
            count: Most replies, at least 1.
            settings: The weights.

        Raises:
            UnavailableError: The model behind it cannot answer.
            InputError: The last turn does not fit into the model's input.
            ValueError: The history is empty.
        """
        ...


@dataclass(frozen=True)
class GivenReply:
    """A reply whose tokens are to be scored.

    Args:
        request: What it answers. The prompt is the one that ``generate`` makes.
        text: Anybody's words, data like all others: what looks like a special token is
            neutralised.
        with_knowledge: Whether the facts stand in the prompt. Without, its history is the same,
            also where the facts have pushed old turns out of it: the difference is the facts'
            alone.
    """

    request: GenerationInput
    text: str
    with_knowledge: bool = True


@runtime_checkable
class ScoringGenerator(Generator, Protocol):
    """A generator that can say how probable it finds any reply, as PMI-FAITH needs it."""

    def log_probabilities(self, replies: Sequence[GivenReply]) -> list[TokenLogProbabilities]:
        """The log-probability of each token of replies, the token that ends each included.

        Args:
            replies: Any number; they are read in one batch.

        Returns:
            In the order of the replies.

        Raises:
            UnavailableError: The model or endpoint behind it cannot score replies.
            InputError: The reply or the last turn does not fit into the model's input.
            ValueError: The history is empty.
        """
        ...
