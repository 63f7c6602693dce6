"""Numbers, telephone numbers and addresses in a sentence of a reply, and of what they are said."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from frontdesk.generation.answers.reply_sentence import Sentence
from frontdesk.kg.english.phrases import NUMBERS, ORDINALS
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

_PHONE = re.compile(r"(?<![\w+])\+?\d(?:[\s-]?\d){6,}")
# The longest local part that an address may have (RFC 5321) keeps the search linear.
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_NUMBER = re.compile(r"\+?\d[\d\s]*\d|\d")
_CARDINALS, _ORDINALS = NUMBERS[2:13], ORDINALS[:10]
_DOZEN = {"a dozen": 12, "half a dozen": 6, "a couple of": 2}
_VALUE_OF = {"one": 1, **_DOZEN,
             **{word: number for number, word in enumerate(_CARDINALS, start=2)},
             **{word: number for number, word in enumerate(_ORDINALS, start=1)}}
#: Numbers in words where they count people or things, or say a floor.
_IN_WORDS = re.compile(
    rf"\b({'|'.join((*_DOZEN, *_CARDINALS))})(?=\s+(?:\w+\s+)?(?:people|persons?|members?|"
    r"attendees?|guests?|participants?|colleagues|minutes?|hours?|days?|events?|meetings?|"
    r"rooms?)\b)"
    r"|(?<=\bonly )(one)(?=\s+(?:member|attendee|participant|guest)\b)"
    rf"|\b({'|'.join(_ORDINALS)})(?=\s+(?:floor|storey|level)\b)"
    rf"|(?<=\bfloor )({'|'.join(_CARDINALS)})\b", re.IGNORECASE)

_DURATION = re.compile(
    r"(?<![\w.:])(?<!of )(?:(?P<half>half)(?: an?)?"
    rf"|(?P<number>\d+|{'|'.join(_CARDINALS)}|an?|one))"
    r"(?P<more> and a half)?[\s-]*(?P<unit>minute|min|hour)s?\b(?P<longer> and a half\b)?"
    r"(?:,? (?:and )?(?P<minutes>\d+) min(?:ute)?s?\b)?", re.IGNORECASE)
_COUNTED = re.compile(r"\s+(?:(?P<members>members?)|(?P<people>people|persons?)|"
                      r"(?P<attendees>attendees?|guests?|participants?))\b", re.IGNORECASE)
#: Before a number that is not the very one.
_BOUND = re.compile(r"\b(?:(?:more|less|fewer|other) than|over|under|at (?:least|most)|almost|"
                    r"nearly|about|around|some|up to)\s+$", re.IGNORECASE)
#: Before a number of things that were spoken of: "those two meetings".
_SPOKEN_OF = re.compile(r"\b(?:those|these)\s+$", re.IGNORECASE)
#: Between a number and what it is counted of: "8 members of the Optics group".
_OF = re.compile(r"\s+(?:members?|people|attendees?|participants?|guests?)\s+(?:of|in|at)\s+"
                 r"(?:the\s+)?", re.IGNORECASE)

_FLOOR_BEHIND = re.compile(r"(?:st|nd|rd|th)?\s+(?:floor|storey|level)\b", re.IGNORECASE)
_FLOOR_BEFORE = re.compile(r"\b(?:floor|level)\s+(?:number\s+)?$", re.IGNORECASE)


@dataclass(frozen=True)
class StatedValue:
    """A value in a sentence.

    Args:
        said: The value, a number that is spelt out in digits.
        kind: ``phone``, ``address`` or ``number``.
        start, end: Character offsets in the sentence.
        floor: It says which floor.
    """

    said: str
    kind: str
    start: int
    end: int
    floor: bool = False


def find_values(text: str, *, counted: bool = False) -> list[StatedValue]:
    """The telephone numbers and addresses of a text, or its other numbers.

    Args:
        text: At most some thousand characters.
        counted: Find the other numbers, of a text from which everything else that has digits is
            masked.
    """
    return list(_counted(text)) if counted else [
        StatedValue(match.group().strip(), kind, *match.span())
        for pattern, kind in ((_PHONE, "phone"), (_ADDRESS, "address"))
        for match in pattern.finditer(text)]


def _counted(text: str) -> Iterator[StatedValue]:
    for match in _NUMBER.finditer(text):
        number = match.group().strip()
        yield StatedValue(number, "phone" if number.startswith("+") else "number", *match.span(),
                          floor=_is_floor(text, *match.span()))
    for match in _IN_WORDS.finditer(text):
        yield StatedValue(str(_VALUE_OF[match.group().lower()]), "number", *match.span(),
                          floor=_is_floor(text, *match.span()))


def durations(text: str) -> set[int]:
    """The lengths of time that a text names, in minutes: "half an hour", "90 minutes"."""
    found = set()
    for match in _DURATION.finditer(text):
        each = 60 if match["unit"].lower() == "hour" else 1
        said = (match["number"] or "").lower()
        whole = 0 if match["half"] else int(said) if said.isdecimal() else _VALUE_OF.get(said, 1)
        halves = any(match[part] for part in ("half", "more", "longer"))
        found.add(whole * each + (each // 2 if halves else 0) + int(match["minutes"] or 0))
    return found


def counts_spoken_of(value: StatedValue, text: str, count: int) -> bool:
    """Whether a number only counts what was spoken of: "those two meetings".

    Args:
        count: How many events were spoken of.
    """
    return value.said == str(count) and _SPOKEN_OF.search(text[:value.start]) is not None


def what_is_counted(value: StatedValue, text: str) -> str:
    """What a number in a sentence counts, ``people``, ``members`` or ``attendees``; else nothing.
    """
    found = _COUNTED.match(text, value.end) if value.kind == "number" else None
    return next((name for name, said in found.groupdict().items() if said), "") if found else ""


def is_bound(value: StatedValue, text: str) -> bool:
    """Whether a number in a sentence is one that the true one is above or below of, or near."""
    return value.kind == "number" and _BOUND.search(text[:value.start]) is not None


def is_agreed_duration(value: StatedValue, text: str, said: str) -> bool:
    """Whether a number is a length of time that was said before."""
    if value.kind != "number":
        return False
    length = durations(text[value.start:value.end + len(" minutes")])
    return bool(length) and length <= durations(said)


def _is_floor(text: str, start: int, end: int) -> bool:
    return (_FLOOR_BEHIND.match(text, end) is not None
            or _FLOOR_BEFORE.search(text[max(0, start - 20):start]) is not None)


def owners_of(value: StatedValue, said: Sentence, kb: KnowledgeBase,
              spoken_of: Collection[str]) -> set[str]:
    """Ids of what a value may be said of; empty when that cannot be told.

    A telephone number or address goes with the person named last before it, any other number with
    something named in the sentence; without such, or with "it", with the topic.

    Args:
        kb: Has the members of groups and the guests of events.
        spoken_of: Ids of the entities that the user refers to.
    """
    counted = next((ids for mention, ids in said.named if mention.start >= value.end and ids
                    and _OF.fullmatch(said.text[value.end:mention.start])), None)
    if counted:
        return counted
    before = [ids for mention, ids in said.named if mention.end <= value.start and ids]
    people = [ids for ids in before if not ids.isdisjoint(kb.people)]
    if value.kind != "number" and people:
        return people[-1]
    owners = {each for ids in before or [ids for _, ids in said.named] for each in ids}
    if said.says_it or not owners:
        owners |= said.topic.union(spoken_of)
    if value.kind != "number":
        owners |= {person.id for each in owners for person in kb.members(each)}
        owners |= {person for each in owners if each in kb.events
                   for person in kb.events[each].concerned()}
    return owners
