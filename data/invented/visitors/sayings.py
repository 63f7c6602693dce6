"""How one visitor says things: phrases, times, days, names, hesitations and slips."""

from __future__ import annotations

import datetime as dt
import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from frontdesk.data.invented.dialogues.dialogue_wording import draw
from frontdesk.data.invented.dialogues.spoken import spoken_time
from frontdesk.data.invented.invented_names import FEMALE, MALE
from frontdesk.data.invented.visitors.refilled_wordings import (
    RealWordings,
    Refill,
    Value,
    When,
    meanings,
)
from frontdesk.data.invented.visitors.visited_organisations import Split
from frontdesk.kg.english.phrases import MONTHS, NUMBERS, WEEKDAYS
from frontdesk.kg.graph.entities import Person
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

_SLOT = re.compile(r"\{(\w+)\}")
_NUMBERS = ("no", *NUMBERS[1:13])
_GENDER = dict.fromkeys(FEMALE, ("her", "she", "her")) | dict.fromkeys(MALE, ("his", "he", "him"))
#: Shares of utterances with a filler, with a slip of the keys, of visitors who write small.
_FILLER, _SLIP, _SMALL = 0.12, 0.06, 0.1


@cache
def phrases(split: Split) -> Mapping[str, Sequence[str]]:
    """The sentence patterns of a split by key."""
    text = files("frontdesk.data.invented.visitors").joinpath(f"{split}.toml").read_text("utf-8")
    return tomllib.loads(text)


class Speaker:
    """Words what a visitor wants to say.

    Args:
        rng: All is drawn from it.
        typed: Whether the visitor types, with slips, or speaks.
        wordings: Utterances of real people to say it with, where one fits.
    """

    def __init__(self, kb: KnowledgeBase, now: dt.datetime, rng: random.Random, split: Split, *,
                 typed: bool, wordings: RealWordings | None = None) -> None:
        self.kb, self.now, self.rng, self.typed = kb, now, rng, typed
        self.wordings = wordings
        self.phrases = phrases(split)
        self.small = typed and rng.random() < _SMALL
        self.twelve = rng.random() < 0.65
        self.short_names = rng.random() < 0.15
        #: Words of names, titles and times, in which nobody makes a slip.
        self._values: set[str] = set()
        #: Keys of what was said since they were last looked at.
        self.keys: list[str] = []
        #: What of it real people said, and the keys for which none of their words fitted.
        self.refills: list[Refill] = []
        self.unfitted: list[str] = []

    def chance(self, probability: float) -> bool:
        """True with a probability."""
        return self.rng.random() < probability

    def say(self, key: str, means: Mapping[str, Value] = MappingProxyType({}), /,
            **slots: str) -> str:
        """A sentence.

        Args:
            means: Words for the forms of the key, besides those of the slots.
        """
        self.keys.append(key)
        self._values.update(word.strip(".,!?") for text in slots.values()
                            for word in text.split())
        if self.wordings is not None and key in meanings():
            if found := self.refilled(key, {**_meant(slots), **means}):
                return found.text
            self.unfitted.append(key)
        texts = {**slots, **{name.capitalize(): text[:1].upper() + text[1:]
                             for name, text in slots.items()}}
        sentence = _SLOT.sub(lambda match: texts[match[1]], draw(self.rng, self.phrases[key]))
        return re.sub(r"\s+([.!?,])", r"\1", sentence).replace(".m..", ".m.").replace("?.", "?")

    def refilled(self, key: str, values: Mapping[str, Value], *patterns: str) -> Refill | None:
        """What real people say with a visitor's words in it; None where nothing fits.

        Args:
            values: Words by their names in the forms.
            patterns: The forms; those of the key by default.
        """
        if self.wordings is None:
            return None
        found = self.wordings.refill(self.rng, key, values, patterns)
        if found is not None:
            self.refills.append(found)
            self._values.update(word.strip(".,!?") for word in found.text.split())
        return found

    def finished(self, text: str, *, exact: bool = False) -> str:
        """An utterance with the hesitations and slips that it is given.

        Args:
            exact: It has words to be passed on, and gets none.
        """
        text = re.sub(r"(?<!\.m)([.!?]) ([a-z])", lambda found: f"{found[1]} {found[2].upper()}",
                      " ".join(text.split()))
        text = text.replace(".m..", ".m.")
        if not exact and self.chance(_FILLER) and len(text.split()) > 3:
            text = self.rng.choice(self.phrases["filler"]) + self.lower(text)
        text = text[:1].upper() + text[1:]
        if self.typed and not exact and self.chance(_SLIP):
            text = self._slip(text)
        return text.lower().rstrip(".") if self.small else text

    def lower(self, text: str) -> str:
        """A sentence to come after other words: with a small letter unless it is a name's."""
        first = re.split(r"[^\w]", text, maxsplit=1)[0]
        keep = first in ("I", "") or first[1:2].isupper() or first in _name_words(self.kb)
        return text if keep else text[0].lower() + text[1:]

    def _slip(self, text: str) -> str:
        """A text with two letters of a longer common word swapped."""
        words = text.split(" ")
        places = [at for at, word in enumerate(words) if len(word) > 4 and word.isalpha()
                  and word.islower() and word not in self._values]
        if not places:
            return text
        at = self.rng.choice(places)
        letter = self.rng.randrange(1, len(words[at]) - 2)
        word = words[at]
        words[at] = word[:letter] + word[letter + 1] + word[letter] + word[letter + 2:]
        return " ".join(words)

    # Values

    def time(self, moment: dt.datetime) -> str:
        """A clock time in one of many ways: ``10``, ``2 p.m.``, ``half past ten``, ``14:30``."""
        if not self.twelve:
            return f"{moment:%H:%M}"
        hour = (moment.hour - 1) % 12 + 1
        if self.chance(0.2) and moment.minute in (0, 30):
            return _NUMBERS[hour] if not moment.minute else f"half past {_NUMBERS[hour]}"
        return spoken_time(moment, self.rng)

    def day(self, day: dt.date, *, on: bool = True) -> str:
        """``today``, ``tomorrow``, ``on Thursday``, ``on Thursday, 19 March``.

        Args:
            day: Within the next weeks.
            on: Whether other days come with their preposition.
        """
        ahead = (day - self.now.date()).days
        if ahead in (0, 1):
            return ("today", "tomorrow")[ahead]
        name, date = WEEKDAYS[day.weekday()], f"{day.day} {MONTHS[day.month - 1]}"
        if not 0 < ahead < 7:
            said = f"{name}, {date}" if self.chance(0.5) else \
                f"{MONTHS[day.month - 1]} {day.day}"
        else:
            said = name if self.chance(0.8) else f"{name}, {date}"
        return f"on {said}" if on else said

    def part(self, day: dt.date, part: str) -> str:
        """``this morning``, ``tomorrow afternoon``, ``on Thursday morning``."""
        if day == self.now.date():
            return f"this {part}"
        said = self.day(day)
        return f"{said} {part}" if said[-1].isalpha() else f"{said} in the {part}"

    def when(self, start: dt.datetime) -> str:
        """A day and a time, in either order."""
        day, time = self.day(start.date()), self.time(start)
        return f"{day} at {time}" if self.chance(0.5) else f"at {time} {day}"

    def length(self, minutes: int) -> str:
        """``half an hour``, ``90 minutes``, ``two hours``."""
        hours = {30: ("half an hour", "30 minutes", "thirty minutes"),
                 45: ("45 minutes", "three quarters of an hour"),
                 60: ("an hour", "one hour", "60 minutes"),
                 90: ("an hour and a half", "90 minutes", "one and a half hours"),
                 120: ("two hours", "2 hours", "120 minutes")}
        return self.rng.choice(hours.get(minutes, (f"{minutes} minutes",)))

    def people(self, ids: Sequence[str], also: Sequence[str] = ()) -> str:
        """Names in a row: ``Ada Berg, Tom Ek and Ines Holm``.

        Args:
            also: Names of others.
        """
        names = [*(self.name(each) for each in ids), *also]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

    def name(self, person: str) -> str:
        """A person's name; only the first where that is enough and the visitor likes it so."""
        name = self.kb.people[person].name
        first = name.split()[0]
        alone = sum(each.name.split()[0] == first for each in self.kb.people.values()) == 1
        return first if self.short_names and alone else name

    def pronouns(self, person: Person) -> dict[str, str]:
        """``her``, ``she`` and ``them``; the first name where the name says no gender."""
        first = person.name.split()[0]
        her, she, them = _GENDER.get(first, (f"{first}'s", first, first))
        return {"her": her, "she": she, "them": them}

    def count(self, number: int) -> str:
        """``somebody``, ``two people``."""
        if number == 1:
            return self.rng.choice(("somebody", "one person", "someone"))
        return f"{_NUMBERS[number]} people"


def _meant(slots: Mapping[str, str]) -> dict[str, Value]:
    """The texts of slots, those that say a time as such."""
    return {**slots, **{name: When(**{part: slots[name]}) for name, part in (
        ("day", "day"), ("time", "clock")) if name in slots}}


@cache
def _name_words(kb: KnowledgeBase) -> frozenset[str]:
    return frozenset(word for entity in kb.entities() for word in entity.name.split()
                     if word[:1].isupper())
