"""Events in iCalendar components: what calendars hold, and what a transaction makes of them.

A calendar is a number of *documents*: one ``.ics`` file, or the objects of a CalDAV collection.
:class:`Snapshot` reads them and works out the documents after a transaction, in which every line
that does not have to change is as it was. What is written is read back before anything is
stored; what a calendar cannot say is refused.

* A new event is a component of its own, in UTC, with the UID ``<id of the event>@event.frontdesk``.
* A cancelled event stays with ``STATUS:CANCELLED``, so that other programs tell those who take
  part, and so that taking the cancellation back loses nothing that they put there. One occurrence
  of a recurring event is cancelled by ``EXDATE``.
* One changed occurrence of a recurring event becomes a component with a ``RECURRENCE-ID``.
* **All of a recurring event** is changed by a transaction that changes every occurrence of its
  series that the calendar shows (at least two), all alike. The component that recurs is changed
  then, and so are the occurrences beyond those shown. Anything else changes single occurrences.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

from frontdesk.agent.calendars.resource import Resource, Window
from frontdesk.agent.calendars.resource_edit import ResourceEdit, new_block
from frontdesk.agent.calendars.vevent_lines import TRANSACTION, mark
from frontdesk.kg.graph.changes import EventChange, Transaction, with_events
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.content_lines import Block, calendars, cut, join
from frontdesk.kg.sources.icalendar_component import UID_SUFFIX
from frontdesk.kg.sources.icalendar_expand import Expansion, Occurrence, expand_icalendar
from frontdesk.kg.sources.icalendar_text import Problems, properties, read_calendars
from frontdesk.kg.sources.import_icalendar import add_events
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

#: A calendar without events.
EMPTY = (b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//frontdesk//frontdesk//EN\r\n"
         b"END:VCALENDAR\r\n")


class Snapshot:
    """What some documents say, and what they say after a transaction.

    Args:
        organisation: Its people, groups and rooms; its events do not count.
        window: The first and the last day of which events are read, both included.
        place: The calendar's name for errors.
        last: What was read before: documents that stay as they were are not worked out again, and
            its people and places are known still, so that who is no longer named can be named
            again.

    Attributes:
        kb: The organisation with the events of the documents, and with the people and places
            that only they name.
        warnings: What could not be read, a sentence each.

    Raises:
        FormatError: A document is not iCalendar.
    """

    def __init__(self, documents: Mapping[str, bytes], organisation: KnowledgeBase,
                 window: Window, place: str, last: Snapshot | None = None) -> None:
        self.documents, self.window, self.place = documents, window, place
        builder = OrganisationBuilder.from_knowledge_base(with_events(organisation, ()))
        if last is not None:
            _remember(builder, last.kb)
        self._expansions: dict[str, Expansion] = {}
        self._zone = organisation.timezone
        self._places: dict[str, tuple[str, Occurrence]] = {}
        for name in sorted(documents):
            expansion = self._expansions[name] = self._expand(name, last)
            for found in add_events(expansion, builder, know_cancelled=True):
                if not found.cancelled or found.event not in self._places:
                    self._places[found.event] = (name, found)
        self.kb: KnowledgeBase = builder.build()
        self.warnings = tuple(builder.warnings)

    def _expand(self, name: str, last: Snapshot | None) -> Expansion:
        if last is not None and last.window == self.window \
                and last.documents.get(name) == self.documents[name]:
            return last._expansions[name]
        return expand_icalendar(self.documents[name], self._say(name),
                                self._zone, self.window)

    def after(self, transaction: Transaction,
              document_of: Callable[[str], str]) -> dict[str, bytes]:
        """The documents that a transaction changes, as they are to be.

        Args:
            transaction: One that :func:`check_transaction` let pass.
            document_of: The name of the document in which an event of a UID is to be made.

        Raises:
            InputError: A document cannot say what an event is to be.
        """
        groups: dict[tuple[str, str], list[EventChange]] = defaultdict(list)
        for change in transaction.changes:
            self._check_window(change.after)
            name, uid = self.place_of(change.event.id, document_of)
            groups[name, uid].append(change)
        opened: dict[str, _Document] = {}
        for (name, uid), changes in groups.items():
            if name not in opened:
                opened[name] = _Document(self.documents.get(name, EMPTY), self._say(name),
                                         self.kb, self.window)
            ResourceEdit(opened[name].resource(uid, changes[0].event.name), transaction).make(
                changes)
        written = {name: join(document.parts) for name, document in opened.items()}
        return {name: data for name, data in written.items() if data != self.documents.get(name)}

    def place_of(self, event: str, document_of: Callable[[str], str]) -> tuple[str, str]:
        """The name of the document of an event, cancelled ones included, and its UID there.

        Args:
            document_of: The name of the document in which an event of a UID is to be made.
        """
        if event in self._places:
            name, found = self._places[event]
            return name, found.uid
        uid = event + UID_SUFFIX
        return document_of(uid), uid

    def _check_window(self, event: Event | None) -> None:
        if event is None:
            return
        days = event.days()
        if days[-1] < self.window[0] or days[0] > self.window[1]:
            raise InputError(
                f"the event {event.name!r} on {days[0]} is outside of what this calendar shows, "
                f"{self.window[0]} to {self.window[1]}", place=self.place,
                remedy="Choose a day in between")

    def _say(self, name: str) -> str:
        return f"{self.place}, {name}" if name else self.place


def carries(data: bytes, transaction: str, place: str) -> bool:
    """Whether a document has an event that a transaction changed last.

    Raises:
        FormatError: It is not iCalendar.
    """
    return any(found.name == TRANSACTION and found.value.strip() == mark(transaction)
               for calendar in read_calendars(data, Problems(place))
               for block in calendar.blocks("VEVENT") for found in properties(block))


def fenced(old: bytes | None, planned: bytes, transaction: Transaction) -> bytes:
    """A document that says what the old one says, in other bytes.

    Args:
        old: The document; None where there is none, for one whose events are all cancelled.
    """
    parts = calendars(cut(planned if old is None else old))
    for calendar in parts:
        for block in calendar.blocks("VEVENT") if isinstance(calendar, Block) else ():
            block.put(TRANSACTION, f"{TRANSACTION}:{mark(transaction.id)}".encode())
            if old is None:
                block.put("STATUS", b"STATUS:CANCELLED")
    return join(parts)


def _remember(builder: OrganisationBuilder, known: KnowledgeBase) -> None:
    """Add people and places that only calendars name."""
    for person in known.people.values():
        if person.id not in builder.people:
            builder.add_person(person.name, email=person.email, entity_id=person.id, assumed=True)
    for room in known.rooms.values():
        if room.id not in builder.rooms:
            builder.add_room(room.name, entity_id=room.id, bookable=room.bookable)


class _Document:
    """A document cut into lines, and the events in it by UID."""

    def __init__(self, data: bytes, place: str, kb: KnowledgeBase, window: Window) -> None:
        # Something may be added behind a last line that has no end.
        data += b"" if data.endswith((b"\n", b"\r")) else b"\r\n"
        self.parts, self.place, self.kb, self.window = calendars(cut(data)), place, kb, window
        self.calendars = [part for part in self.parts if isinstance(part, Block)
                          and part.name == "VCALENDAR"]

    def resource(self, uid: str, name: str) -> Resource:
        """The components of a UID; with an empty one for a new UID."""
        found = [each for calendar in self.calendars
                 if (each := Resource.of(calendar, uid, self.place, self.kb, self.window))]
        if len(found) > 1:
            raise InputError(f"the event {name!r} is in {len(found)} calendars of the file",
                             place=self.place,
                             remedy="Merge them, or change it with the program that wrote them")
        if found:
            return found[0]
        made = Resource(self.calendars[0], [], self.place, self.kb, self.window)
        made.add(new_block(uid, self.calendars[0].line_end))
        return made
