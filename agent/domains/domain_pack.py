"""A domain is a pack: all that is particular to what is talked about, behind one set of names.

The stages of a turn are the same whether an organisation's calendar or something else is talked
about. What is in the graph, where it is read from, how it is said, linked, reasoned over, checked
and changed is the pack's.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from frontdesk.agent.settings.settings import RuleSettings, Settings
from frontdesk.agent.settings.thresholds import Thresholds, load_thresholds
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.schema import Schema
from frontdesk.kg.graph.windows import Window
from frontdesk.kg.sources.house_documents import HouseDocuments

if TYPE_CHECKING:
    from frontdesk.agent.access.access_rights import Access, View
    from frontdesk.agent.calendars.calendar import Calendar
    from frontdesk.agent.domains.query_answering import QueryAnswering
    from frontdesk.data.datasets.data_set import DataSet
    from frontdesk.generation.checks.graph_check import GraphVerdict
    from frontdesk.generation.voice.generator import Generator
    from frontdesk.kg.english.verbalise import FactVerbaliser
    from frontdesk.kg.graph.dialogue_graph import DialogueGraph
    from frontdesk.kg.graph.entities import Person
    from frontdesk.kg.graph.knowledge_base import KnowledgeBase
    from frontdesk.kg.graph.mentions import MentionDetector, Observation
    from frontdesk.rules.engine.derived import Derived
    from frontdesk.rules.engine.goal import Goal
    from frontdesk.rules.linking.circuit import LinkingCircuit
    from frontdesk.rules.linking.link_proofs import LinkProver
    from frontdesk.rules.linking.linked import LinkedTurn
    from frontdesk.scoring.ranked_fact import RankedFact

#: The folder with the folders of weights of embedded generators that come with frontdesk.
PACKAGED_WEIGHTS = Path(str(files("frontdesk.generation.voice.pointer"))) / "trained"
GraphT = TypeVar("GraphT", bound=KnowledgeGraph)
InputT = TypeVar("InputT", bound=KnowledgeGraph, contravariant=True)


class EntityLinker(Protocol):
    """Links mentions; see :class:`frontdesk.rules.linking.linking.Linker`."""

    def link(self, graph: DialogueGraph, turn: str, observation: Observation,
             nodes: Sequence[str], *, now: dt.datetime,
             chosen: Mapping[int, str] | None = None) -> LinkedTurn:
        """What the mentions of a turn refer to, those by position that the user chose among it."""
        ...

    def saliency(self, graph: DialogueGraph, turn: str) -> dict[str, float]:
        """How present the entities of the turns before are, each in (0, 1]."""
        ...

    def prover(self) -> LinkProver:
        """What tells why mentions were linked."""
        ...


class FactReasoner(Protocol):
    """Derives facts; see :class:`frontdesk.rules.organisation.organisation_reasoner.Reasoner`."""

    def derive(self, goal: Goal, *, now: dt.datetime) -> Derived:
        """The derived facts for a goal, what was left out, and proofs."""
        ...


class ReplyCheck(Protocol):
    """Checks replies; see :class:`frontdesk.generation.checks.graph_check.GraphCheck`."""

    def check(self, reply: str, used: Sequence[RankedFact], *, now: dt.datetime,
              said: str = "", earlier: str = "", spoken_of: Collection[str] = (),
              asked: Collection[Window] = ()) -> GraphVerdict:
        """The graph's verdict on a reply."""
        ...


class Linking(StrEnum):
    """How mentions are found and linked."""

    RULES = "rules"     # in full, in part, by other words and pronouns, by linking.pl
    STRING = "string"   # by string equality alone, as the paper does for KVRET


@dataclass(frozen=True)
class Components:
    """The components of a turn that depend on what is talked about.

    Args:
        schema: The predicates of stored and derived facts.
        verbaliser: Makes what says facts, from the present and the id of the person to address.
        realiser: Words replies without a model.
        queries: Answers logical forms; None where questions are understood by their words alone.
    """

    pack: DomainPack[Any]
    kb: KnowledgeGraph
    schema: Schema
    detector: MentionDetector
    linker: EntityLinker
    reasoner: FactReasoner
    verbaliser: Callable[[dt.datetime, str | None], FactVerbaliser]
    realiser: Generator
    check: ReplyCheck
    queries: QueryAnswering | None = None


@dataclass(frozen=True)
class Source:
    """Where a domain can be read from: an option of the commands that talk about it.

    Args:
        name: Of the option, without its dashes; the loader's argument.
        type: ``str`` or ``Path``.
        many: It may be given several times.
        watched: It names files that may change while they are served.
    """

    name: str
    metavar: str
    help: str
    type: type[str] | type[Path] = str
    many: bool = False
    watched: bool = False


@dataclass(frozen=True)
class Loaded(Generic[GraphT]):
    """A domain ready to be asked about.

    Args:
        now: A fixed present, zone-aware; None when time goes on by itself.
        warnings: What was left out of the sources, in words.
        house: What the house says of itself, and its rules.
    """

    pack: DomainPack[GraphT]
    kb: GraphT
    now: dt.datetime | None = None
    warnings: tuple[str, ...] = ()
    house: HouseDocuments = field(default_factory=HouseDocuments)


@dataclass(frozen=True)
class Actions(Generic[GraphT]):
    """What can be changed.

    Args:
        open_calendar: Opens the calendar at a location, empty for one in memory, by a clock.
        bookable: The people, groups, rooms and events of a graph that a calendar is about.
        about: What may be asked for.
    """

    open_calendar: Callable[[str, GraphT, Callable[[], dt.datetime]], Calendar]
    bookable: Callable[[GraphT], KnowledgeBase]
    about: str
    example: str


@dataclass(frozen=True)
class Privacy(Generic[GraphT]):
    """What may be told to whom.

    Args:
        view: What somebody may be told of a graph, by the rights and by who it is: the id of the
            person, None for somebody unknown, and whether the caller vouches for that.
        part: A graph as far as it may be told.
        masked: Ids of what stands in a part for what is hidden.
    """

    view: Callable[[GraphT, Access, str | None, bool], View]
    part: Callable[[GraphT, View], GraphT]
    masked: Callable[[GraphT], frozenset[str]]


@dataclass(frozen=True)
class Saved(Generic[GraphT]):
    """How what is known is written into saved dialogues and read back.

    Args:
        dump: Writes it as JSON.
        load: Reads what ``dump`` wrote; an InputError where it is something else.
    """

    dump: Callable[[GraphT], str]
    load: Callable[[str], GraphT]


class MakeComponents(Protocol[InputT]):
    """Makes the components of a turn."""

    def __call__(self, kb: InputT, settings: Settings | None = None, *,
                 linking: Linking | str = Linking.RULES) -> Components:
        """The components over a graph.

        Args:
            settings: Of the components; the defaults when not given.

        Raises:
            FormatError: Something is wrong in a file that the settings name.
            InputError: A file that the settings name cannot be read.
            ValueError: There is no such linking.
        """
        ...


@dataclass(frozen=True)
class DomainPack(Generic[GraphT]):
    """All that is particular to a domain.

    Args:
        name: As users name it, that of its schema.
        about: What can be asked about, as in ``people, groups, rooms and events``.
        sources: Options that say where it is read from.
        load: Reads it: takes the sources by their names, all optional.
        summary: What is known, in a line.
        examples: Questions that can be asked, one at least.
        most_facts: How many of the most relevant facts reach the generator, where the settings do
            not say.
        weights: The folder of its embedded generator; None has replies worded in templates.
        thresholds: The file with its calibrated thresholds; None does without.
        datasets: Data sets about it for ``frontdesk evaluate``, the usual first.
        actions: What can be changed; None where nothing can.
        privacy: What may be told to whom; None where anybody may be told everything.
        people: Those who may speak, by id; None where nobody is known.
        saved: How it stands in saved dialogues; None where they cannot be saved.
        role: Who answers, as chat models are told it.
        never_invented: What chat models are told never to invent.
    """

    name: str
    schema: Schema
    about: str
    sources: tuple[Source, ...]
    load: Callable[..., Loaded[GraphT]]
    components: MakeComponents[GraphT]
    summary: Callable[[GraphT], str]
    examples: Callable[[GraphT], Sequence[str]]
    most_facts: int = 10
    weights: Path | None = None
    thresholds: Path | None = None
    datasets: tuple[DataSet, ...] = ()
    actions: Actions[GraphT] | None = None
    privacy: Privacy[GraphT] | None = None
    people: Callable[[GraphT], Mapping[str, Person]] | None = None
    saved: Saved[GraphT] | None = None
    role: str = "an assistant"
    never_invented: str = "a name, a date or a time"

    @property
    def chat_instruction(self) -> str:
        """The rules for a chat model that words replies."""
        from frontdesk.generation.voice.prompt import chat_instruction

        return chat_instruction(self.role, self.never_invented)

    def load_thresholds(self, settings: Settings) -> Thresholds:
        """The thresholds of the file that the settings name, else of the pack's.

        Raises:
            InputError: The file cannot be read, or has nothing for the domain.
            FormatError: It is no file of thresholds.
        """
        path = settings.check.thresholds or self.thresholds
        return load_thresholds(self.name, Path(path)) if path else Thresholds()


def linking_circuit(settings: RuleSettings) -> LinkingCircuit:
    """The linking rules with the weights of the settings; shared while their files stay the same.

    Raises:
        FormatError: Something is wrong in a file.
        InputError: The file of weights cannot be read.
    """
    from frontdesk.rules.linking.linking_program import packaged_weights

    weights = Path(settings.linking_weights) if settings.linking_weights else packaged_weights()
    files = (weights, packaged_weights().with_name("linking.pl"))
    changed = tuple(file.stat().st_mtime_ns for file in files if file.exists())
    return _circuit(settings.linking_weights, changed)


@lru_cache(maxsize=8)
def _circuit(weights: str, _changed: tuple[int, ...]) -> LinkingCircuit:
    from frontdesk.rules.linking.circuit import LinkingCircuit

    return LinkingCircuit(weights=Path(weights) if weights else None)
