"""Reads the organisation that a command is about from its sources."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from frontdesk.agent.domains.present_time import fixed_present, zone_named
from frontdesk.data.datasets.data_set import EvaluationDialogue, EvaluationTurn, Input
from frontdesk.data.datasets.graphwoz import Dialogue, load_dialogue, load_graphwoz
from frontdesk.data.invented.simulate import demo_organisation
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.schema import ORGANISATION
from frontdesk.kg.sources.house_documents import HouseDocuments, read_house
from frontdesk.kg.sources.import_csv import load_csv
from frontdesk.kg.sources.import_icalendar import calendar_timezone, load_icalendar
from frontdesk.kg.sources.import_json import load_json
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

DEMO = "demo"
_DEMO_HOUSE = Path(str(files("frontdesk.data.invented"))) / "demo_house.md"


def read_organisation(org: str | None, ics: Sequence[Path], people: Path | None,
                      graphwoz: str | None, now: str | None, timezone: str | None
                      ) -> tuple[KnowledgeBase, dt.datetime | None, tuple[str, ...]]:
    """Read an organisation from its sources, see
    :func:`frontdesk.agent.domains.organisation_pack.load_organisation`.

    Returns:
        Its knowledge base, a fixed present if there is one, and what was left out, in words.

    Raises:
        InputError: A source is missing, malformed or does not go with another.
    """
    if graphwoz is not None:
        if org or ics or people:
            raise InputError("--graphwoz brings its own organisation",
                             remedy="Leave out --org, --ics and --people")
        path, _, dialogue = graphwoz.rpartition("#")
        if not path or not dialogue:
            raise InputError(f"--graphwoz {graphwoz!r} names no dialogue",
                             remedy="Write FILE#DIALOGUE, e.g. graphwoz_dev.json#DIALOGUE_8")
        loaded = load_dialogue(path, dialogue)
        kb = loaded.knowledge_base
        return kb, fixed_present(now, kb.timezone) or loaded.now, ()
    builder = _builder(org, ics, people, now, timezone)
    if builder is None:
        zone = zone_named(timezone)
        moment = fixed_present(now, zone)
        return demo_organisation(moment or dt.datetime.now(zone), timezone=zone), moment, ()
    moment = fixed_present(now, builder.timezone)
    if people is not None:
        load_csv(people, builder)
    for path_ in ics:
        load_icalendar(path_, builder, now=moment or dt.datetime.now(builder.timezone))
    builder.offer_assumed_rooms()
    return builder.build(), moment, tuple(builder.warnings)


def house_named(names: Sequence[str]) -> HouseDocuments:
    """The house documents of some names, files or folders; that of the demo by its name.

    Raises:
        FormatError: See :func:`~frontdesk.kg.sources.house_documents.read_house`.
    """
    return read_house([_DEMO_HOUSE if each == DEMO else each for each in names])


def _builder(org: str | None, ics: Sequence[Path], people: Path | None, now: str | None,
             timezone: str | None) -> OrganisationBuilder | None:
    """The organisation to add calendars and people to; None for the plain demo."""
    if org is not None and org != DEMO:
        if timezone is not None:
            raise InputError(f"{org} names its own time zone", remedy="Leave out --timezone")
        return load_json(Path(org))
    if org is None and (ics or people):
        zone = None if timezone else next(
            (found for path in ics if (found := calendar_timezone(path))), None)
        return OrganisationBuilder("organisation", zone or zone_named(timezone))
    if ics or people:
        zone = zone_named(timezone)
        kb = demo_organisation(fixed_present(now, zone) or dt.datetime.now(zone), timezone=zone)
        return OrganisationBuilder.from_knowledge_base(kb)
    return None


def graphwoz_dialogues(path: Path, words: Input) -> list[EvaluationDialogue]:
    """The dialogues of a file of GraphWOZ, each with its organisation.

    Args:
        path: The file, plain or compressed with gzip.
        words: What the user is taken to have said; the other where there is none.

    Raises:
        FormatError: The file cannot be read.
    """
    return [EvaluationDialogue(each.id, "graphwoz", ORGANISATION.name, tuple(_turns(each, words)),
                               each.knowledge_base, each.now, annotated=each, defects=each.defects)
            for each in load_graphwoz(path).values()]


def _turns(dialogue: Dialogue, words: Input) -> Iterator[EvaluationTurn]:
    for turn in dialogue.turns:
        written = (Hypothesis(turn.transcription),) if turn.transcription else ()
        heard = turn.hypotheses
        said = (heard or written) if words == "asr" else (written or heard)
        yield EvaluationTurn(turn.number, said or (Hypothesis(""),), turn.response, turn.started)
