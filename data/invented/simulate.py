"""An invented organisation around today's date, to try the product without data of one's own."""

from __future__ import annotations

import datetime as dt
import itertools
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from frontdesk.kg.graph.errors import OrganisationError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

NAME = "Lanternworks"
#: Office hours: events start and end within them.
OPENS, CLOSES = 8, 18
#: Days from today on which events take place.
HORIZON = 7

_FIRST = (
    "Amara", "Anders", "Beatriz", "Callum", "Chiara", "Dagny", "Dmitri", "Edda", "Emeka",
    "Farida", "Felix", "Goran", "Greta", "Hana", "Henrik", "Ilse", "Imran", "Ingrid", "Jamal",
    "Jolanta", "Kaito", "Katya", "Lars", "Leila", "Lorenzo", "Maeve", "Mateo", "Mei", "Nadia",
    "Nikhil", "Noor", "Oskar", "Paloma", "Petra", "Quentin", "Rafael", "Rosalind", "Sanjay",
    "Signe", "Soraya", "Tadeusz", "Thandi", "Tomas", "Ulrika", "Viktor", "Wanjiru", "Xavier",
    "Yara", "Yusuf", "Zofia", "Agnes", "Bilal", "Cormac", "Delphine", "Elio", "Freya", "Gideon",
    "Hyun", "Isolde", "Joaquin",
)
_LAST = (
    "Abara", "Albrecht", "Almeida", "Bakker", "Bergstrom", "Bianchi", "Castellanos", "Chaudhry",
    "Dahl", "Delacroix", "Demir", "Eriksen", "Espinoza", "Farkas", "Fujimoto", "Gallagher",
    "Ghosh", "Haddad", "Holm", "Ibarra", "Ivanova", "Jansen", "Jovanovic", "Kamau", "Kowalczyk",
    "Kuznetsov", "Lindqvist", "Lombardi", "Macleod", "Mbeki", "Moreau", "Nakamura", "Novak",
    "Nygaard", "Oduya", "Okafor", "Papadakis", "Pereira", "Qureshi", "Rasmussen", "Reyes",
    "Rossi", "Sandoval", "Schreiber", "Sorensen", "Tanaka", "Thorne", "Toivonen", "Uchida",
    "Valdez", "Vasquez", "Virtanen", "Wanjala", "Whitaker", "Yamada", "Yilmaz", "Zeller",
    "Zielinski", "Achterberg", "Brankovic",
)
_GROUPS = ("Optics", "Product Design", "Procurement", "Customer Care", "Finance", "Logistics",
           "Research", "People Team", "Legal", "Field Service", "Marketing", "Quality")
_ROOMS = ("Juniper", "Sorrel", "Marram", "Heather", "Bracken", "Tansy", "Yarrow", "Gorse",
          "Clover", "Rowan", "Sedge", "Thistle")
_TOPICS = ("budget", "hiring", "supplier", "packaging", "warranty", "roadmap", "safety",
           "customer survey", "lens coating", "website", "travel policy", "inventory",
           "onboarding", "energy saving", "trade fair", "prototype", "pricing", "audit",
           "newsletter", "delivery delay", "training plan", "patent", "office move", "forecast")
_KINDS = ("review", "workshop", "briefing", "check-in", "kick-off", "planning session",
          "retrospective", "interview", "demo", "brainstorm")
_STANDUP, _WEEKLY = "standup", "weekly planning"
_MINUTES = (30, 60, 60, 60, 90, 120)
_STEP = dt.timedelta(minutes=30)
_TRIES = 400
_PHONES = 1000

_Span = tuple[dt.datetime, dt.datetime]


def demo_organisation(now: dt.datetime, seed: int = 0, *, people: int = 45, groups: int = 8,
                      rooms: int = 8, events: int = 60,
                      timezone: ZoneInfo | None = None) -> KnowledgeBase:
    """Invent an organisation with a calendar for the coming week.

    Events lie within office hours, mostly on working days, and nobody and no meeting room is
    in two of them at once. One group has a daily standup, another a weekly planning. From about
    20 events on, on a working day there is one at every moment of office hours today. Two people
    share a first name.

    Args:
        now: Decides which day is today; its time of day does not matter. Zone-aware, or in
            ``timezone``.
        seed: The same seed and day give the same organisation.
        people: At least 2.
        groups, rooms: At least 1; offices come on top of the rooms.
        events: At least 0.
        timezone: Of the organisation; by default that of ``now`` if it is a named one, else UTC.

    Raises:
        OrganisationError: A number is too small, or so many events find no free room or people.
    """
    for what, number, least in (("people", people, 2), ("groups", groups, 1),
                                ("rooms", rooms, 1), ("events", events, 0)):
        if number < least:
            raise OrganisationError(f"an organisation cannot have {number} {what}",
                                    remedy=f"Ask for {least} or more {what}")
    if timezone is None:
        timezone = now.tzinfo if isinstance(now.tzinfo, ZoneInfo) else ZoneInfo("UTC")
    builder = OrganisationBuilder(NAME, timezone)
    today = builder.localise(now).date()
    rng = random.Random(f"{seed} {today.isoformat()}")
    group_ids = [builder.add_group(name) for name in _names(_GROUPS, groups)]
    room_ids = [builder.add_room(name, floor=rng.randint(0, 4))
                for name in _names(_ROOMS, rooms)]
    _add_people(builder, rng, people, group_ids)
    _Calendar(builder, rng, today, room_ids).fill(events)
    return builder.build()


def _add_people(builder: OrganisationBuilder, rng: random.Random, count: int,
                groups: Sequence[str]) -> None:
    first = _cycle(rng.sample(_FIRST, len(_FIRST)))
    last = _cycle(rng.sample(_LAST, len(_LAST)))
    firsts = list(itertools.islice(first, count - 1))
    firsts.append(firsts[0])
    offices = [f"{floor}{number:02d}" for floor in range(1, 5) for number in range(1, 100)]
    phones = rng.sample(range(_PHONES), min(count, _PHONES))
    emails: set[str] = set()
    names: set[str] = set()
    for index, first_name in enumerate(firsts):
        name = f"{first_name} {next(last)}"
        while name in names:
            name = f"{first_name} {next(last)}-{next(last)}"
        names.add(name)
        email = stem = normalise_name(name).replace(" ", ".")
        while email in emails:
            email = f"{stem}{len(emails)}"
        emails.add(email)
        office = rng.choice(offices)
        builder.add_person(
            name, email=f"{email}@example.org", group=groups[index % len(groups)],
            # 01632 960000 to 960999 is set aside for fiction.
            phone=f"+44 1632 960{phones[index]:03d}" if index < len(phones) else "",
            office=builder.room(office, bookable=False, floor=int(office[0])))


@dataclass(frozen=True)
class _Plan:
    """An event before it has a name."""

    span: _Span
    room: str
    attendees: tuple[str, ...]
    group: str


class _Calendar:
    """Fills a week with events that do not collide."""

    def __init__(self, builder: OrganisationBuilder, rng: random.Random, today: dt.date,
                 rooms: Sequence[str]) -> None:
        self.builder = builder
        self.rng = rng
        self.today = today
        self.rooms = rooms
        self.members: dict[str, list[str]] = defaultdict(list)
        for person in builder.people.values():
            if person.group:
                self.members[person.group].append(person.id)
        self.groups = [group for group in builder.groups if self.members[group]]
        self.busy: dict[str, list[_Span]] = defaultdict(list)
        titles = [f"{topic} {kind}" for topic in _TOPICS for kind in _KINDS]
        self.titles = itertools.cycle(rng.sample(titles, len(titles)))
        self.left = 0

    def fill(self, events: int) -> None:
        """Add that many events."""
        self.left = events
        self._recurring()
        self._all_through_today()
        days = [self.today + dt.timedelta(days=offset) for offset in range(HORIZON + 1)]
        working = [day for day in days if day.weekday() < 5]
        if self.today not in working:
            self._anywhere([self.today])
        while self.left:
            self._anywhere(days if self.rng.random() < 0.05 else working)

    def _recurring(self) -> None:
        """A daily standup of one group and a weekly planning of another."""
        working = [day for day in (self.today + dt.timedelta(days=offset)
                                   for offset in range(HORIZON + 1)) if day.weekday() < 5]
        group, other = self.groups[0], self.groups[-1]
        weeks = [working[0], working[0] + dt.timedelta(days=7)]
        for name, holder, days, hour, minutes in (
                (_STANDUP, group, working, 9, 15), (_WEEKLY, other, weeks, 14, 60)):
            if self.left < 2:
                return
            title = f"{self.builder.groups[holder].name} {name}"
            room = self.rng.choice(self.rooms)
            for day in days[:self.left]:
                span = self._span(day, dt.time(hour), minutes)
                everyone = tuple(self.members[holder][:8])
                if self._free((room, *everyone), span):
                    self._book(_Plan(span, room, everyone, holder), title,
                               series=f"{name.replace(' ', '-')}-{holder}")

    def _all_through_today(self) -> None:
        """Events back to back through today's office hours, if it is a working day."""
        if self.today.weekday() >= 5:
            return
        start, closes = dt.time(OPENS), self._span(self.today, dt.time(CLOSES), 0)[0]
        while self.left and start < dt.time(CLOSES):
            span = self._span(self.today, start, self.rng.choice((60, 60, 90, 120)))
            span = (span[0], min(span[1], closes))
            plan = self._plan(span)
            if plan is None:
                start = (span[0] + _STEP).time()
                continue
            self._book(plan, next(self.titles))
            start = span[1].time()

    def _anywhere(self, days: Sequence[dt.date]) -> None:
        for _ in range(_TRIES):
            minutes = self.rng.choice(_MINUTES)
            slots = (CLOSES - OPENS) * 2 - minutes // 30
            half_hours = self.rng.randint(0, slots)
            start = dt.time(OPENS + half_hours // 2, 30 * (half_hours % 2))
            plan = self._plan(self._span(self.rng.choice(list(days)), start, minutes))
            if plan is not None and self.left:
                self._book(plan, next(self.titles))
            if plan is not None or not self.left:
                return
        raise OrganisationError(
            f"there is no free room, or there are no free people, for {self.left} more events",
            remedy="Ask for fewer events, or for more rooms and people")

    def _plan(self, span: _Span) -> _Plan | None:
        """A free room and free people for a span; None when there are none."""
        rooms = [room for room in self.rooms if self._free((room,), span)]
        free = {group: [person for person in self.members[group] if self._free((person,), span)]
                for group in self.groups}
        groups = [group for group in self.groups if free[group]]
        if not rooms or not groups:
            return None
        group = self.rng.choice(groups)
        members = free[group]
        guests = [person for person in self.builder.people
                  if person not in members and self._free((person,), span)]
        own = self.rng.sample(members, min(len(members), self.rng.randint(1, 4)))
        others = self.rng.sample(guests, min(len(guests), self.rng.randint(0, 2)))
        return _Plan(span, self.rng.choice(rooms), (*own, *others), group)

    def _book(self, plan: _Plan, title: str, series: str = "") -> None:
        self.builder.add_event(title, *plan.span, location=plan.room,
                               organizer=plan.attendees[0], attendees=plan.attendees,
                               group=plan.group, series=series)
        for each in (plan.room, *plan.attendees):
            self.busy[each].append(plan.span)
        self.left -= 1

    def _free(self, ids: Sequence[str], span: _Span) -> bool:
        return not any(start < span[1] and span[0] < end
                       for each in ids for start, end in self.busy[each])

    def _span(self, day: dt.date, start: dt.time, minutes: int) -> _Span:
        begin = dt.datetime.combine(day, start, self.builder.timezone)
        return begin, begin + dt.timedelta(minutes=minutes)


def _names(listed: Sequence[str], count: int) -> Iterator[str]:
    """The first names of a list, numbered from the second round on."""
    return itertools.islice(_cycle(listed, numbered=True), count)


def _cycle(listed: Sequence[str], *, numbered: bool = False) -> Iterator[str]:
    for round_number in itertools.count(1):
        for name in listed:
            yield f"{name} {round_number}" if numbered and round_number > 1 else name
