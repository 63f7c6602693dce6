"""The agent: one turn after another, observe → link → infer → verbalise → rank → generate → check.

Example:
    >>> from frontdesk.agent import Agent  # doctest: +SKIP
    >>> session = Agent(kb).session()  # doctest: +SKIP
    >>> session.reply("Where is the planning meeting?").text  # doctest: +SKIP
    'The planning meeting is in Cedar.'
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from frontdesk.agent.domain import Domain, organisation_domain
from frontdesk.agent.faithfulness import Faithfulness
from frontdesk.agent.reply import Reply
from frontdesk.agent.settings import Condition, Settings
from frontdesk.agent.thresholds import load_thresholds
from frontdesk.agent.turn import Turn
from frontdesk.generation.generator import Generator
from frontdesk.kg.dialogue_graph import DialogueGraph, Hypothesis
from frontdesk.kg.errors import InputError
from frontdesk.kg.knowledge_base import KnowledgeBase
from frontdesk.rules.link_proofs import LinkProver
from frontdesk.scoring.encoder import (
    CachedEncoder,
    MiniLMEncoder,
    SentenceEncoder,
    SentenceTransformerEncoder,
)
from frontdesk.scoring.relevance import RelevanceRanker, RelevanceScorer
from frontdesk.scoring.relevance_model import load_network

Clock = Callable[[], dt.datetime]



def system_clock() -> dt.datetime:
    """The present in UTC."""
    return dt.datetime.now(dt.UTC)


class Agent:
    """Talks about one domain, an organisation as a rule; starts sessions that share its components.

    Args:
        subject: The organisation, or another domain to talk about.
        settings: Profile and its components; the packaged defaults when not given.
        clock: Tells the time; the system's by default.
        generator: Words the replies; the profile's by default.
        encoder: Sentence encoder to share with other agents; the settings' by default.
        stand_in: Whether the realiser stands in for a generator that does not answer, as it must
            for users. An evaluation would measure the wrong system then; without, the turn fails.

    Raises:
        UnavailableError: A model or package that the profile needs is missing.
        InputError: A rule file of the settings cannot be read, or something is wrong in it.
    """

    def __init__(self, subject: KnowledgeBase | Domain, settings: Settings | None = None, *,
                 clock: Clock = system_clock, generator: Generator | None = None,
                 encoder: SentenceEncoder | None = None, stand_in: bool = True) -> None:
        self.settings = settings or Settings()
        domain = subject if not isinstance(subject, KnowledgeBase) else organisation_domain(
            subject, self.settings)
        self.domain = domain
        self.kb, self.detector, self.linker = domain.kb, domain.detector, domain.linker
        self.reasoner, self.realiser, self.check = domain.reasoner, domain.realiser, domain.check
        self.link_prover = LinkProver.of(self.linker, self.kb)
        self.clock, self.stand_in = clock, stand_in
        self.encoder = encoder or load_encoder(self.settings)
        self.ranker = RelevanceRanker(self.encoder, load_relevance(self.settings),
                                      schema=domain.schema)
        self.generator = generator or load_generator(
            self.settings, domain.schema.name) or self.realiser
        self.faithfulness = Faithfulness(self.kb, self.generator, self.settings.check)
        self.thresholds = load_thresholds(domain.schema.name, self.settings.check.thresholds)

    def session(self, graph: DialogueGraph | None = None) -> Session:
        """A new dialogue, or one to go on with.

        Raises:
            InputError: The dialogue is about entities that this organisation does not have.
        """
        graph = graph or DialogueGraph()
        unknown = [entity for entity in graph.entities() if entity not in self.kb]
        if unknown:
            raise InputError(f"the dialogue speaks of {unknown[0]!r}, which {self.kb.name} "
                             "does not have", remedy="Go on with the organisation it was held with")
        return Session(self, graph)


def load_bare_encoder(settings: Settings) -> SentenceEncoder:
    """The sentence encoder that the settings name."""
    name = settings.encoder.name
    return MiniLMEncoder() if name == MiniLMEncoder.name else SentenceTransformerEncoder(name)


def load_encoder(settings: Settings) -> CachedEncoder:
    """The sentence encoder that the settings name, with its cache on disk."""
    path = Path(settings.encoder.cache) / "embeddings.sqlite" if settings.encoder.cache else None
    return CachedEncoder(load_bare_encoder(settings), path)


def load_relevance(settings: Settings) -> RelevanceScorer | None:
    """The relevance model that the settings name; None for weights set by hand.

    Raises:
        MissingModelError: It is not there or cannot be used.
    """
    return load_network(Path(settings.relevance.model)) if settings.relevance.model else None


def load_generator(settings: Settings, domain: str) -> Generator | None:
    """The generator of the settings' profile; None for templates, the domain's realiser.

    Args:
        settings: With the profile.
        domain: Name of the schema of the domain, ``organisation`` or ``car``.

    Raises:
        UnavailableError: A model or package that the profile needs is missing.
    """
    # All facts are cut where the generator's input ends, not at a number.
    most_facts = sys.maxsize if settings.knowledge.condition == Condition.ALL_FACTS \
        else settings.knowledge.most_facts(domain)
    if settings.profile == "godel":
        from frontdesk.generation.seq2seq import Seq2SeqGenerator

        return Seq2SeqGenerator(settings.godel.model, num_beams=settings.godel.beams,
                                max_new_tokens=settings.godel.max_new_tokens,
                                max_facts=most_facts)
    if settings.profile == "openai":
        from frontdesk.generation.openai_client import OpenAIGenerator

        endpoint = settings.openai
        return OpenAIGenerator(endpoint.base_url, endpoint.model,
                               api_key_env=endpoint.api_key_env, timeout_s=endpoint.timeout_s,
                               max_retries=endpoint.max_retries,
                               max_facts=most_facts,
                               log_probabilities=endpoint.log_probabilities)
    if settings.profile == "causal":
        from frontdesk.generation.causal_lm import CausalLMGenerator

        return CausalLMGenerator(settings.causal.model, num_beams=settings.causal.beams,
                                 max_new_tokens=settings.causal.max_new_tokens,
                                 max_facts=most_facts)
    if settings.embedded.words == "templates":
        return None
    from frontdesk.generation.embedded import EmbeddedGenerator
    from frontdesk.generation.pointer.weights import packaged_model

    return EmbeddedGenerator(
        settings.embedded.model or packaged_model(domain),
        samples=None if settings.embedded.samples < 0 else settings.embedded.samples,
        temperature=settings.embedded.temperature,
        num_beams=settings.embedded.beams, max_new_tokens=settings.embedded.max_new_tokens,
        max_facts=most_facts)


class Session:
    """One dialogue with an agent. Its whole state is the dialogue graph.

    Args:
        agent: Whose components are used.
        graph: The dialogue so far.
    """

    def __init__(self, agent: Agent, graph: DialogueGraph) -> None:
        self.agent = agent
        self.graph = graph

    def reply(self, utterance: str | Sequence[Hypothesis], *,
              now: dt.datetime | None = None) -> Reply:
        """Answer an utterance.

        Args:
            utterance: What was typed, or the hypotheses of a speech recogniser, the best first.
            now: Zone-aware present; the agent's clock by default.

        Raises:
            ValueError: There is no hypothesis, or ``now`` has no time zone.
        """
        turn = self._turn(utterance, now)
        with self._all_or_nothing():
            return turn.run()

    def listen(self, utterance: str | Sequence[Hypothesis], *,
               now: dt.datetime | None = None) -> None:
        """Take note of an utterance that is answered elsewhere; see :meth:`say`.

        Raises:
            ValueError: There is no hypothesis, or ``now`` has no time zone.
        """
        turn = self._turn(utterance, now)
        with self._all_or_nothing():
            turn.listen()

    def say(self, text: str, *, now: dt.datetime | None = None) -> None:
        """Take note of a reply that somebody else gave in the agent's place.

        What it mentions is salient afterwards, as with the agent's own replies.

        Args:
            text: The reply.
            now: Zone-aware present; the agent's clock by default.

        Raises:
            ValueError: ``now`` has no time zone.
        """
        turn = self._turn(text, now)
        with self._all_or_nothing():
            turn.say()

    def take_back(self, position: int) -> None:
        """Forget the turns from a position on, but not who the user is.

        Args:
            position: Index among the dialogue's turns of the first to go.
        """
        self.graph.forget_from(position, self.graph.user_identity())

    def _turn(self, utterance: str | Sequence[Hypothesis], now: dt.datetime | None) -> Turn:
        hypotheses = [Hypothesis(utterance)] if isinstance(utterance, str) else list(utterance)
        if not hypotheses:
            raise ValueError("a turn needs at least one hypothesis of what was said")
        if now is not None and now.tzinfo is None:
            raise ValueError(f"the present {now} has no time zone")
        present = (now or self.agent.clock()).astimezone(self.agent.kb.timezone)
        return Turn(self.agent, self.graph, hypotheses, present)

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """A turn that fails leaves nothing half-said behind."""
        before, user = len(self.graph.turns), self.graph.user_identity()
        try:
            yield
        except BaseException:
            self.graph.forget_from(before, user)
            raise
