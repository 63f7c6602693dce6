"""Makes the changes of a transaction in the components of one event, single or recurring."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from frontdesk.agent.calendars.resource import Resource
from frontdesk.agent.calendars.series import change_all
from frontdesk.agent.calendars.vevent_lines import EventLines, line, stamp
from frontdesk.kg.graph.changes import EventChange, Transaction, same_event
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.sources.content_lines import Block, Line
from frontdesk.kg.sources.icalendar_component import is_excluded, uid_of
from frontdesk.kg.sources.icalendar_expand import Occurrence
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

_ALL_FIELDS = ("name", "start", "end", "location", "also_in", "organizer", "attendees", "group",
               "private")
_CANCELLED = b"STATUS:CANCELLED"
#: What only the component that recurs has.
_OF_THE_MASTER = ("RRULE", "RDATE", "EXDATE", "EXRULE", "X-FRONTDESK-MOVED")


def new_block(uid: str, line_end: bytes) -> Block:
    """A VEVENT with nothing but a UID."""
    block = Block("VEVENT", Line(b"BEGIN:VEVENT" + line_end), [],
                  Line(b"END:VEVENT" + line_end))
    block.put("UID", line("UID", uid))
    return block


class ResourceEdit:
    """Changes the components of one event."""

    def __init__(self, resource: Resource, transaction: Transaction) -> None:
        self.resource, self.transaction = resource, transaction
        self.lines = EventLines(OrganisationBuilder.from_knowledge_base(resource.kb))
        self.is_new = not resource.blocks[0].lines("DTSTART")
        self.occurrences: dict[str, Occurrence] = {}
        if not self.is_new:
            for found in resource.occurrences():
                if not found.cancelled or found.event not in self.occurrences:
                    self.occurrences[found.event] = found

    def make(self, changes: Sequence[EventChange]) -> None:
        """Make changes, each of another occurrence.

        Raises:
            InputError: The components cannot say what is wanted.
        """
        expected = {} if self.is_new else dict(self.resource.events())
        for change in changes:
            expected.pop(change.event.id, None)
            if change.after is not None:
                expected[change.event.id] = change.after
        saved = [(block, block.copy()) for block in self.resource.blocks]
        for block, component in self.resource.components() if not self.is_new else ():
            if not block.lines("UID"):  # what the event is known by must not change with it
                block.put("UID", line("UID", uid_of(component)))
        if not self._make_all(changes) or not self.resource.says(expected):
            self._restore(saved)
            for change in changes:
                self._make_one(change)
        if not self.resource.says(expected):
            raise InputError(
                f"the event {changes[0].event.name!r} cannot be written as it is to be",
                place=self.resource.place,
                remedy="Change it with the program that made it")
        self._stamp(saved)

    def _restore(self, saved: list[tuple[Block, Block]]) -> None:
        for block, copy in saved:
            block.parts = copy.copy().parts

    def _stamp(self, saved: list[tuple[Block, Block]]) -> None:
        before = {block: copy.to_bytes() for block, copy in saved}
        for block, component in self.resource.components():
            if block.to_bytes() != before.get(block):
                is_new = self.is_new or block not in before
                number = component.get("SEQUENCE", 0)
                stamp(block, self.transaction,
                      0 if is_new or not isinstance(number, int) else number + 1)

    # All of a recurring event -------------------------------------------------------------

    def _make_all(self, changes: Sequence[EventChange]) -> bool:
        """Change all of a recurring event if that is what is wanted and can be said."""
        if self.is_new or len(changes) < 2:
            return False
        shown = {found.event for found in self.occurrences.values() if not found.cancelled}
        ids = {change.event.id for change in changes}
        if all(change.before is None for change in changes):
            return not shown and self._revive_all(ids)
        if ids != shown:
            return False
        if all(change.after is None for change in changes):
            for block in self.resource.blocks:
                block.put("STATUS", _CANCELLED)
            return True
        return self._change_all(changes)

    def _change_all(self, changes: Sequence[EventChange]) -> bool:
        own: dict[Block, EventChange] = {}
        plain = []
        for change in changes:
            found = self._override(change.event.id)
            if found is None:
                plain.append(change)
            else:
                own[found] = change
        if any(change.before is None or change.after is None for change in changes):
            return False
        try:
            change_all(self.resource, self.lines, own, (plain or list(changes))[0])
        except ValueError:
            return False
        return True

    def _revive_all(self, ids: set[str]) -> bool:
        master = self.resource.master()
        if master is None:
            return False
        for block, component in self.resource.components():
            is_wanted = block is master[0] or any(
                self._override(each) is block for each in ids if each in self.occurrences)
            if is_wanted and str(component.get("STATUS", "")).upper() == "CANCELLED":
                block.put("STATUS")
        return True

    # One occurrence -----------------------------------------------------------------------

    def _make_one(self, change: EventChange) -> None:
        if self.is_new:
            assert change.after is not None  # noqa: S101 - only what is there can be cancelled
            self.resource.blocks[0].put("STATUS", b"STATUS:CONFIRMED")
            self.lines.write(self.resource.blocks[0], change.after,
                             (*_ALL_FIELDS, *(("series",) if change.after.series else ())))
        elif change.after is None:
            self._cancel(change.event.id)
        else:
            present = change.before or self._revive(change.event.id)
            if not same_event(present, change.after):
                self._write(present, change.after)

    def _due(self, event: str) -> dt.date | None:
        found = self.occurrences.get(event)
        if found is None:
            raise InputError(f"the event {event!r} cannot be found", place=self.resource.place,
                             remedy="Read the calendar again")
        return found.due

    def _override(self, event: str) -> Block | None:
        due = self._due(event)
        found = self.resource.override(due) if due is not None else None
        return found[0] if found else None

    def _cancel(self, event: str) -> None:
        due = self._due(event)
        override, master = self._override(event), self.resource.master()
        if due is None:
            for block in self.resource.blocks:
                block.put("STATUS", _CANCELLED)
        elif override is not None:
            override.put("STATUS", _CANCELLED)
        elif master is not None:
            master[0].add(self.lines.moment("EXDATE", due, False, master[1]["DTSTART"]))

    def _revive(self, event: str) -> Event:
        """Take the cancellation of an event back; the event as it is then."""
        due = self._due(event)
        override, master = self._override(event), self.resource.master()
        if due is None:
            for block in self.resource.blocks:
                block.put("STATUS", b"STATUS:CONFIRMED")
        elif override is not None:
            override.put("STATUS", b"STATUS:CONFIRMED")
        elif master is not None:
            self._take_out(master, due)
            if event not in self.resource.events():  # all of it is cancelled
                self._new_override(due).put("STATUS", b"STATUS:CONFIRMED")
        present = self.resource.events().get(event)
        if present is None:
            raise InputError(f"the cancellation of {event!r} cannot be taken back",
                             place=self.resource.place,
                             remedy="Make a new event, or change it with the program that made it")
        return present

    def _take_out(self, master: tuple[Block, Any], due: dt.date) -> None:
        """Remove the EXDATE of an occurrence."""
        block, component = master
        listed = component.get("EXDATE", [])
        listed = listed if isinstance(listed, list) else [listed]
        start = component["DTSTART"].dt
        zone = (start.tzinfo if isinstance(start, dt.datetime) else None) or self.lines.zone
        for each, dates in zip(block.lines("EXDATE"), listed, strict=True):
            kept = [date.dt for date in dates.dts
                    if not is_excluded(date.dt, due, zone)]
            if len(kept) < len(dates.dts):
                block.replace(each, *(block.line(self.lines.moment(
                    "EXDATE", moment if not isinstance(moment, dt.datetime) or moment.tzinfo
                    else moment.replace(tzinfo=zone), False, component["DTSTART"]))
                    for moment in kept))

    def _new_override(self, due: dt.date) -> Block:
        """A component for one occurrence, as the master says it."""
        master = self.resource.master()
        assert master is not None  # noqa: S101 - an occurrence without one is an override
        block = master[0].copy()
        block.end = block.end or block.line(b"END:VEVENT")
        for name in _OF_THE_MASTER:
            block.put(name)
        start = master[1]["DTSTART"]
        block.put("RECURRENCE-ID", self.lines.moment("RECURRENCE-ID", due, False, start))
        end = self._end(master[1], due)
        block.put("DTSTART", self.lines.moment("DTSTART", due, False, start))
        if end is not None:
            block.put("DTEND", self.lines.moment("DTEND", end, False, start))
        self.resource.add(block)
        return block

    def _end(self, component: Any, due: dt.date) -> dt.date | None:
        if "DTEND" not in component:
            return None
        lasts: dt.timedelta = component["DTEND"].dt - component["DTSTART"].dt
        return due + lasts

    def _write(self, present: Event, after: Event) -> None:
        due = self._due(after.id)
        fields = EventChange(present, after).fields()
        if due is None:
            for block, component in self.resource.components():
                self.lines.write(block, after, fields, component["DTSTART"])
            return
        found = self.resource.override(due)
        if found is None:
            block = self._new_override(due)
            found = next(each for each in self.resource.components() if each[0] is block)
        self.lines.write(found[0], after, fields, found[1]["DTSTART"])
