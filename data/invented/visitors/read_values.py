"""Times, days, lengths and names in what a receptionist says, read as a visitor would.

On purpose apart from the product's own reading of texts: what it says wrong must not be judged by
what it reads wrong.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import cached_property

from frontdesk.kg.english.phrases import MONTHS, NUMBERS, WEEKDAYS
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

_MONTHS = [name.lower() for name in MONTHS]
_WEEKDAYS = [name.lower() for name in WEEKDAYS]
_NUMBERS = NUMBERS[:13]
_HOUR = "|".join(_NUMBERS[1:])
_HALF = r"(?:a\.?m\.?|p\.?m\.?)(?![a-z])"
_CLOCK = re.compile(
    rf"(?<![\d:.+/-])(?:(?P<h>\d{{1,2}})[:.](?P<m>\d{{2}})(?:\s*(?P<half>{_HALF}))?(?![\d:])"
    rf"|(?P<h2>\d{{1,2}}|{_HOUR})\s*(?:(?P<half2>{_HALF})|o['’]?\s?clock(?:\s*(?P<half3>{_HALF}))?)"
    rf"|(?P<noon>\bnoon\b|\bmidday\b)"
    rf"|(?P<to>half past|quarter past|quarter to)\s+(?P<h4>\d{{1,2}}|{_HOUR})"
    rf"|(?<=\bat )(?P<h5>\d{{1,2}}|{_HOUR})(?![\w:.]*\d|\s*(?:people|minutes|hours|members)))",
    re.IGNORECASE)
_RANGE = re.compile(
    rf"\b(?:from\s+|between\s+)?(?P<a>\d{{1,2}})(?P<am>[:.]\d\d)?\s*(?:-|–|to|until|till|and)\s*"
    rf"(?P<b>\d{{1,2}})(?P<bm>[:.]\d\d)?\s*(?P<half>{_HALF})?(?![\d:-])", re.IGNORECASE)
_DATE = re.compile(
    rf"\b(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<mon>{'|'.join(_MONTHS)})"
    rf"|(?P<mon2>{'|'.join(_MONTHS)})\s+(?:the\s+)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])"
    r"|(?P<iso>\d{4}-\d\d-\d\d)|the\s+(?P<d3>\d{1,2})(?:st|nd|rd|th)\b)", re.IGNORECASE)
_NEAR = re.compile(r"\b(?P<after>the )?(?P<near>day after tomorrow|today|tomorrow|tonight|"
                   r"this (?:morning|afternoon|evening))\b", re.IGNORECASE)
_WEEKDAY = re.compile(rf"\b(?P<next>next )?(?P<name>{'|'.join(_WEEKDAYS)})\b", re.IGNORECASE)
_LENGTH = re.compile(
    rf"\b(?:(?P<half>half an hour|half-hour|half hour|a half hour)|(?P<one>an hour and a half|"
    rf"one and a half hours)|(?P<n>\d+(?:\.\d+)?|an|{_HOUR})[\s-]*(?P<u>hours?|minutes?|mins?|h)\b"
    rf"(?:\s+(?:and\s+)?(?P<n2>\d+)\s*(?:minutes?|mins?))?)", re.IGNORECASE)
_PHONE = re.compile(r"\+?\d[\d ()/-]{5,}\d")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_COUNT = re.compile(rf"(?<![\w:.+-])(\d{{1,3}}|no|none|nobody|{_HOUR})(?![\w:]|\.\d)",
                    re.IGNORECASE)
#: Share of a message's words that have to arrive.
_MESSAGE_WORDS = 0.7
_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?")


def same_message(text: str, passed_on: str) -> bool:
    """Whether most words of a message are in what is passed on."""
    words = set(plain(text).split())
    return len(words & set(plain(passed_on).split())) >= _MESSAGE_WORDS * len(words)


def plain(text: str) -> str:
    """The words of a text in small letters, one space between them.

    >>> plain('The "Lens-coating review"!')
    'the lens coating review'
    """
    return " ".join(word.lower().replace("’", "'").removesuffix("'s")
                    for word in _WORD.findall(text))


def read_times(text: str) -> list[frozenset[str]]:
    """The clock times of a text in order, each as what it can be: ``{"02:30", "14:30"}``.

    >>> [sorted(each) for each in read_times("at 14:30, or at 3 pm, or half past one")]
    [['14:30'], ['15:00'], ['01:30', '13:30']]
    """
    found: list[tuple[int, frozenset[str]]] = []
    text = _DATE.sub(lambda match: " " * len(match[0]), text)
    text = _PHONE.sub(lambda match: match[0] if ":" in match[0] else " " * len(match[0]), text)
    for match in _RANGE.finditer(text):
        if match["am"] or match["bm"] or match["half"] or match[0].lower().startswith(
                ("from", "between")):
            half = match["half"]
            found += [(match.start("a"), _clock(match["a"], (match["am"] or "00")[-2:], half,
                                                loose=bool(half))),
                      (match.start("b"), _clock(match["b"], (match["bm"] or "00")[-2:], half))]
            text = text[:match.start()] + " " * len(match[0]) + text[match.end():]
    for match in _CLOCK.finditer(text):
        if match["noon"]:
            read = frozenset({"12:00"})
        elif match["to"]:
            read = _past(match["to"].lower(), match["h4"])
        else:
            hour = match["h"] or match["h2"] or match["h5"]
            read = _clock(hour, match["m"] or "00",
                          match["half"] or match["half2"] or match["half3"])
        if read:
            found.append((match.start(), read))
    return [read for _, read in sorted(found, key=lambda each: each[0]) if read]


def _hour(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.index(word.lower())


def _clock(word: str, minutes: str, half: str | None, *, loose: bool = False) -> frozenset[str]:
    """What a clock time can be; ``loose`` where the half of the day may be that of another."""
    hour, minute = _hour(word), int(minutes)
    if hour > 23 or minute > 59:
        return frozenset()
    if half and hour <= 12 and not loose:
        hours = {hour % 12 + (12 if half.lower().startswith("p") else 0)}
    elif loose or (0 < hour <= 12 and not word.startswith("0")):
        hours = {hour % 12, hour % 12 + 12}
    else:
        hours = {hour}
    return frozenset(f"{each:02d}:{minute:02d}" for each in hours)


def _past(kind: str, word: str) -> frozenset[str]:
    hour, minute = _hour(word), {"half past": 30, "quarter past": 15, "quarter to": 45}[kind]
    hour -= kind == "quarter to"
    return frozenset(f"{each % 24:02d}:{minute:02d}" for each in (hour % 12, hour % 12 + 12))


def read_days(text: str, now: dt.datetime) -> list[dt.date]:
    """The days of a text in order.

    >>> read_days("tomorrow or on Friday 20 March", dt.datetime(2026, 3, 17, 9))
    [datetime.date(2026, 3, 18), datetime.date(2026, 3, 20)]
    """
    today, found = now.date(), []
    dated: list[tuple[int, int]] = []
    for match in _DATE.finditer(text):
        day = _date(match, today)
        if day is not None:
            found.append((match.start(), day))
            dated.append((match.start(), match.end()))
    for match in _NEAR.finditer(text):
        ahead = {"day after tomorrow": 2, "tomorrow": 1}.get(match["near"].lower(), 0)
        found.append((match.start(), today + dt.timedelta(days=ahead)))
    for match in _WEEKDAY.finditer(text):
        if any(0 <= start - match.end() < 4 for start, _ in dated) or any(
                0 <= match.start() - end < 4 for _, end in dated):
            continue  # "Friday 20 March"
        ahead = (_WEEKDAYS.index(match["name"].lower()) - today.weekday()) % 7
        found.append((match.start(), today + dt.timedelta(days=ahead or (7 if match["next"]
                                                                          else 0))))
    return list(dict.fromkeys(day for _, day in sorted(found)))


def _date(match: re.Match[str], today: dt.date) -> dt.date | None:
    try:
        if match["iso"]:
            return dt.date.fromisoformat(match["iso"])
        day = int(match["d"] or match["d2"] or match["d3"])
        if match["d3"]:
            month, year = today.month + (day < today.day), today.year
            return dt.date(year + (month > 12), (month - 1) % 12 + 1, day)
        month = _MONTHS.index((match["mon"] or match["mon2"]).lower()) + 1
        return dt.date(today.year + (month < today.month - 6), month, day)
    except ValueError:
        return None


def read_lengths(text: str) -> list[int]:
    """The lengths of time of a text, in minutes.

    >>> read_lengths("for half an hour, no, 1 hour 30 minutes")
    [30, 90]
    """
    found = []
    for match in _LENGTH.finditer(text):
        if match["half"]:
            found.append(30)
        elif match["one"]:
            found.append(90)
        else:
            word = match["n"].lower()
            number = 1.0 if word == "an" else float(word) if word[0].isdigit() \
                else float(_NUMBERS.index(word))
            minutes = number * (60 if match["u"].lower().startswith("h") else 1)
            half = text[match.end():match.end() + 11].lower() == " and a half"
            found.append(int(minutes + int(match["n2"] or 0) + (30 if half else 0)))
    return found


def read_counts(text: str) -> list[int]:
    """The numbers of a text that count something."""
    return [0 if word.lower() in ("no", "none", "nobody") else _hour(word)
            for word in _COUNT.findall(text)]


def read_phones(text: str) -> list[str]:
    """The digits of the phone numbers in a text, 7 at least."""
    digits = [re.sub(r"\D", "", found) for found in _PHONE.findall(text)]
    return [each for each in digits if len(each) >= 7]


def read_emails(text: str) -> list[str]:
    """The e-mail addresses of a text, in small letters."""
    return [each.lower().rstrip(".") for each in _EMAIL.findall(text)]


class Names:
    """Finds the entities of an organisation in texts by their names."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self.kb = kb

    @cached_property
    def _forms(self) -> dict[EntityType, dict[str, list[str]]]:
        forms: dict[EntityType, dict[str, list[str]]] = {}
        for entity in self.kb.entities():
            forms.setdefault(entity.type, {}).setdefault(plain(entity.name), []).append(entity.id)
        firsts: dict[str, list[str]] = {}
        for person in self.kb.people.values():
            for part in person.name.split():
                firsts.setdefault(plain(part), []).append(person.id)
        for name, ids in firsts.items():
            if len(ids) == 1:  # "Bilal" where there is but one
                forms[EntityType.PERSON].setdefault(name, ids)
        return forms

    def find(self, text: str, kind: EntityType) -> list[str]:
        """Ids of the entities of a kind that a text names, in order, each once."""
        words = f" {plain(text)} "
        found: list[tuple[int, str]] = []
        forms = self._forms.get(kind, {})
        taken = [False] * len(words)
        for name in sorted(forms, key=lambda each: -len(each)):
            at = words.find(f" {name} ") if name else -1
            while at >= 0:
                end = at + len(name) + 1
                if not any(taken[at + 1:end]):
                    taken[at + 1:end] = [True] * (end - at - 1)
                    found.extend((at, each) for each in forms[name])
                at = words.find(f" {name} ", at + 1)
        return list(dict.fromkeys(each for _, each in sorted(found)))
