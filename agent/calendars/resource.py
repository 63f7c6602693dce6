"""The components of one UID: an event with all its recurrences, as a calendar file has them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from frontdesk.kg.graph.changes import same_event, with_events
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.content_lines import Block, Line, join
from frontdesk.kg.sources.icalendar_component import instant, problem_of, uid_of
from frontdesk.kg.sources.icalendar_event import read_event
from frontdesk.kg.sources.icalendar_expand import Occurrence
from frontdesk.kg.sources.icalendar_series import align, newest
from frontdesk.kg.sources.icalendar_text import READING, Problems, unescape
from frontdesk.kg.sources.icalendar_zones import Zones
from frontdesk.kg.sources.import_icalendar import read_icalendar
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

Window = tuple[dt.date, dt.date]


class Resource:
    """All VEVENT components that share a UID, and the calendar that they stand in.

    Args:
        calendar: The VCALENDAR; changes of the components are made in it.
        place: Named by errors.
        kb: The organisation, to find the people and rooms that the components name.
        window: The days of which events are read.
    """

    def __init__(self, calendar: Block, blocks: list[Block], place: str, kb: KnowledgeBase,
                 window: Window) -> None:
        self.calendar, self.blocks, self.place = calendar, blocks, place
        self.kb, self.window = kb, window
        self._parsed: tuple[bytes, list[Any]] | None = None

    @classmethod
    def of(cls, calendar: Block, uid: str, place: str, kb: KnowledgeBase,
           window: Window) -> Resource | None:
        """The components of a UID in a VCALENDAR; None when there are none."""
        blocks = calendar.blocks("VEVENT")
        named = [block for block in blocks if _uid(block) == uid]
        # Events without a UID are known by what the importer calls them.
        candidates = cls(calendar, named or [block for block in blocks if not block.lines("UID")],
                         place, kb, window)
        found = [block for block, component in candidates.components()
                 if problem_of(component, kb.timezone) is None and uid_of(component) == uid]
        return cls(calendar, found, place, kb, window) if found else None

    def add(self, block: Block) -> None:
        """Put one more component behind those of the calendar."""
        self.calendar.parts.append(block)
        self.blocks.append(block)

    def components(self) -> list[tuple[Block, Any]]:
        """The components, each with what is read in it."""
        data = self._bytes()
        if self._parsed is None or self._parsed[0] != data:
            problems = Problems(self.place)
            zones = Zones(self.calendar, problems)
            found = [read_event(block, zones, problems) for block in self.blocks]
            align([each for each in found if problem_of(each, self.kb.timezone) is None])
            self._parsed = data, found
        return list(zip(self.blocks, self._parsed[1], strict=True))

    def master(self) -> tuple[Block, Any] | None:
        """The component that says when the event recurs; None where only overrides are there."""
        series = [(block, component) for block, component in self.components()
                  if "RECURRENCE-ID" not in component]
        counting = newest([component for _, component in series], self.kb.timezone)
        return next((each for each in series if each[1] is counting[0]), None)

    def override(self, due: dt.date) -> tuple[Block, Any] | None:
        """The component of one occurrence; None for one that is as the master says."""
        zone = self.kb.timezone
        return next(((block, component) for block, component in self.components()
                     if "RECURRENCE-ID" in component and instant(
                         component["RECURRENCE-ID"].dt, _zone_of(component) or zone)
                     == instant(due, zone)), None)

    def events(self) -> Mapping[str, Event]:
        """What is read from the components."""
        return self._read()[0].events

    def occurrences(self) -> list[Occurrence]:
        """Where in the components each event is read, cancelled ones included."""
        return self._read()[1]

    def says(self, expected: Mapping[str, Event]) -> bool:
        """Whether exactly these events are read from the components."""
        try:
            found = self.events()
        except READING:
            return False
        return found.keys() == expected.keys() and all(
            same_event(found[each], expected[each]) for each in found)

    def _read(self) -> tuple[OrganisationBuilder, list[Occurrence]]:
        builder = OrganisationBuilder.from_knowledge_base(with_events(self.kb, ()))
        return builder, read_icalendar(self._bytes(), self.place, builder, self.window)

    def _bytes(self) -> bytes:
        """A calendar of these components alone, with the time zones that they need."""
        parts = [part for part in self.calendar.parts
                 if isinstance(part, Line) or part.name == "VTIMEZONE"]
        end = self.calendar.end.raw if self.calendar.end else b"END:VCALENDAR\r\n"
        return self.calendar.begin.raw + join([*parts, *self.blocks]) + end


def _zone_of(component: Any) -> dt.tzinfo | None:
    start = getattr(component.get("DTSTART"), "dt", None)
    return start.tzinfo if isinstance(start, dt.datetime) else None


def _uid(block: Block) -> str:
    text = next((line.value for line in block.lines("UID")), "")
    return unescape(text).strip()
