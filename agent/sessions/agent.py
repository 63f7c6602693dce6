"""The agent: one turn after another, observe → link → infer → verbalise → rank → generate → check.

Example:
    >>> from frontdesk.agent import Agent  # doctest: +SKIP
    >>> session = Agent(kb).session()  # doctest: +SKIP
    >>> session.reply("Where is the planning meeting?").text  # doctest: +SKIP
    'The planning meeting is in Cedar.'
"""

from __future__ import annotations

import asyncio
import copy
import datetime as dt
import logging
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from frontdesk.agent.access.access_rights import BY_CALLER, Access, View, check_role
from frontdesk.agent.calendars.calendar import Calendar, CalendarUnavailableError
from frontdesk.agent.calendars.outage import Outage
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.domains.domain_pack import Components, DomainPack
from frontdesk.agent.domains.organisation_pack import organisation_components
from frontdesk.agent.settings.settings import Condition, Settings
from frontdesk.agent.turn.faithfulness import Faithfulness
from frontdesk.agent.turn.reply import Reply
from frontdesk.agent.turn.stopwatch import Watch
from frontdesk.agent.turn.turn import Turn
from frontdesk.generation.voice.generator import Generator
from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.errors import FrontdeskError, InputError
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.models.intent_head import IntentHead, load_intent_head
from frontdesk.rules.linking.link_proofs import LinkProver
from frontdesk.scoring.encoder import (
    CachedEncoder,
    MiniLMEncoder,
    SentenceEncoder,
    SentenceTransformerEncoder,
)
from frontdesk.scoring.relevance import RelevanceRanker, RelevanceScorer
from frontdesk.scoring.relevance_model import load_network

_LOG = logging.getLogger("frontdesk.agent")

Clock = Callable[[], dt.datetime]

_UNSEEN = "not looked at yet"
#: Users for whom it is kept what they may be told.
_MOST_VIEWERS = 64


def random_id() -> str:
    """An id that no other transaction has."""
    return uuid.uuid4().hex


def system_clock() -> dt.datetime:
    """The present in UTC."""
    return dt.datetime.now(dt.UTC)


@dataclass
class _Latest:
    """The agent as it is after the last change of the calendar; shared by all that were before."""

    agent: Agent | None = None
    outage: Outage = field(default_factory=Outage)


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
        calendar: What is booked, moved and cancelled in; one in memory by default, that ends with
            the agent. Its events take the place of the organisation's.
        new_id: Makes ids of transactions, each another one; random ones by default.

    Raises:
        UnavailableError: A model or package that the profile needs is missing.
        InputError: A rule file of the settings cannot be read, or something is wrong in it.
    """

    def __init__(self, subject: KnowledgeBase | Components, settings: Settings | None = None, *,
                 clock: Clock = system_clock, generator: Generator | None = None,
                 encoder: SentenceEncoder | None = None, stand_in: bool = True,
                 calendar: Calendar | None = None,
                 new_id: Callable[[], str] = random_id) -> None:
        self.settings = settings or Settings()
        self.calendar, self.new_id, self._version = calendar, new_id, ""
        self.access = Access(self.settings.access)
        #: What may be told where this agent is that of somebody; None where it knows everything.
        self.view: View | None = None
        self._latest = _Latest()
        #: Agents that know what somebody may be told; None stands for this one.
        self._views: dict[View, Agent | None] = {}
        self._viewers: dict[tuple[str | None, bool, str | None], Agent | None] = {}
        if isinstance(subject, KnowledgeBase) and calendar is None \
                and self.settings.actions.enabled:
            self.calendar = SqliteCalendar(":memory:", subject)
        if self.calendar is not None:
            state = self.calendar.state()
            subject, self._version = state.kb, state.version
        self._use(subject if not isinstance(subject, KnowledgeBase) else organisation_components(
            subject, self.settings))
        domain = self.domain
        self.clock, self.stand_in = clock, stand_in
        self.encoder = encoder or load_encoder(self.settings)
        self.ranker = RelevanceRanker(self.encoder, load_relevance(self.settings),
                                      schema=domain.schema)
        self.generator = generator or load_generator(self.settings, domain.pack) or self.realiser
        self.faithfulness = Faithfulness(self.kb, self.generator, self.settings.check)
        self.intent_head = load_intents(self.settings) if self.calendar is not None else None
        self.thresholds = domain.pack.load_thresholds(self.settings)

    def _use(self, domain: Components) -> None:
        """Talk about a domain from now on."""
        self.domain = domain
        self.kb, self.detector, self.linker = domain.kb, domain.detector, domain.linker
        self.reasoner, self.realiser, self.check = domain.reasoner, domain.realiser, domain.check
        self.link_prover = LinkProver.of(self.linker, self.kb)

    def refresh(self, *, anew: bool = False) -> Agent:
        """The agent with what was changed in the calendar taken in; itself if nothing was.

        An agent that a turn works with does not change under it: others may refresh meanwhile.

        Args:
            anew: The calendar has just answered: it is asked even if it did not a moment ago.

        Raises:
            CalendarUnavailableError: The calendar cannot be reached or read, or could not be a
                moment ago.
        """
        if self.calendar is None:
            return self
        with self._latest.outage.asking(anew=anew), _unavailable_if_wrong():
            latest = self._latest.agent or self
            if self.calendar.version() != latest._version:
                state = self.calendar.state()
                fresh = copy.copy(latest)
                fresh._views, fresh._viewers = {}, {}
                fresh._use(organisation_components(state.kb, self.settings))
                fresh.faithfulness = self.faithfulness.over(fresh.kb)
                fresh._version = state.version
                self._latest.agent = latest = fresh
            return latest

    def changing(self) -> AbstractContextManager[None]:
        """Within it the calendar is changed; see :meth:`Outage.changing`."""
        return self._latest.outage.changing()

    def at_last(self) -> Agent:
        """As :meth:`refresh`, or as the calendar was when it was last reached."""
        try:
            return self.refresh()
        except CalendarUnavailableError as error:
            _LOG.warning("%s", error)
            return self._latest.agent or self

    def viewed_by(self, user: str | None, *, certain: bool, role: str | None = None) -> Agent:
        """An agent that knows of the organisation what somebody may be told; itself if all.

        Args:
            user: Id of the person; None for somebody unknown.
            certain: The caller vouches for who it is.
            role: The role that the caller vouches for; None where it follows from who it is.
        """
        if not isinstance(self.kb, KnowledgeBase):
            return self
        seen = self._viewers.get((user, certain, role), _UNSEEN)
        if isinstance(seen, str):
            view = self.access.as_certified(role).view(self.kb, user, certain=certain)
            key = view if view.withheld else replace(view, user=None)  # others see the same
            if len(self._viewers) >= _MOST_VIEWERS:
                self._viewers.clear()
                self._views.clear()
            known = self._views.get(key, _UNSEEN)
            seen = known if not isinstance(known, str) else \
                None if view.is_whole else self._as_seen(view)
            self._views[key] = self._viewers[user, certain, role] = seen
        return seen or self

    def _as_seen(self, view: View) -> Agent:
        """This agent with all that a view hides out of reach."""
        seen = copy.copy(self)
        seen.view, seen._views, seen._viewers = view, {}, {}
        if isinstance(self.kb, KnowledgeBase):
            seen._use(organisation_components(view.of(self.kb), self.settings))
            seen.faithfulness = self.faithfulness.over(seen.kb)
        return seen

    def without_actions(self) -> Agent:
        """An agent that knows as much, answers in templates and changes nothing."""
        alone = copy.copy(self.at_last())
        alone.calendar, alone._latest = None, _Latest()
        alone.generator, alone.intent_head = alone.realiser, None
        alone._views, alone._viewers = {}, {}
        return alone

    def close(self) -> None:
        """Let go of the calendar."""
        if self.calendar is not None:
            self.calendar.close()

    def session(self, graph: DialogueGraph | None = None, *, speaker: str | None = None,
                timezone: dt.tzinfo | None = None, role: str | None = None) -> Session:
        """A new dialogue, or one to go on with.

        Args:
            graph: The dialogue so far; forgotten where it was held with somebody else than
                ``speaker``, or with somebody for whom the caller no longer vouches.
            speaker: Id of the person who speaks, where the caller knows it.
            timezone: Of whoever speaks, for "at nine my time"; the organisation's by default.
            role: ``visitor``, ``employee`` or ``assistant``, where the caller vouches for that: a
                visitor is nobody's colleague, whatever they say, and the others are a person. By
                default it follows from who speaks.

        Raises:
            InputError: The dialogue is about entities that this organisation does not have, there
                is no such role, or it does not go with ``speaker``.
        """
        check_role(role, speaker)
        graph = graph or DialogueGraph()
        identity = graph.user_identity()
        vouched = identity is not None and identity[2].rule == BY_CALLER
        if identity is not None and (speaker != identity[0] if speaker else vouched):
            graph.forget_from(0, None)  # nobody goes on with what was said to somebody else
        kb = self.at_last().kb  # a turn says so where it cannot be reached
        if speaker is not None:
            if speaker not in kb:
                raise InputError(f"{self.kb.name} has nobody with the id {speaker!r}",
                                 remedy="Give the id of one of its people")
            graph.identify_user(speaker, probability=1.0, provenance=Provenance(BY_CALLER))
        if self.calendar is not None:  # what was cancelled since is forgotten
            graph.forget_entities(each for each in graph.entities(EntityType.EVENT)
                                  if each not in kb)
        unknown = [entity for entity in graph.entities() if entity not in kb]
        if unknown:
            raise InputError(f"the dialogue speaks of {unknown[0]!r}, which {self.kb.name} "
                             "does not have", remedy="Go on with the organisation it was held with")
        return Session(self, graph, timezone, role)


@contextmanager
def _unavailable_if_wrong() -> Iterator[None]:
    """A calendar in which something is wrong since it was opened is as good as out of reach.

    Raises:
        CalendarUnavailableError: Something is wrong in it.
    """
    try:
        yield
    except CalendarUnavailableError:
        raise
    except FrontdeskError as error:
        # Its words may have the name of a private event.
        raise CalendarUnavailableError("something is wrong in the calendar", place=error.place,
                                       remedy="frontdesk doctor tells what") from error


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


def load_intents(settings: Settings) -> IntentHead | None:
    """The intent head; None where the encoder is not the one that it was trained with.

    Raises:
        MissingModelError: Its weights cannot be used.
    """
    return load_intent_head() if settings.encoder.name == MiniLMEncoder.name else None


def load_generator(settings: Settings, pack: DomainPack[Any]) -> Generator | None:
    """The generator of the settings' profile; None for templates, the domain's realiser.

    Args:
        settings: With the profile.
        pack: The domain that is talked about.

    Raises:
        UnavailableError: A model or package that the profile needs is missing.
    """
    # All facts are cut where the generator's input ends, not at a number.
    most_facts = sys.maxsize if settings.knowledge.condition == Condition.ALL_FACTS \
        else settings.knowledge.most_facts(pack.most_facts)
    if settings.profile == "godel":
        from frontdesk.generation.voice.seq2seq import Seq2SeqGenerator

        return Seq2SeqGenerator(settings.godel.model, num_beams=settings.godel.beams,
                                max_new_tokens=settings.godel.max_new_tokens,
                                max_facts=most_facts)
    if settings.profile == "openai":
        from frontdesk.generation.voice.openai_client import OpenAIGenerator

        endpoint = settings.openai
        return OpenAIGenerator(endpoint.base_url, endpoint.model,
                               api_key_env=endpoint.api_key_env, timeout_s=endpoint.timeout_s,
                               max_retries=endpoint.max_retries,
                               max_facts=most_facts,
                               log_probabilities=endpoint.log_probabilities)
    if settings.profile == "causal":
        from frontdesk.generation.voice.causal_lm import CausalLMGenerator

        return CausalLMGenerator(settings.causal.model, num_beams=settings.causal.beams,
                                 max_new_tokens=settings.causal.max_new_tokens,
                                 max_facts=most_facts)
    model = settings.embedded.model or pack.weights
    if settings.embedded.words == "templates" or model is None:
        return None
    from frontdesk.generation.voice.embedded import EmbeddedGenerator

    return EmbeddedGenerator(
        model,
        samples=None if settings.embedded.samples < 0 else settings.embedded.samples,
        temperature=settings.embedded.temperature,
        num_beams=settings.embedded.beams, max_new_tokens=settings.embedded.max_new_tokens,
        max_facts=most_facts)


class Session:
    """One dialogue with an agent. Its whole state is the dialogue graph.

    Args:
        agent: Whose components are used.
        graph: The dialogue so far.
        timezone: Of whoever speaks; the organisation's when None.
        role: The role that the caller vouches for, if any.
    """

    def __init__(self, agent: Agent, graph: DialogueGraph,
                 timezone: dt.tzinfo | None = None, role: str | None = None) -> None:
        self.agent, self.graph, self.timezone, self.role = agent, graph, timezone, role
        self._one_at_a_time = threading.Lock()

    def reply(self, utterance: str | Sequence[Hypothesis], *,
              now: dt.datetime | None = None, watch: Watch | None = None,
              hurried: bool = False) -> Reply:
        """Answer an utterance.

        Args:
            utterance: What was typed, or the hypotheses of a speech recogniser, the best first.
            now: Zone-aware present; the agent's clock by default.
            watch: Is told of each stage when it ends; what it raises ends the turn.
            hurried: Others wait: the realiser words the reply, which is faster.

        Raises:
            ValueError: There is no hypothesis, or ``now`` has no time zone.
        """
        turn = self._turn(utterance, now, watch, hurried=hurried)
        with self._all_or_nothing(turn):
            return turn.run()

    async def reply_async(self, utterance: str | Sequence[Hypothesis], *,
                          now: dt.datetime | None = None, watch: Watch | None = None) -> Reply:
        """As :meth:`reply`, in a thread; the turns of a session one after the other.

        Where the task is cancelled, the turn goes on to its end nevertheless.
        """
        def in_order() -> Reply:
            with self._one_at_a_time:
                return self.reply(utterance, now=now, watch=watch)

        return await asyncio.to_thread(in_order)

    def listen(self, utterance: str | Sequence[Hypothesis], *,
               now: dt.datetime | None = None) -> None:
        """Take note of an utterance that is answered elsewhere; see :meth:`say`.

        Raises:
            ValueError: There is no hypothesis, or ``now`` has no time zone.
        """
        turn = self._turn(utterance, now)
        with self._all_or_nothing(turn):
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
        with self._all_or_nothing(turn):
            turn.say()

    def take_back(self, position: int) -> None:
        """Forget the turns from a position on, but not who the user is.

        Args:
            position: Index among the dialogue's turns of the first to go.
        """
        self.graph.forget_from(position, self.graph.user_identity())

    def _turn(self, utterance: str | Sequence[Hypothesis], now: dt.datetime | None,
              watch: Watch | None = None, *, hurried: bool = False) -> Turn:
        hypotheses = [Hypothesis(utterance)] if isinstance(utterance, str) else list(utterance)
        if not hypotheses:
            raise ValueError("a turn needs at least one hypothesis of what was said")
        if now is not None and now.tzinfo is None:
            raise ValueError(f"the present {now} has no time zone")
        present = (now or self.agent.clock()).astimezone(self.agent.kb.timezone)
        return Turn(self.agent, self.graph, hypotheses, present, timezone=self.timezone,
                    role=self.role, watch=watch, hurried=hurried)

    @contextmanager
    def _all_or_nothing(self, turn: Turn) -> Iterator[None]:
        """A turn that fails leaves nothing half-said behind."""
        before, user = len(self.graph.turns), self.graph.user_identity()
        try:
            yield
        except BaseException:
            # Who speaks next may be the one for whom the dialogue was forgotten.
            self.graph.forget_from(0, None) if turn.afresh else self.graph.forget_from(before, user)
            raise
