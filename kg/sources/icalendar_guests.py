"""The people, rooms and groups that an iCalendar event invites (RFC 5545, 3.8.4.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import parseaddr
from typing import Any
from urllib.parse import unquote

from frontdesk.kg.sources.icalendar_text import EMAIL, email_of
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

#: How probably somebody comes who accepted tentatively (``PARTSTAT=TENTATIVE``), which says no
#: more than that it is open.
TENTATIVE = 0.5
#: The parameter with the id of a person or room, for those whom name and address do not tell apart.
ID = "X-FRONTDESK-ID"
#: The parameter with the probability that somebody comes whose ``PARTSTAT`` is ``TENTATIVE``.
PROBABILITY = "X-FRONTDESK-PROBABILITY"


@dataclass(frozen=True)
class Guest:
    """An organiser or attendee as a calendar names it. Empty strings are not known.

    Args:
        email, name: As written; a name in the order in which it is spoken.
        kind: ``CUTYPE``: ``INDIVIDUAL``, ``ROOM``, ``RESOURCE``, ``GROUP``, ...; empty where it is
            not said, which programs do for people and for rooms.
        status: ``PARTSTAT``: ``ACCEPTED``, ``DECLINED``, ``TENTATIVE``, ...
        role: ``REQ-PARTICIPANT``, ``NON-PARTICIPANT`` (who is only informed), ...
        delegates: Addresses of those who come in place of who has delegated.
        probability: Of coming, in (0, 1].
        person: The id that the calendar gives for the person.
    """

    email: str
    name: str
    kind: str
    status: str
    role: str = ""
    delegates: tuple[str, ...] = ()
    probability: float = 1.0
    person: str = ""

    @property
    def comes(self) -> bool:
        """Whether the guest takes part, or has not said otherwise (RFC 5545, 3.2.12, 3.2.16)."""
        return self.status not in ("DECLINED", "DELEGATED") and self.role != "NON-PARTICIPANT"

    @property
    def is_taken(self) -> bool:
        """Whether a room or a group that was invited is taken by the event."""
        return self.status not in ("DECLINED", "DELEGATED")


def guests(component: Any, key: str) -> Iterator[Guest]:
    """The guests of an icalendar component.

    Args:
        component: A ``VEVENT``.
        key: ``ATTENDEE`` or ``ORGANIZER``.
    """
    values = component.get(key, [])
    for value in values if isinstance(values, list) else [values]:
        yield read_guest(str(value), getattr(value, "params", {}))


def read_guest(address: str, params: Any) -> Guest:
    """The guest of one line of ``ATTENDEE`` or ``ORGANIZER``."""
    email = email_of(address) or email_of(str(params.get("EMAIL", "")))
    name = _without_quotes(" ".join(str(params.get("CN", "")).split()))
    if "@" in name:
        email, name = email or email_of(name), parseaddr(name)[0]
    kind = str(params.get("CUTYPE", "")).upper()
    if name.count(",") == 1 and kind not in ("ROOM", "RESOURCE", "GROUP"):
        last, first = name.split(",")
        first, bracket, of = first.partition("(")  # "Vik, Rita (Sales)"
        name = " ".join(f"{first} {last} {bracket}{of}".split())
    status = str(params.get("PARTSTAT", "")).upper()
    delegates = EMAIL.findall(unquote(str(params.get("DELEGATED-TO", ""))))
    return Guest(email, name, kind, status, str(params.get("ROLE", "")).upper(), tuple(delegates),
                 _probability(params) if status == "TENTATIVE" else 1.0, str(params.get(ID, "")))


def _without_quotes(name: str) -> str:
    while len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
        name = name[1:-1].strip()
    if name.count('"') == 1:  # its other end is lost
        name = name.strip('" ')
    return name if name.strip("'\" ") else ""


def _probability(params: Any) -> float:
    try:
        value = float(str(params.get(PROBABILITY, TENTATIVE)))
    except ValueError:
        return TENTATIVE
    return value if 0 < value < 1 else TENTATIVE


def find_person(builder: OrganisationBuilder, guest: Guest) -> str | None:
    """Id of the known person that a guest is; None for nobody known."""
    given = builder.people.get(guest.person)
    # Programs that put another address in may leave the id of who was there before.
    if given is not None and given.email.casefold() == guest.email.casefold():
        return given.id
    name = guest.name or name_of(guest.email)
    return builder.person_by_email_or_name(guest.email, name)


def name_of(email: str) -> str:
    """A name made from the part of an address before the ``@``."""
    words = re.split(r"[._\-+]+", email.partition("@")[0])
    return " ".join(word.capitalize() for word in words if word) or email
