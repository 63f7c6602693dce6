"""Invented organisations: people, meeting rooms, offices, groups and a calendar of a few days."""

from __future__ import annotations

import datetime as dt
import random
from collections import defaultdict
from collections.abc import Callable
from zoneinfo import ZoneInfo

from frontdesk.data.invented.invented_names import FEMALE, GROUPS, KINDS, LAST, MALE, ROOMS, TOPICS
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

ZONE = ZoneInfo("UTC")
#: Office hours.
OPENS, CLOSES = 8, 18
_HALF_HOUR = dt.timedelta(minutes=30)
_FIRST_DAY = dt.date(2021, 1, 4)
_DAYS = 5 * 365
_LENGTHS = (30, 60, 60, 60, 60, 60, 90, 120)
_DOMAINS = ("company.email", "company.email", "example.org", "office.example", "work.example",
            "example.com")

_Span = tuple[dt.datetime, dt.datetime]


def invent_organisation(rng: random.Random, name: str) -> tuple[KnowledgeBase, dt.date]:
    """An organisation and the day on which its calendar begins.

    25 to 45 people in 4 to 9 groups, 5 to 9 meeting rooms, 25 to 48 events on 3 to 6 days from
    8 to 18 o'clock in UTC. Nobody and no room is in two events at once.

    Args:
        rng: All is drawn from it.
        name: Of the knowledge base.
    """
    builder = OrganisationBuilder(name, ZONE)
    groups = [builder.add_group(each) for each in rng.sample(GROUPS, rng.randint(4, 9))]
    kind = rng.choice(ROOMS[:2] if rng.random() < 0.6 else ROOMS)
    rooms = [builder.add_room(each) for each in rng.sample(kind, rng.randint(5, 9))]
    _add_people(builder, rng, groups)
    today = _FIRST_DAY + dt.timedelta(days=rng.randrange(_DAYS))
    _add_events(builder, rng, today, rooms)
    return builder.build(), today


def invent_name(rng: random.Random) -> tuple[str, str]:
    """A first name and a last name."""
    return rng.choice(FEMALE if rng.random() < 0.5 else MALE), rng.choice(LAST)


def _add_people(builder: OrganisationBuilder, rng: random.Random, groups: list[str]) -> None:
    domain, phone = rng.choice(_DOMAINS), rng.choice(_PHONES)
    floors = rng.randint(2, 9)
    names: set[str] = set()
    for _ in range(rng.randint(25, 45)):
        name = " ".join(invent_name(rng))
        if name in names:
            continue
        names.add(name)
        office = f"{rng.randint(1, floors)}{rng.randrange(100):02d}"
        builder.add_person(
            name, email=f"{normalise_name(name).replace(' ', '.')}@{domain}", phone=phone(rng),
            group=rng.choice(groups),
            office=builder.room(office, bookable=False, floor=int(office[0])))


def _digits(rng: random.Random, count: int) -> str:
    return "".join(rng.choices("0123456789", k=count))


#: How the phone numbers of an organisation look; most are Norwegian.
_PHONES: tuple[Callable[[random.Random], str], ...] = (
    lambda rng: f"+47{_digits(rng, 8)}",
    lambda rng: f"+47{_digits(rng, 8)}",
    lambda rng: f"+47 {_digits(rng, 2)} {_digits(rng, 2)} {_digits(rng, 2)} {_digits(rng, 2)}",
    lambda rng: f"+1 555 01{_digits(rng, 2)} {_digits(rng, 3)}",
    lambda rng: f"+44 1632 960{_digits(rng, 3)}",
    lambda rng: f"{_digits(rng, 3)} {_digits(rng, 2)} {_digits(rng, 3)}",
)


def _add_events(builder: OrganisationBuilder, rng: random.Random, today: dt.date,
                rooms: list[str]) -> None:
    busy: dict[str, list[_Span]] = defaultdict(list)
    people = list(builder.people.values())
    days = rng.randint(3, 6)
    kinds = rng.sample(KINDS[:6], 4) + rng.sample(KINDS[6:], 2)
    titles = dict.fromkeys(f"{rng.choice(TOPICS)} {rng.choice(kinds)}"
                           for _ in range(rng.randint(28, 52)))
    for title in titles:
        span = _span(rng, today + dt.timedelta(days=rng.randrange(days)))
        host = rng.choice(people)
        place = host.office if host.office and rng.random() < 0.12 else rng.choice(rooms)
        invited = [each for each in rng.sample(people, rng.randint(1, 5)) if each is not host]
        if not all(_free(busy[each], span) for each in (host.id, place)):
            continue
        attendees = [host.id, *(each.id for each in invited if _free(busy[each.id], span))]
        builder.add_event(title, *span, location=place, organizer=host.id, attendees=attendees,
                          group=host.group)
        for each in (place, *attendees):
            busy[each].append(span)


def _span(rng: random.Random, day: dt.date) -> _Span:
    length = dt.timedelta(minutes=rng.choice(_LENGTHS))
    start = dt.datetime.combine(day, dt.time(OPENS), ZONE) + rng.randrange(17) * _HALF_HOUR
    return start, start + length


def _free(taken: list[_Span], span: _Span) -> bool:
    return not any(start < span[1] and span[0] < end for start, end in taken)
