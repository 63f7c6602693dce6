"""The agent and its dialogues: one turn after another, through the stages of
:mod:`frontdesk.agent.turn.pipeline`.

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
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from frontdesk.agent.access.access_rights import BY_CALLER, Access, check_role
from frontdesk.agent.calendars.calendar import Calendar
from frontdesk.agent.domains.domain_pack import Components, DomainPack
from frontdesk.agent.domains.domain_registry import DEFAULT
from frontdesk.agent.domains.visible_domain import DomainSnapshot, DomainSource, VisibleDomain
from frontdesk.agent.sessions.load_components import (
    load_encoder,
    load_generator,
    load_meaning,
    load_relevance,
    with_house,
)
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.turn.faithfulness import Faithfulness
from frontdesk.agent.turn.pipeline import SharedComponents, Stage, Watch, pipeline, run_stages, upto
from frontdesk.agent.turn.remember_reply import note_reply
from frontdesk.agent.turn.reply import Reply
from frontdesk.agent.turn.reply_of_turn import reply_of
from frontdesk.agent.turn.turn_state import TurnInputs, TurnState
from frontdesk.generation.voice.generator import Generator
from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.sources.house_documents import HouseDocuments, Passage
from frontdesk.scoring.encoder import SentenceEncoder
from frontdesk.scoring.passages import HousePassages
from frontdesk.scoring.relevance import RelevanceRanker

Clock = Callable[[], dt.datetime]
#: Makes the stages of a turn from what they need.
MakeStages = Callable[[SharedComponents, DomainSource], Sequence[Stage]]


def random_id() -> str:
    """An id that no other transaction has."""
    return uuid.uuid4().hex


def system_clock() -> dt.datetime:
    """The present in UTC."""
    return dt.datetime.now(dt.UTC)


class Agent:
    """Talks about one domain, an organisation as a rule; starts sessions that share its components.

    Args:
        subject: What is known of what is talked about, or the components over it.
        settings: Profile and its components; the packaged defaults when not given.
        pack: The domain of what is known; components name their own.
        clock: Tells the time; the system's by default.
        generator: Words the replies; the profile's by default.
        encoder: Sentence encoder to share with other agents; the settings' by default.
        stand_in: Whether the realiser stands in for a generator that does not answer, as it must
            for users. An evaluation would measure the wrong system then; without, the turn fails.
        calendar: What is booked, moved and cancelled in; one in memory by default, that ends with
            the agent. Its events take the place of the organisation's.
        new_id: Makes ids of transactions, each another one; random ones by default.
        stages: Makes the stages of a turn; those of frontdesk by default.
        house: What the house says of itself beside the documents that the settings name.

    Attributes:
        components: What the stages of all turns share; another one counts from the next turn on.
        source: What is talked about, with the calendar.
        access: Decides who may be told what.

    Raises:
        UnavailableError: A model or package that the profile needs is missing.
        FormatError: Something is wrong in a house document of the settings.
        InputError: A rule file of the settings cannot be read, or something is wrong in it.
    """

    def __init__(self, subject: KnowledgeGraph | Components, settings: Settings | None = None, *,
                 pack: DomainPack[Any] = DEFAULT, clock: Clock = system_clock,
                 generator: Generator | None = None,
                 encoder: SentenceEncoder | None = None, stand_in: bool = True,
                 calendar: Calendar | None = None, new_id: Callable[[], str] = random_id,
                 stages: MakeStages = pipeline, house: HouseDocuments | None = None) -> None:
        self.settings, passages = with_house(settings or Settings(), house or HouseDocuments())
        self.clock = clock
        self.access, self._make_stages = Access(self.settings.access), stages
        self.source = _source(subject, pack, self.settings, calendar, self.clock)
        self.components = _components(self.domain, self.settings, generator, encoder, passages,
                                      acts=self.calendar is not None, stand_in=stand_in,
                                      new_id=new_id)

    @property
    def calendar(self) -> Calendar | None:
        """What is booked, moved and cancelled in; None where nothing is."""
        return self.source.calendar

    @property
    def domain(self) -> Components:
        """What is talked about, as it was when it was last looked at."""
        return self.source.latest.domain

    @property
    def kb(self) -> KnowledgeGraph:
        """The entities and stored facts, as they were when they were last looked at."""
        return self.domain.kb

    def stages(self, components: SharedComponents | None = None) -> Sequence[Stage]:
        """The stages of a turn, in order.

        Args:
            components: What they share; those of the agent by default.
        """
        return self._make_stages(components or self.components, self.source)

    def refresh(self, *, anew: bool = False) -> DomainSnapshot:
        """What is talked about with the calendar as it is now.

        Args:
            anew: The calendar has just answered: it is asked even if it did not a moment ago.

        Raises:
            CalendarUnavailableError: The calendar cannot be reached or read, or could not be a
                moment ago.
        """
        return self.source.refresh(anew=anew)

    def at_last(self) -> DomainSnapshot:
        """As :meth:`refresh`, or as the calendar was when it was last reached."""
        return self.source.at_last()

    def viewed_by(self, user: str | None, *, certain: bool, role: str | None = None
                  ) -> VisibleDomain:
        """What somebody may be told, with the calendar as it is, or was when it was last reached.

        Args:
            user: Id of the person; None for somebody unknown.
            certain: The caller vouches for who it is.
            role: The role that the caller vouches for; None where it follows from who it is.
        """
        return self.at_last().viewed_by(user, self.access.as_certified(role), certain=certain)

    def without_actions(self) -> Agent:
        """An agent that knows as much, answers in templates and changes nothing."""
        alone = copy.copy(self)
        alone.components = replace(self.components, generator=self.components.realiser)
        alone.source = self.source.without_calendar()
        return alone

    def close(self) -> None:
        """Let go of the calendar."""
        if self.calendar is not None:
            self.calendar.close()

    def session(self, graph: DialogueGraph | None = None, *, speaker: str | None = None,
                timezone: dt.tzinfo | None = None, role: str | None = None,
                id_: str | None = None) -> Session:
        """A new dialogue, or one to go on with.

        Args:
            graph: The dialogue so far; forgotten where it was held with somebody else than
                ``speaker``, or with somebody for whom the caller no longer vouches.
            speaker: Id of the person who speaks, where the caller knows it.
            timezone: Of whoever speaks, for "at nine my time"; the organisation's by default.
            role: ``visitor``, ``employee`` or ``assistant``, where the caller vouches for that: a
                visitor is nobody's colleague, whatever they say, and the others are a person. By
                default it follows from who speaks.
            id_: By which people are told of the dialogue; a random one by default. Empty for one
                that is not kept: in it nobody is told of anything.

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
        return Session(self, graph, timezone, role, random_id() if id_ is None else id_)


def _source(subject: KnowledgeGraph | Components, pack: DomainPack[Any], settings: Settings,
            calendar: Calendar | None, clock: Clock) -> DomainSource:
    """What is talked about, with the calendar in which it is changed."""
    made = subject if isinstance(subject, Components) else None
    pack = made.pack if made is not None else pack
    make = partial(pack.components, settings=settings)
    if calendar is None and made is None and pack.actions and settings.actions.enabled:
        calendar = pack.actions.open_calendar("", subject, clock)
    if calendar is not None:
        state = calendar.state()
        return DomainSource(DomainSnapshot(make(state.kb), make, state.version), make, calendar)
    return DomainSource(DomainSnapshot(made or make(subject), make), make)


def _components(domain: Components, settings: Settings, generator: Generator | None,
                encoder: SentenceEncoder | None, house: Sequence[Passage], *, acts: bool,
                stand_in: bool, new_id: Callable[[], str]) -> SharedComponents:
    """What the stages of all turns share, as the settings name it."""
    encoder = encoder or load_encoder(settings)
    ranker = RelevanceRanker(encoder, load_relevance(settings), schema=domain.schema)
    generator = generator or load_generator(settings, domain.pack) or domain.realiser
    return SharedComponents(
        settings, encoder, ranker, generator, domain.realiser,
        Faithfulness(domain.kb, generator, settings.check),
        domain.pack.load_thresholds(settings),
        load_meaning(settings.understanding.parser, domain.pack.schema)
        if domain.queries is not None else None,
        stand_in, new_id, HousePassages(house, encoder, settings.house.least) if house else None)


class Session:
    """One dialogue with an agent. Its whole state is the dialogue graph.

    Args:
        timezone: Of whoever speaks; the organisation's when None.
        role: The role that the caller vouches for, if any.
        id_: By which people are told of the dialogue; empty where they are not.
    """

    def __init__(self, agent: Agent, graph: DialogueGraph, timezone: dt.tzinfo | None = None,
                 role: str | None = None, id_: str = "") -> None:
        self.agent, self.graph, self.timezone, self.role = agent, graph, timezone, role
        self.id = id_
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
        state, components = self._state(utterance, now, hurried=hurried), self.agent.components
        with self._all_or_nothing(state):
            run_stages(self.agent.stages(components), state, watch)
            return reply_of(state, components.faithfulness)

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
        state = self._state(utterance, now)
        with self._all_or_nothing(state):
            run_stages(upto(self.agent.stages(), "link"), state)
            state.inputs.dialogue.set_forms(state.parsed.turn, state.parsed.meaning.noted)

    def say(self, text: str, *, now: dt.datetime | None = None) -> None:
        """Take note of a reply that somebody else gave in the agent's place.

        What it mentions is salient afterwards, as with the agent's own replies.

        Args:
            now: Zone-aware present; the agent's clock by default.

        Raises:
            ValueError: ``now`` has no time zone.
        """
        state = self._state(text, now)
        with self._all_or_nothing(state):
            run_stages(upto(self.agent.stages(), "refresh"), state)
            note_reply(state)

    def take_back(self, position: int) -> None:
        """Forget the turns from a position on, but not who the user is.

        Args:
            position: Index among the dialogue's turns of the first to go.
        """
        self.graph.forget_from(position, self.graph.user_identity())

    def _state(self, utterance: str | Sequence[Hypothesis], now: dt.datetime | None, *,
               hurried: bool = False) -> TurnState:
        hypotheses = [Hypothesis(utterance)] if isinstance(utterance, str) else list(utterance)
        if not hypotheses:
            raise ValueError("a turn needs at least one hypothesis of what was said")
        if now is not None and now.tzinfo is None:
            raise ValueError(f"the present {now} has no time zone")
        present = (now or self.agent.clock()).astimezone(self.agent.kb.timezone)
        access = self.agent.access.as_certified(self.role)
        return TurnState(TurnInputs(self.graph, hypotheses, present, access, self.timezone,
                                    hurried=hurried, session=self.id))

    @contextmanager
    def _all_or_nothing(self, state: TurnState) -> Iterator[None]:
        """A turn that fails leaves nothing half-said behind."""
        before, user = len(self.graph.turns), self.graph.user_identity()
        try:
            yield
        except BaseException:
            # Who speaks next may be the one for whom the dialogue was forgotten.
            self.graph.forget_from(*(0, None) if state.afresh else (before, user))
            raise
