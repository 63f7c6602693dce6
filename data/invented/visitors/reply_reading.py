"""What a visitor understands of a reply: what is asked, said to be done, suggested, refused.

By key words and the values of the organisation, for receptionists word things in many ways.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection
from dataclasses import dataclass

from frontdesk.data.invented.visitors.read_values import (
    Names,
    read_counts,
    read_days,
    read_emails,
    read_lengths,
    read_phones,
    read_times,
)
from frontdesk.data.invented.visitors.reply_cues import (
    ASKS,
    BUSY,
    CLAIMS,
    CONFIRM,
    FREE,
    LOST,
    NOT_DONE,
    NOT_FOUND,
    NOTHING,
    OFFERS,
    OPEN_QUESTION,
    QUOTED,
    REFUSES,
    SENTENCE_END,
    SUGGESTS,
    TELL_NAME,
    WHAT_ABOUT,
    Asked,
    Claim,
)
from frontdesk.kg.graph.entities import EntityType


@dataclass(frozen=True)
class Reading:
    """What a visitor understands of one reply.

    Args:
        asks: What it asks, the most telling first.
        claims: What it says has been done.
        lost: The receptionist did not understand.
        not_found: It says that there is no such thing.
        refuses: It says that something cannot be done.
        busy: It says that somebody or a room is taken.
        available: Whether it says that somebody or a room is free, by what it says first; None
            when it says neither.
        nothing: It says that there is nothing on a calendar.
        people, rooms, groups, events: Ids of what it names.
        asked_people, asked_events, asked_rooms: Ids of what its questions name.
        times: The clock times it names, each as what it can be.
        offered: Those of its questions, or else of the last sentence that names some.
        lengths: In minutes.
        phones, emails: In digits; in small letters.
        done: By what they say to have been done, the sentences that say so, read by themselves.
        telling: The sentences that neither ask nor say what has been done; None where there are
            none.
        beside: The sentences besides those that say who or what is taken, if there are both.
    """

    text: str
    asks: tuple[Asked, ...] = ()
    claims: frozenset[Claim] = frozenset()
    lost: bool = False
    not_found: bool = False
    refuses: bool = False
    busy: bool = False
    available: bool | None = None
    nothing: bool = False
    suggests: bool = False
    people: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    asked_people: tuple[str, ...] = ()
    asked_events: tuple[str, ...] = ()
    asked_rooms: tuple[str, ...] = ()
    times: tuple[frozenset[str], ...] = ()
    offered: tuple[frozenset[str], ...] = ()
    days: tuple[dt.date, ...] = ()
    lengths: tuple[int, ...] = ()
    phones: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    quoted: tuple[str, ...] = ()
    done: tuple[tuple[Claim, Reading], ...] = ()
    telling: Reading | None = None
    beside: Reading | None = None

    @property
    def denies(self) -> bool:
        """It is a no, of whatever kind, and nothing is said to be done."""
        return (self.refuses or self.busy or self.not_found) and not self.claims

    @property
    def offer(self) -> Reading:
        """The reply without the sentences that say who or what is taken."""
        return self.beside or self

    def saying(self, claims: Collection[Claim]) -> Reading:
        """What of the reply says the first of these to have been done; all of it if none does."""
        return next((reading for claim, reading in self.done if claim in claims), self)


class Reader:
    """Reads replies."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def read(self, text: str, now: dt.datetime, *, whole: bool = True) -> Reading:
        """What a visitor understands of a reply.

        Args:
            whole: Read also the sentences by themselves that say what has been done.
        """
        sentences = [each for each in SENTENCE_END.split(text) if each.strip()]
        questions = " ".join(each for each in sentences if each.rstrip().endswith("?"))
        claiming = [each for each in sentences if not each.rstrip().endswith("?")
                    and _claims(each)]
        claims = frozenset(claim for each in claiming for claim in _claims(each))
        done = () if len(sentences) < 2 or not whole else tuple(
            (claim, self.read(" ".join(each for each in claiming if claim in _claims(each)), now,
                              whole=False))
            for claim in Claim if claim in claims and claim is not Claim.DONE)
        told = [each for each in sentences
                if not each.rstrip().endswith("?") and each not in claiming]
        telling = self.read(" ".join(told), now, whole=False) if whole and told else None
        free = [each for each in sentences if not BUSY.search(each)]
        beside = self.read(" ".join(free), now, whole=False) if whole and free and len(free) < len(
            sentences) else None
        offered = read_times(questions) or next(
            (times for each in reversed(sentences) if (times := read_times(each))), [])

        def named(kind: EntityType, where: str = text) -> tuple[str, ...]:
            return tuple(self.names.find(where, kind))

        asks = _asks(questions)
        if TELL_NAME.search(text):
            asks = (Asked.NAME, *asks)
        return Reading(
            text, asks=tuple(dict.fromkeys(asks)), claims=claims, lost=bool(LOST.search(text)),
            not_found=bool(NOT_FOUND.search(text)), refuses=bool(REFUSES.search(text)),
            busy=bool(BUSY.search(text)), available=_available(text),
            nothing=bool(NOTHING.search(text)), suggests=bool(SUGGESTS.search(text)),
            people=named(EntityType.PERSON), rooms=named(EntityType.ROOM),
            groups=named(EntityType.GROUP), events=named(EntityType.EVENT),
            asked_people=named(EntityType.PERSON, questions),
            asked_events=named(EntityType.EVENT, questions),
            asked_rooms=named(EntityType.ROOM, questions),
            times=tuple(read_times(text)), offered=tuple(offered),
            days=tuple(read_days(text, now)),
            lengths=tuple(read_lengths(text)), phones=tuple(read_phones(text)),
            emails=tuple(read_emails(text)), counts=tuple(read_counts(text)),
            quoted=tuple(QUOTED.findall(text)), done=done, telling=telling,
            beside=beside)


def _available(text: str) -> bool | None:
    busy, free = BUSY.search(text), FREE.search(text)
    if busy and free:
        return free.start() < busy.start()
    return True if free else False if busy else None


def _asks(questions: str) -> tuple[Asked, ...]:
    """What questions ask, all of them together."""
    found: list[Asked] = []
    for sentence in SENTENCE_END.split(questions) if questions else ():
        words = QUOTED.sub('"', sentence)
        found.extend(_kinds(words) or [Asked.OTHER])
    return tuple(dict.fromkeys(found))


def _kinds(words: str) -> list[Asked]:
    """What one question asks."""
    kinds = [asked for asked, pattern in ASKS if pattern.search(words)]
    for alone in (Asked.OPEN, Asked.NAME, Asked.SERIES):
        if alone in kinds:
            return [alone]
    offered = [asked for asked, pattern in OFFERS if pattern.search(words)]
    if offered:
        return offered
    if WHAT_ABOUT.search(words) or (CONFIRM.search(words) and not OPEN_QUESTION.search(words)):
        return [Asked.CONFIRM]
    if not kinds and re.search(r"\bwhich\b", words, re.IGNORECASE):
        return [Asked.WHICH]
    return kinds


def _claims(sentence: str) -> set[Claim]:
    words = QUOTED.sub('"', sentence)
    denied = NOT_DONE.search(words)
    return {claim for claim, pattern in CLAIMS
            if (found := pattern.search(words)) and not (denied and denied.start() < found.start())}
