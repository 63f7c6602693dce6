"""The iCalendar part of a letter about an event: iTIP (RFC 5546), as mail has it (RFC 6047)."""

from __future__ import annotations

import datetime as dt

from icalendar import Calendar, vCalAddress
from icalendar import Event as Component

from frontdesk.agent.notices.letter import Letter
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.changes import NoticeKind
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.sources.icalendar_component import UID_SUFFIX, is_id_of_uid

_REQUEST, _CANCEL = "REQUEST", "CANCEL"
_METHODS = {NoticeKind.INVITED: _REQUEST, NoticeKind.CHANGED: _REQUEST,
            NoticeKind.CANCELLED: _CANCEL, NoticeKind.REMOVED: _CANCEL}


def invitation(letter: Letter, sender: str) -> tuple[str, str] | None:
    """The method of a letter about an event and its iCalendar text; None for any other letter, and
    for an event that another program made, whose calendars know it by another UID.

    Args:
        sender: The address from which it is sent: of the organiser where no other is known.
    """
    notice = letter.queued.notice
    if notice.event is None or letter.address is None or is_id_of_uid(notice.event.id):
        return None
    method, calendar = _METHODS[notice.kind], Calendar()
    calendar.add("PRODID", "-//frontdesk//frontdesk//EN")
    calendar.add("VERSION", "2.0")
    calendar.add("METHOD", method)
    calendar.add_component(_component(letter, notice.event, sender, letter.address))
    return method, calendar.to_ical().decode("utf-8")


def _component(letter: Letter, event: Event, sender: str, address: str) -> Component:
    found, kind = Component(), letter.queued.notice.kind
    found.add("UID", clean(event.id) + UID_SUFFIX)
    # Later revisions have higher numbers; that some are left out does not matter.
    found.add("SEQUENCE", letter.queued.revision)
    found.add("DTSTAMP", letter.queued.at.astimezone(dt.UTC))
    found.add("SUMMARY", clean(event.name))
    for name, moment in (("DTSTART", event.start), ("DTEND", event.end)):
        found.add(name, moment.astimezone(letter.kb.timezone).date() if event.all_day
                  else moment.astimezone(dt.UTC))
    if place := letter.place(event):
        found.add("LOCATION", place)
    if event.private:
        found.add("CLASS", "PRIVATE")
    if kind is NoticeKind.CANCELLED:
        found.add("STATUS", "CANCELLED")
    elif kind is not NoticeKind.REMOVED:  # who is not expected any more learns no new state of it
        found.add("STATUS", "CONFIRMED")
    organiser = event.organizer or ""
    found.add("ORGANIZER", _person(letter.address_of(organiser) or sender,
                                   letter.name_of(organiser)))
    guests = {address: letter.name}
    if kind is not NoticeKind.REMOVED:
        guests |= {own: letter.name_of(each) for each in event.participants()
                   if (own := letter.address_of(each))}
    for own, name in guests.items():
        found.add("ATTENDEE", _person(own, name, PARTSTAT="NEEDS-ACTION", RSVP="TRUE",
                                      ROLE="REQ-PARTICIPANT"))
    return found


def _person(address: str, name: str, **params: str) -> vCalAddress:
    found = vCalAddress(f"mailto:{address}")
    for key, value in ({"CN": name} if name else {}).items() | params.items():
        found.params[key] = value.replace('"', "'")  # which a parameter cannot have
    return found
