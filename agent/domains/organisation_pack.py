"""The organisation: the people, groups and rooms of one, and what is in its calendar."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from frontdesk.agent.domains.domain_pack import (
    PACKAGED_WEIGHTS,
    Actions,
    Components,
    DomainPack,
    FactReasoner,
    Linking,
    Loaded,
    Privacy,
    Saved,
    Source,
    linking_circuit,
)
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.settings.thresholds import PACKAGED
from frontdesk.data.datasets.data_set import (
    DataSet,
    Download,
    Evaluation,
    EvaluationDialogue,
    Input,
)
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.schema import ORGANISATION

if TYPE_CHECKING:
    from frontdesk.agent.access.access_rights import Access, View
    from frontdesk.agent.calendars.calendar import Calendar


def load_organisation(*, org: str | None = None, ics: Sequence[Path] = (),
                      people: Path | None = None, graphwoz: str | None = None,
                      now: str | None = None, timezone: str | None = None,
                      house: Sequence[str] = ()) -> Loaded[KnowledgeBase]:
    """Load an organisation; the demo when no source is given.

    Args:
        org: ``demo`` or a JSON file.
        ics: iCalendar files, added to the organisation.
        people: A CSV file of people, added to the organisation.
        graphwoz: ``FILE#DIALOGUE`` of GraphWOZ; goes with no other source.
        now: A fixed present in ISO 8601; without a zone in the organisation's.
        timezone: Of an organisation that does not name its own; else that of the calendars,
            else this machine's.
        house: Files and folders with what the house says of itself, and its rules; ``demo`` for
            the example that comes with frontdesk.

    Raises:
        InputError: A source is missing, malformed or does not go with another.

    Example:
        >>> from frontdesk.agent import load_organisation
        >>> demo = load_organisation(org="demo", now="2026-03-17T10:20", timezone="Europe/Oslo")
        >>> demo.now.isoformat(), len(demo.kb.rooms)
        ('2026-03-17T10:20:00+01:00', 51)
    """
    from frontdesk.agent.domains.load_organisation import house_named, read_organisation

    kb, present, warnings = read_organisation(org, ics, people, graphwoz, now, timezone)
    return Loaded(ORGANISATION_PACK, kb, present, warnings, house_named(house))


def organisation_components(kb: KnowledgeBase, settings: Settings | None = None, *,
                            linking: Linking | str = Linking.RULES) -> Components:
    """The components of a turn about an organisation.

    Args:
        kb: Its people, groups, rooms and events.
        settings: Rules, weights, time limit and what a question is worth; the defaults when not
            given.
        linking: By rules; string equality is a baseline of other domains.

    Raises:
        FormatError: Something is wrong in a file that the settings name.
        InputError: A file that the settings name cannot be read.
        ValueError: There is no such linking here.
    """
    from frontdesk.agent.domains.calendar_answering import AnsweringParts, CalendarAnswering
    from frontdesk.generation.answers.realiser import Realiser
    from frontdesk.generation.checks.graph_check import GraphCheck
    from frontdesk.kg.english.verbalise import Verbaliser
    from frontdesk.kg.names.gazetteer import GazetteerDetector
    from frontdesk.rules.house_rules.rule_files import load_user_rules
    from frontdesk.rules.house_rules.user_facts import UserReasoner
    from frontdesk.rules.linking.form_resolution import FormResolver
    from frontdesk.rules.linking.linking import Linker
    from frontdesk.rules.linking.predicate_questions import PredicateQuestions
    from frontdesk.rules.organisation.calendar_queries import QueryReasoner
    from frontdesk.rules.organisation.organisation_reasoner import Reasoner
    from frontdesk.scoring.encoder import name_embeddings

    if Linking(linking) is not Linking.RULES:
        raise ValueError(f"mentions of an organisation are not linked by {linking!r}")
    settings = settings or Settings()
    rules = load_user_rules(settings.rules.files)
    detector = GazetteerDetector(kb, rules.schema)
    deadline_s = settings.rules.deadline_s or None
    packaged = Reasoner(kb, deadline_s=deadline_s)
    reasoner: FactReasoner = packaged
    if rules.predicates:
        reasoner = UserReasoner(kb, rules, packaged, deadline_s=deadline_s)
    linker = Linker(kb, detector.index, linking_circuit(settings.rules))

    def verbaliser(now: dt.datetime, speaker: str | None) -> Verbaliser:
        return Verbaliser(kb, now, speaker=speaker, schema=rules.schema)

    return Components(
        pack=ORGANISATION_PACK, kb=kb, schema=rules.schema, detector=detector, linker=linker,
        reasoner=reasoner, verbaliser=verbaliser, realiser=Realiser(),
        check=GraphCheck(detector),
        queries=CalendarAnswering(kb, linker, lambda: AnsweringParts(
            FormResolver(kb, detector.index, rules.schema, name_embeddings()),
            QueryReasoner(kb, rules.schema, house_rules=rules.programs,
                          constants=rules.constants, sources=rules.sources,
                          deadline_s=deadline_s), verbaliser),
            (lambda: PredicateQuestions(rules.examples, rules.schema, name_embeddings()))
            if rules.examples else None))


def _summary(kb: KnowledgeBase) -> str:
    return (f"{len(kb.people)} people, {len(kb.groups)} groups, "
            f"{len(kb.bookable_rooms())} meeting rooms, {len(kb.events)} events")


def _examples(kb: KnowledgeBase) -> list[str]:
    """Questions about this organisation, so that a newcomer has something to try."""
    examples = ["Which rooms are free now?"]
    event = next(iter(kb.events.values()), None)
    if event is not None:
        examples.append(f"Where is the {event.name}?")
    group = next(iter(kb.groups.values()), None)
    if group is not None:
        examples.append(f"Who is in the {group.name} group?")
    return examples


def _open_calendar(location: str, kb: KnowledgeBase,
                   clock: Callable[[], dt.datetime]) -> Calendar:
    from frontdesk.agent.calendars.open_calendar import open_calendar

    return open_calendar(location, kb, clock=clock)


def _view(kb: KnowledgeBase, access: Access, user: str | None, certain: bool) -> View:
    return access.view(kb, user, certain=certain)


def _masked(kb: KnowledgeBase) -> frozenset[str]:
    return frozenset(event.id for event in kb.events.values() if event.masked)


def _dump(kb: KnowledgeBase) -> str:
    from frontdesk.kg.sources.import_json import dump_json

    return dump_json(kb)


def _load(text: str) -> KnowledgeBase:
    from frontdesk.kg.sources.import_json import read_json

    return read_json(text, Path("the organisation of the saved dialogue")).build()


def _graphwoz(path: Path, words: Input) -> Sequence[EvaluationDialogue]:
    from frontdesk.agent.domains.load_organisation import graphwoz_dialogues

    return graphwoz_dialogues(path, words)


def _published(name: str) -> Download:
    # HEAD is the default branch, whatever it is called. The second place is the repository of
    # the data set's first author. No checksum is pinned: its files differ in length from
    # another copy of the same data set, so that none of them can be called the official bytes.
    return Download(name, tuple(f"https://raw.githubusercontent.com/{repository}/HEAD/{name}"
                                for repository in ("NorskRegnesentral/GraphWOZ",
                                                   "ntwalker/GraphWOZ")))


GRAPHWOZ = DataSet(
    "graphwoz", "GraphWOZ", load=_graphwoz, heard=True,
    downloads=tuple(_published(f"graphwoz_{split}.json") for split in ("train", "dev", "test")))


ORGANISATION_PACK: DomainPack[KnowledgeBase] = DomainPack(
    name=ORGANISATION.name, schema=ORGANISATION, about="people, groups, rooms and events",
    sources=(
        Source("org", "demo|FILE.json", "the organisation", watched=True),
        Source("ics", "FILE", "calendars (.ics) to add", Path, many=True, watched=True),
        Source("people", "FILE.csv", "people to add", Path, watched=True),
        Source("house", "demo|FILE", "what the house says of itself: documents (.md, .txt, "
               ".toml), rules (.pl), or folders of them", many=True, watched=True),
        Source("graphwoz", "FILE#DIALOGUE",
               "the organisation of a GraphWOZ dialogue, at its time"),
        Source("timezone", "ZONE", "of an organisation that names none, e.g. Europe/Oslo"),
        Source("now", "ISO8601", "a fixed present; without a zone in the organisation's")),
    load=load_organisation, components=organisation_components, summary=_summary,
    examples=_examples, weights=PACKAGED_WEIGHTS / "organisation", thresholds=PACKAGED,
    datasets=(
        GRAPHWOZ,
        DataSet("graphwoz-calendar", "GraphWOZ", Evaluation.CALENDARS,
                "dialogues that arrange something are replayed and their calendars compared",
                load=_graphwoz),
        DataSet("understanding", "utterances with logical forms", Evaluation.FORMS,
                "utterances of --format are parsed and their forms compared with the right ones"),
        DataSet("simulated", "simulated", Evaluation.VISITS,
                "visitors with tasks talk with the agent")),
    people=lambda kb: kb.people, saved=Saved(_dump, _load),
    role="the front desk of an organisation",
    never_invented="a name, a date, a time or a room",
    privacy=Privacy(_view, lambda kb, view: view.of(kb), _masked),
    actions=Actions(_open_calendar, lambda kb: kb,
                    about="Have meetings booked, moved and cancelled",
                    example="Please book a meeting tomorrow at ten"))
