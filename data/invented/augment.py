"""Training dialogues with other names, dates and times (section 4.1 of the paper).

People, rooms, offices, groups, e-mail addresses, phone numbers and what events are about get other
names, all days move by the same number of days and all times of day by the same number of hours, in
the knowledge base and in what was said alike. Relative words ("tomorrow", "morning") stay, and stay
true: where a part of the day is spoken of, times of day stay too.

Misheard names are replaced too: where the user's words are like a name that the agent's answers
tell, they become the new name, perhaps misheard again.
"""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from frontdesk.data.datasets.spoken_times import clock_times
from frontdesk.data.datasets.training_dialogues import TrainingDialogue
from frontdesk.data.invented.augmented_text import Renaming, TextAugmenter
from frontdesk.data.invented.invented_names import FEMALE, GROUPS, LAST, MALE, ROOMS, TOPICS
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name

#: Office hours, within which times of day are kept.
_OPENS, _CLOSES = 8, 18
_PART_OF_DAY = re.compile(r"\b(?:morning|afternoon|evening|noon|lunch|a\.?m|p\.?m)\b",
                          re.IGNORECASE)
_GREETED = re.compile(r"\b(?i:hi|hello|thanks|thank you|welcome)[,!]? ([A-Z][a-z]+)(?=[.!,?]|$)")
_INTRODUCED = re.compile(r"\b(?i:my name is|my name's|i'm|i am|this is)\s+([A-Z][a-z]+)"
                         r" ([A-Z][a-z]+)")
_HALF = 0.5
_MOST_DAYS = 700
_DIGIT = re.compile(r"\d")
_KINDS = re.compile(r"(?P<topic>.+?) (?P<kind>(?:team |project |board |staff )?meeting"
                    r"|status update|planning session|check-in|kick-off|\w+)", re.IGNORECASE)


def augment(dialogue: TrainingDialogue, seed: int) -> TrainingDialogue:
    """The dialogue with everything renamed and moved in time.

    Ids stay, so that entities of both knowledge bases can be told to be the same.

    Args:
        seed: The same seed gives the same dialogue.
    """
    rng = random.Random(f"{seed} {dialogue.id}")
    change = _Change.draw(dialogue, rng)
    texts = TextAugmenter(dialogue, change.renaming, change.days, change.hours, rng)
    turns = tuple(replace(turn, user=texts.user(turn.user), reference=texts.agent(turn.reference),
                          now=turn.now + change.shift) for turn in dialogue.turns)
    return TrainingDialogue(f"{dialogue.id}-{seed}", change.apply(dialogue.knowledge_base), turns,
                            "augmented")


@dataclass(frozen=True)
class _Change:
    """What becomes of a dialogue.

    Args:
        renaming: Names, numbers and addresses.
        days, hours: By which everything is later.
    """

    renaming: Renaming
    days: int
    hours: int

    @property
    def shift(self) -> dt.timedelta:
        return dt.timedelta(days=self.days, hours=self.hours)

    @classmethod
    def draw(cls, dialogue: TrainingDialogue, rng: random.Random) -> _Change:
        kb = dialogue.knowledge_base
        hours = _hours(dialogue, rng)
        days = rng.randrange(-_MOST_DAYS, _MOST_DAYS)
        return cls(_renaming(dialogue, rng), days if kb.events or days else 1, hours)

    def apply(self, kb: KnowledgeBase) -> KnowledgeBase:
        names = self.renaming
        people = [replace(person, name=names.people[person.name],
                          email=names.emails.get(person.email, person.email),
                          phone=names.phones.get(person.phone, person.phone))
                  for person in kb.people.values()]
        groups = [replace(group, name=names.groups[group.name]) for group in kb.groups.values()]
        rooms = [replace(room, name=names.rooms[room.name],
                         floor=names.floors.get(room.floor, room.floor)
                         if room.floor is not None else None) for room in kb.rooms.values()]
        return KnowledgeBase(name=kb.name, timezone=kb.timezone, people=people, groups=groups,
                             rooms=rooms, events=[self._event(each) for each in kb.events.values()])

    def _event(self, event: Event) -> Event:
        return replace(event, name=self.renaming.events[event.name], start=event.start + self.shift,
                       end=event.end + self.shift)


def _hours(dialogue: TrainingDialogue, rng: random.Random) -> int:
    """Whole hours to move all times of day by, which keep all within office hours."""
    said = " ".join(f"{turn.user} {turn.reference}" for turn in dialogue.turns)
    if _PART_OF_DAY.search(said):
        return 0
    times = [moment.time() for event in dialogue.knowledge_base.events.values() if not event.all_day
             for moment in (event.start, event.end)]
    times += clock_times(said)
    hours = [time.hour + time.minute / 60 for time in times]
    earliest, latest = min(hours, default=_OPENS), max(hours, default=_CLOSES)
    return rng.choice([each for each in range(-9, 10)
                       if earliest + each >= _OPENS and latest + each <= _CLOSES] or [0])


def _renaming(dialogue: TrainingDialogue, rng: random.Random) -> Renaming:
    kb = dialogue.knowledge_base
    known = {person.name for person in kb.people.values()}
    greeted = {match[1] for turn in dialogue.turns for match in _GREETED.finditer(turn.reference)}
    # Somebody outside the organisation, as the agent understood the first name.
    outside = {f"{match[1]} {match[2]}" for turn in dialogue.turns
               for match in _INTRODUCED.finditer(turn.user) if match[1] in greeted} - known
    names = sorted(known | outside)
    firsts = _new_firsts({name.split()[0] for name in names if " " in name} | greeted, rng)
    last = sorted({name.split(maxsplit=1)[1] for name in names if " " in name})
    lasts = dict(zip(last, rng.sample(LAST, min(len(last), len(LAST))), strict=False))
    people: dict[str, str] = {}
    for name in names:
        people[name] = _new_name(name, firsts, lasts, rng)
        while list(people.values()).count(people[name]) > 1:
            people[name] = f"{people[name].split()[0]} {rng.choice(LAST)}"
    emails = {person.email: _new_email(person.name, person.email, people[person.name])
              for person in kb.people.values() if person.email}
    phones = {person.phone: _new_phone(person.phone, rng)
              for person in kb.people.values() if person.phone}
    floors = dict(zip(range(1, 10), rng.sample(range(1, 10), 9), strict=True))
    groups = _fresh((group.name for group in kb.groups.values()), GROUPS, rng)
    return Renaming(people, firsts, groups, _rooms(kb, floors, rng), _events(kb, rng), emails,
                    phones, floors)


def _new_firsts(names: Iterable[str], rng: random.Random) -> dict[str, str]:
    """New first names, of the same gender where it is known."""
    women, men = set(FEMALE), set(MALE)
    pools = {True: rng.sample(FEMALE, len(FEMALE)), False: rng.sample(MALE, len(MALE))}
    found = {}
    for name in sorted(set(names)):
        woman = name in women if name in women or name in men else rng.random() < _HALF
        found[name] = pools[woman].pop() if pools[woman] else name
    return found


def _new_name(name: str, firsts: dict[str, str], lasts: dict[str, str], rng: random.Random) -> str:
    if " " not in name:
        return firsts.get(name) or rng.choice(FEMALE + MALE)
    first, last = name.split(maxsplit=1)
    return f"{firsts[first]} {lasts.get(last) or rng.choice(LAST)}"


def _new_email(name: str, email: str, new_name: str) -> str:
    """The address of the new name, as that of the old name was made."""
    user, at, domain = email.partition("@")
    dotted = normalise_name(name).replace(" ", ".")
    new = normalise_name(new_name).replace(" ", ".")
    return f"{user.replace(dotted, new) if dotted in user else new}{at}{domain}"


def _new_phone(phone: str, rng: random.Random) -> str:
    """Other digits in the same places; the code of a country stays."""
    code = re.match(r"\+\d\d", phone)
    kept = code.end() if code else 0
    return phone[:kept] + _DIGIT.sub(lambda _: rng.choice("0123456789"), phone[kept:])


def _fresh(names: Iterable[str], pool: Sequence[str], rng: random.Random) -> dict[str, str]:
    """Another name for each, no two the same."""
    names = sorted(set(names))
    chosen = [name for name in rng.sample(pool, len(pool)) if name not in names]
    chosen += [f"{name} {number}" for number in range(2, 9) for name in chosen]
    return dict(zip(names, chosen, strict=False))


def _rooms(kb: KnowledgeBase, floors: dict[int, int], rng: random.Random) -> dict[str, str]:
    """Meeting rooms get the names of another building or change theirs; offices get numbers."""
    offices = [room.name for room in kb.rooms.values() if room.name.isdecimal()]
    named = [room.name for room in kb.rooms.values() if not room.name.isdecimal()]
    pool = rng.choice(ROOMS[:2] if rng.random() < _HALF else ROOMS)
    fitting = pool if len(pool) >= len(named) else tuple(dict.fromkeys(sum(ROOMS, ())))
    new = dict(zip(named, rng.sample(fitting, len(named)), strict=True))
    taken: set[str] = set()
    for office in offices:
        floor = str(floors.get(int(office[0]), office[0]))
        number = floor + "".join(rng.choices("0123456789", k=len(office) - 1))
        while number in taken:
            number = floor + "".join(rng.choices("0123456789", k=len(office) - 1))
        taken.add(number)
        new[office] = number
    return new


def _events(kb: KnowledgeBase, rng: random.Random) -> dict[str, str]:
    """Other topics; what kind of event it is stays."""
    split = {event.name: _KINDS.fullmatch(event.name) for event in kb.events.values()}
    topics = _fresh((match["topic"] if match else name for name, match in split.items()), TOPICS,
                    rng)
    return {name: f"{topics[match['topic']]} {match['kind']}" if match else topics[name]
            for name, match in split.items()}
