"""A notice as it is written to a person: subject, text, and the event that it is about."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from email.headerregistry import Address

from frontdesk.agent.calendars.outbox import QueuedNotice
from frontdesk.agent.notices.notice_wording import word
from frontdesk.kg.english.phrases import say_list
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.changes import NoticeKind
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

#: Characters of a name in a subject, at most.
_LONGEST_NAME = 100
#: Characters of an address, at most (RFC 5321, 4.5.3.1.3).
_LONGEST_ADDRESS = 254


def mail_address(text: str) -> str | None:
    """An e-mail address that can stand in a header; None for anything else.

    Example:
        >>> mail_address("ada@example.org"), mail_address("ada@example.org\\r\\nBcc: bo@b.example")
        ('ada@example.org', None)
        >>> mail_address("ada@[")
    """
    try:
        address = Address(addr_spec=text)
    except Exception:  # noqa: BLE001 - its parser fails in many ways: AttributeError for "ada@["
        return None
    found = address.addr_spec
    return found if address.username and address.domain and found == clean(found) \
        and len(found) <= _LONGEST_ADDRESS else None


@dataclass(frozen=True)
class Letter:
    """A notice as it is written to a person; texts are of one line, without control characters.

    Args:
        queued: The notice.
        kb: The people and rooms that it names.
    """

    queued: QueuedNotice
    kb: KnowledgeBase

    @property
    def name(self) -> str:
        """Of the person to whom it is written; the address where that is all that is known."""
        return self.name_of(self.queued.notice.person) or clean(self.queued.notice.person)

    @property
    def address(self) -> str | None:
        """The e-mail address of the person; None where none is known that can be used."""
        person = self.queued.notice.person
        return self.address_of(person) if person in self.kb.people else mail_address(person)

    @property
    def sender(self) -> str:
        """Name of the person from whom it comes; "reception" where that is not known."""
        return self.name_of(self.queued.notice.sender) or word("letter", "sender")

    @property
    def subject(self) -> str:
        """What it is about, without words that were passed on."""
        notice = self.queued.notice
        event = clean(notice.event.name)[:_LONGEST_NAME] if notice.event else ""
        return word("subjects", notice.kind, event=event, sender=self.sender[:_LONGEST_NAME])

    @property
    def text(self) -> str:
        """What it says, in lines."""
        notice = self.queued.notice
        if notice.event is None:
            text = clean(notice.text)
            if notice.kind is NoticeKind.MESSAGE:
                text = word("texts", notice.kind, sender=self.sender, text=text)
            return "\n".join([text, *[word("letter", "dialogue", dialogue=clean(
                notice.dialogue))] * bool(notice.dialogue)])
        fields = say_list(list(dict.fromkeys(word("fields", each) for each in notice.fields)))
        said = word("texts", notice.kind, sender=self.sender, event=clean(notice.event.name),
                    fields=fields)
        return "\n".join([said[0].upper() + said[1:], "", *self._details(notice.event)])

    def name_of(self, person: str | None) -> str:
        """The name of a person; empty for nobody known."""
        found = self.kb.people.get(person) if person is not None else None
        return clean(found.name) if found is not None else ""

    def address_of(self, person: str) -> str | None:
        """The e-mail address of a person; None where none is known that can be used."""
        return mail_address(self.kb.people[person].email) if person in self.kb.people else None

    def place(self, event: Event) -> str:
        """The names of its rooms; empty without any."""
        return say_list([clean(self.kb.rooms[each].name) for each in event.rooms
                         if each in self.kb.rooms])

    def _details(self, event: Event) -> list[str]:
        people = [name for each in event.participants() if (name := self.name_of(each))]
        return [word("letter", what, said=said) for what, said in (
            ("when", _when(event, self.kb.timezone.key)), ("where", self.place(event)),
            ("who", say_list(people))) if said]


def _when(event: Event, zone: str) -> str:
    if event.all_day:
        first, last = event.start.date(), event.last_day
        return _day(first) if first == last else word(
            "letter", "days", first=_day(first), last=_day(last))
    end = f"{event.end:%H:%M}"
    if event.end.date() != event.start.date():
        end = word("letter", "other_day", day=_day(event.end.date()), time=end)
    return word("letter", "hours", day=_day(event.start.date()), start=f"{event.start:%H:%M}",
                end=end, zone=zone)


def _day(day: dt.date) -> str:
    return word("letter", "day", weekday=f"{day:%A}", day=str(day.day), month=f"{day:%B}",
                year=f"{day:%Y}")
