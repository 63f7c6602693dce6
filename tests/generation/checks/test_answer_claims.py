"""Words of answers that are so and looked like contradictions, beside words that are not so."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.generation.checks.graph_check import GraphCheck, Verdict
from frontdesk.kg.english.verbalise import Verbaliser, event_window
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.schema import ORGANISATION
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.scoring.ranked_fact import RankedFact

ZONE = ZoneInfo("UTC")


def at(hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 3, 2, hour, minute, tzinfo=ZONE)


NOW = at(9)
KB = KnowledgeBase(
    name="F", timezone=ZONE, rooms=[Room("r1", "Beta"), Room("r2", "Rowan")],
    people=[Person("ines", "Ines Okafor"), Person("bo", "Bo Haraldsen")],
    events=[Event("e1", "lens workshop", at(10), at(11), "r2", "ines", ("ines",)),
            Event("e2", "glue review", at(12), at(13), "r1", "bo", ("ines", "bo"))])
MORNING = Window(at(9), at(14), WindowKind.SPAN)
BUSY = Fact("person_busy", ("ines", MORNING, ("e1", "e2")))
WORKSHOP = Fact("takes_place", ("e1", event_window(KB.events["e1"])))


ALONE = Fact("person_busy", ("ines", Window(at(10), at(10), WindowKind.INSTANT), ("e1",)))
PLACE = Fact("location", ("e1", "r2"))
REVIEW = Fact("takes_place", ("e2", event_window(KB.events["e2"])))


def contradicted(text: str, *facts: Fact, about: str = "ines") -> bool:
    verbaliser = Verbaliser(KB, NOW)
    used = [RankedFact(each, verbaliser.say(each), 1.0) for each in facts]
    verdict = GraphCheck(GazetteerDetector(KB, ORGANISATION)).check(
        text, used, now=NOW, spoken_of=[about], asked=[MORNING])
    return verdict.verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize(("so", "not_so", "facts", "about"), [
    # The time that is asked about is not that of what is found in it.
    ("There are two meetings from 9:00 to 14:00: the lens workshop from 10:00 to 11:00 and the "
     "glue review from 12:00 to 13:00.",
     "The lens workshop is from 9:00 to 14:00.", (BUSY, WORKSHOP), "e1"),
    # Of a time that is not free some is.
    ("No, Ines Okafor has the lens workshop from 10:00 to 11:00 and the glue review from 12:00 to "
     "13:00; free from 9:00 to 10:00 and from 11:00 to 12:00.",
     "No, Ines Okafor has the lens workshop from 10:00 to 11:00; free from 12:00 to 13:00.",
     (BUSY,), "ines"),
    ("No, she has the lens workshop from 10:00 to 11:00; free from 9:00 to 10:00.",
     "No, she has the lens workshop from 10:00 to 11:00; free from 12:00 to 13:00.",
     (BUSY,), "ines"),
    # An event's own time that stands in no fact in use.
    ("The lens workshop is earlier: from 10:00 to 11:00; the glue review is from 12:00 to 13:00.",
     "The lens workshop is earlier: from 10:00 to 11:00; the glue review is from 15:00 to 16:00.",
     (WORKSHOP,), "e1"),
    # A pronoun means whom it is about, not the event that is told beside.
    ("No, you are busy until 11:00, at the lens workshop.",
     "No, you are busy until 15:00, at the glue review, and free at 10:30.", (ALONE,), "ines"),
    ("She is busy today from 10:00 to 11:00 and from 12:00 to 13:00.",
     "She is busy today from 10:00 to 11:00 and free from 12:00 to 13:00.",
     (WORKSHOP, REVIEW, BUSY), "ines"),
    # Somebody is at one event after the other, each in its room.
    ("Yes, today you are in Rowan, at the lens workshop from 10:00 to 11:00, and in Beta, at the "
     "glue review from 12:00 to 13:00.",
     "Yes, today you are in Beta, at the lens workshop from 10:00 to 11:00, and in Rowan, at the "
     "glue review from 12:00 to 13:00.", (PLACE, WORKSHOP, BUSY), "ines"),
    # Nobody is yet at what comes later.
    ("Nobody is attending the lens workshop now.", "Nobody is attending the lens workshop.",
     (WORKSHOP,), "e1")])
def test_what_is_so_is_no_contradiction_and_what_is_not_is(so, not_so, facts, about):
    assert not contradicted(so, *facts, about=about)
    assert contradicted(not_so, *facts, about=about)
