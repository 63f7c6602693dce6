"""Utterances with other names, dates and times: the part of :mod:`.augment` that rewrites text."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import jellyfish

from frontdesk.data.datasets.spoken_times import DATE, TIME, clock_hour, date_of
from frontdesk.data.datasets.training_dialogues import TrainingDialogue
from frontdesk.data.invented.dialogues.speech_noise import misheard
from frontdesk.data.invented.dialogues.spoken import say_ordinal
from frontdesk.kg.english.phrases import MONTHS, ORDINALS, WEEKDAYS
from frontdesk.kg.graph.knowledge_base import normalise_name

_PHONE = re.compile(r"\+?\d[\d ]{6,}\d")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})\b", re.IGNORECASE)
_ORDINALS = ORDINALS[:9]
_FLOOR = re.compile(rf"\b(?:(?P<digit>\d)(?:st|nd|rd|th)|(?P<word>{'|'.join(_ORDINALS)}))"
                    r"(?= floor\b)"
                    r"|(?<=\bfloor )(?P<number>\d)\b", re.IGNORECASE)
#: Likeness of misheard words with what they stand for, from which on they are replaced.
_ALIKE = 0.84
#: What it costs that they are more or fewer words.
_LONGER = 0.03
#: Of the misheard names, how many are misheard again.
_AGAIN = 0.6
_ADDRESSED = re.compile(r"(?:hi|hello|hey) [A-Z]\w+(?= |,)", re.IGNORECASE)
_HELD = "\ue000"


@dataclass(frozen=True)
class Renaming:
    """New names by old ones, as they are written in the knowledge base.

    Args:
        firsts: First names, also of people whom the knowledge base does not have.
        emails, phones: Addresses and numbers.
        floors: Numbers of floors.
    """

    people: dict[str, str]
    firsts: dict[str, str]
    groups: dict[str, str]
    rooms: dict[str, str]
    events: dict[str, str]
    emails: dict[str, str]
    phones: dict[str, str]
    floors: dict[int, int]


class TextAugmenter:
    """Rewrites what was said in one dialogue.

    Args:
        days, hours: By which everything is later.
        rng: Draws how names are misheard.
    """

    def __init__(self, dialogue: TrainingDialogue, renaming: Renaming, days: int, hours: int,
                 rng: random.Random) -> None:
        self.names = renaming
        self.days, self.hours = days, hours
        self.rng = rng
        self.year = dialogue.turns[0].now.year if dialogue.turns else 2000
        self.phones = {_digits(old): new for old, new in renaming.phones.items()}
        self.emails = {old.casefold(): new for old, new in renaming.emails.items()}
        exact = {**renaming.groups, **renaming.rooms, **renaming.events, **renaming.people}
        self.exact = {old.casefold(): new for old, new in exact.items()}
        self.groups = {old.casefold() for old in renaming.groups}
        self.pattern = _any_of(exact)
        self.first = _any_of(renaming.firsts, re.NOFLAG, r"(?! \d)")
        said = "\n".join(turn.reference for turn in dialogue.turns)
        self.said = said.casefold()
        named = {**renaming.groups, **renaming.events, **renaming.people}
        self.named = {old: new for old, new in named.items() if old.casefold() in self.said}

    def agent(self, text: str) -> str:
        """What the agent said, with the new values."""
        return self._rewrite(text, [])

    def user(self, text: str) -> str:
        """What the user said; misheard names too are replaced."""
        held: list[str] = []
        addressed = _ADDRESSED.match(text)
        if addressed:  # "hello Robert" to a robot
            held.append(addressed[0])
            text = f"{_HELD}0{_HELD}{text[addressed.end():]}"
        for old, new in self.named.items():
            span = self._misheard(text, old)
            if span:
                held.append(misheard(new, self.rng) if self.rng.random() < _AGAIN else new)
                text = f"{text[:span[0]]}{_HELD}{len(held) - 1}{_HELD}{text[span[1]:]}"
        return self._rewrite(text, held)

    def _rewrite(self, text: str, held: list[str]) -> str:
        steps: list[tuple[re.Pattern[str] | None, Callable[[re.Match[str]], str]]] = [
            (_EMAIL, lambda match: self.emails.get(match[0].casefold(), match[0])),
            (_PHONE, self._phone), (self.pattern, self._name),
            (self.first, lambda match: self.names.firsts[match[0]]), (DATE, self._date),
            (_WEEKDAY, self._weekday), (_FLOOR, self._floor),
            (TIME if self.hours else None, self._time)]
        for pattern, new in steps:
            if pattern is not None:
                # What one step has written is out of reach of the others.
                text = pattern.sub(partial(self._hold, held, new), text)
        return re.sub(f"{_HELD}(\\d+){_HELD}", lambda match: held[int(match[1])], text)

    @staticmethod
    def _hold(held: list[str], new: Callable[[re.Match[str]], str], match: re.Match[str]) -> str:
        held.append(new(match))
        return f"{_HELD}{len(held) - 1}{_HELD}"

    def _name(self, match: re.Match[str]) -> str:
        old, new = match[0], self.exact[match[0].casefold()]
        if old.islower() and old in self.groups:
            return new.lower()
        return new[0].upper() + new[1:] if old[0].isupper() else new

    def _phone(self, match: re.Match[str]) -> str:
        new = self.phones.get(_digits(match[0]))
        if new is None:
            return match[0]
        digits = iter(_digits(new))
        return "".join(next(digits) if char.isdigit() else char for char in match[0])

    def _date(self, match: re.Match[str]) -> str:
        old = date_of(match, self.year)
        if old is None:
            return match[0]
        day = old + dt.timedelta(days=self.days)
        said = MONTHS[day.month - 1]
        ordinal = say_ordinal(day.day, word=False) if match["th"] or match["th2"] else str(day.day)
        if match["month"]:
            return f"{said} {ordinal}"
        return f"{ordinal}{match['of'] or ''} {said}"

    def _weekday(self, match: re.Match[str]) -> str:
        old = WEEKDAYS.index(match[0].capitalize())
        new = WEEKDAYS[(old + self.days) % 7]
        return new.lower() if match[0].islower() else new

    def _floor(self, match: re.Match[str]) -> str:
        old = _ORDINALS.index(match["word"].lower()) + 1 if match["word"] \
            else int(match["digit"] or match["number"])
        new = self.names.floors.get(old, old)
        return str(new) if match["number"] else say_ordinal(new, word=bool(match["word"]))

    def _time(self, match: re.Match[str]) -> str:
        hour = clock_hour(match)
        if not 0 < hour <= 12:
            return match[0]
        hour = (hour + self.hours - 1) % 12 + 1
        return f"{hour}:{match['minute']}" if match["hour"] else str(hour)

    def _misheard(self, text: str, name: str) -> tuple[int, int] | None:
        """Where words are that stand for a name and are not it; None when there are none."""
        if name.casefold() in text.casefold():
            return None
        words = list(re.finditer(rf"[^\s{_HELD}]+", text))
        best, place = _ALIKE, None
        length = len(name.split())
        for size in {max(1, length - 1), length, length + 1}:
            for start in range(len(words) - size + 1):
                span = words[start].start(), words[start + size - 1].end()
                said = text[slice(*span)].strip(".,?!")
                if _HELD in said or "'" in said or said.casefold() in self.exact \
                        or f'"{said}"'.casefold() in self.said:
                    continue
                alike = _likeness(said, name) - _LONGER * (size != length)
                if alike > best:
                    best, place = alike, (span[0], span[0] + len(said))
        return place


def _likeness(said: str, name: str) -> float:
    """How alike two names are, in [0, 1]; their first words and their ends have to be, too."""
    left, right = normalise_name(said).split(), normalise_name(name).split()
    if not left or not right or abs(len("".join(left)) - len("".join(right))) > 4:
        return 0.0
    first = jellyfish.jaro_winkler_similarity(left[0], right[0])
    last = jellyfish.jaro_winkler_similarity(left[-1], right[-1])
    whole = float(jellyfish.jaro_winkler_similarity("".join(left), "".join(right)))
    return whole if max(first, last) >= 0.8 and min(first, last) >= 0.4 else 0.0


def _any_of(names: Iterable[str], flags: re.RegexFlag = re.IGNORECASE,
            after: str = "") -> re.Pattern[str] | None:
    longest = sorted(names, key=len, reverse=True)
    if not longest:
        return None
    return re.compile(rf"(?<![\w{_HELD}-])(?:{'|'.join(map(re.escape, longest))})(?![\w-]){after}",
                      flags)


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)
