"""Simulated utterances: templates filled with invented mentions, written or heard."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from frontdesk.agent.training.mentions.labelled import (
    LabelledUtterance,
    Piece,
    joined,
    marked,
)
from frontdesk.agent.training.mentions.mention_templates import CLOSINGS, CORES, OPENINGS
from frontdesk.agent.training.mentions.sounds import SoundAlike, everyday_words, rare_words
from frontdesk.data.invented.invented_names import FEMALE, GROUPS, KINDS, LAST, MALE, ROOMS, TOPICS
from frontdesk.kg.english.phrases import MONTHS, NUMBERS, WEEKDAYS
from frontdesk.kg.models.mention_tags import MentionType

#: Types whose words a recogniser does not know.
NAMES = frozenset({MentionType.PERSON, MentionType.EVENT, MentionType.ROOM, MentionType.GROUP,
                   MentionType.SPEAKER})
#: How often a word of a name, or another one, is misheard; a word between names is dropped, the
#: beginning of a turn said again; all is lower case, or names keep their capitals.
_NAME_MISHEARD, _WORD_MISHEARD, _DROPPED, _REPEATED, _LOWER = 0.3, 0.03, 0.02, 0.04, 0.4
_WORD = re.compile(r"[A-Za-z]+")
_SIGNS = re.compile(r"[.,?!;:]+(?=\s|$)")
#: Shares of utterances with an opening, with a closing, with a second core, and as heard.
_OPENED, _CLOSED, _DOUBLE, _HEARD = 0.4, 0.08, 0.12, 0.65
_INNERMOST = re.compile(r"\(([^()]*)\)")
_SLOT = re.compile(r"\{(\w+)\}")


@lru_cache(maxsize=1)
def sound_alike() -> SoundAlike:
    """What words are misheard as: everyday words and names."""
    return SoundAlike([*everyday_words(), *(name.lower() for name in FEMALE + MALE + LAST)])


def simulated_utterance(rng: random.Random) -> LabelledUtterance:
    """What somebody might say to a receptionist.

    Args:
        rng: Chooses.
    """
    parts = [rng.choice(CORES)]
    if rng.random() < _DOUBLE:
        parts.append(rng.choice(("and ", "", "also ")) + rng.choice(CORES))
    if rng.random() < _OPENED:
        parts.insert(0, rng.choice(OPENINGS))
    if rng.random() < _CLOSED:
        parts.append(rng.choice(CLOSINGS))
    return said(marked(_filled(_chosen(" ".join(parts), rng), rng)), rng)


def varied(utterance: LabelledUtterance, rng: random.Random) -> LabelledUtterance:
    """A real utterance with other names in the places of its names.

    Args:
        utterance: As it was heard; what is between names stays as it is.
        rng: Chooses.
    """
    lower = utterance.text == utterance.text.lower()
    pieces = []
    for piece in utterance.pieces():
        if piece.type not in NAMES:
            pieces.append(piece)
            continue
        name = heard([Piece(filler(piece.type, rng), piece.type)], sound_alike(), rng).text
        pieces.append(Piece(name.lower() if lower else name, piece.type))
    return joined(pieces)


def said(pieces: Sequence[Piece], rng: random.Random) -> LabelledUtterance:
    """Pieces as they are written or heard."""
    if rng.random() < _HEARD:
        return heard(pieces, sound_alike(), rng)
    return written(pieces, rng)


def _chosen(template: str, rng: random.Random) -> str:
    """A template with one of each of its alternatives."""
    while True:
        chosen = _INNERMOST.sub(lambda match: rng.choice(match[1].split("|")), template)
        if chosen == template:
            return re.sub(r" (?=[,.?!'’])|(?<=^) +", "", chosen)
        template = chosen


def _filled(template: str, rng: random.Random) -> str:
    """A template with marked mentions in its places."""
    def fill(match: re.Match[str]) -> str:
        kind = MentionType(match[1])
        return f"[{kind}:{filler(kind, rng)}]"

    return _SLOT.sub(fill, template)


def heard(pieces: Sequence[Piece], sounds: SoundAlike, rng: random.Random) -> LabelledUtterance:
    """An utterance as a speech recogniser writes it: misheard, without signs, mostly lower case.

    Args:
        pieces: As somebody would write it.
        sounds: What words are misheard as.
        rng: Chooses.
    """
    lower = rng.random() < _LOWER
    found: list[Piece] = []
    for piece in pieces:
        name = piece.type in NAMES
        text = _SIGNS.sub("", piece.text)
        if piece.type is None and not found:
            text = text[:1].lower() + text[1:] if text[:2] not in ("I ", "I'") else text
        share = _NAME_MISHEARD if name else _WORD_MISHEARD
        text = _misheard(text, share, sounds, rng)
        if piece.type is None:
            text = _dropped(text.replace("’s", "'s"), rng)
        found.append(Piece(text.lower() if lower else text, piece.type))
    if found and found[0].type is None and rng.random() < _REPEATED:
        found.insert(0, Piece(found[0].text + " "))
    return joined(found)


def written(pieces: Sequence[Piece], rng: random.Random) -> LabelledUtterance:
    """An utterance as people type it: with capitals and signs, or without both."""
    if rng.random() < 0.3:
        return joined(Piece(_SIGNS.sub("", piece.text).lower(), piece.type) for piece in pieces)
    if rng.random() < 0.2:
        return joined(Piece(piece.text.lower(), piece.type) for piece in pieces)
    first, *rest = pieces
    return joined([Piece(first.text[:1].upper() + first.text[1:], first.type), *rest])


def _misheard(text: str, share: float, sounds: SoundAlike, rng: random.Random) -> str:
    def other(match: re.Match[str]) -> str:
        word = match.group()
        if len(word) < 3 or rng.random() >= share:
            return word
        instead = sounds.misheard(word.lower(), rng)
        return instead.title() if word[0].isupper() and rng.random() < 0.5 else instead

    return _WORD.sub(other, text)


def _dropped(text: str, rng: random.Random) -> str:
    """A text some of whose words and possessive endings were not heard."""
    if rng.random() < 0.5:
        text = re.sub(r"^'s?(?=\s|$)", "", text)
    return re.sub(r"(?<= )[A-Za-z]+ ", lambda match: "" if rng.random() < _DROPPED
                  else match.group(), text)


#: Shares of names that consist of words that nobody would expect: what matters is their place.
_ODD_PERSON, _ODD_EVENT, _ODD_GROUP, _ODD_ROOM = 0.12, 0.4, 0.25, 0.3
_MORE_KINDS = ("meeting", "meeting", "talk", "retreat", "call", "demo", "standup", "check-in",
               "retrospective", "conference", "lecture", "lunch", "party", "hearing", "course",
               "interview", "session", "sync", "forum", "panel")
_HOURS = NUMBERS[1:13]


def filler(kind: MentionType, rng: random.Random) -> str:
    """A mention of a type as somebody might say it.

    Args:
        kind: Its type.
        rng: Chooses.
    """
    return _FILLERS[kind](rng)


def _person(rng: random.Random) -> str:
    if rng.random() < _ODD_PERSON:
        first, last = (_odd(rng).title() for _ in range(2))
    else:
        first, last = rng.choice(FEMALE + MALE), rng.choice(LAST)
    way = rng.random()
    return first if way < 0.27 else last if way < 0.31 else f"{first} {last}"


def _event(rng: random.Random) -> str:
    topics = [_odd(rng) if rng.random() < _ODD_EVENT else rng.choice(TOPICS)
              for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3)))]
    if len(topics) > 1 and rng.random() < 0.25:
        topics.insert(-1, "and")
    kind = rng.choice(KINDS if rng.random() < 0.6 else _MORE_KINDS)
    name = " ".join([*topics, kind] if rng.random() < 0.93 else topics)
    return name.title() if rng.random() < 0.15 else name


def _room(rng: random.Random) -> str:
    way = rng.random()
    if way < 0.15:
        return f"{rng.choice(('room', 'office', 'room number'))} {rng.randint(1, 699)}"
    name = _odd(rng).title() if rng.random() < _ODD_ROOM else rng.choice(rng.choice(ROOMS))
    return name + rng.choice(("", "", "", " room", " conference room", " meeting room"))


def _group(rng: random.Random) -> str:
    name = _odd(rng) if rng.random() < _ODD_GROUP else rng.choice(GROUPS)
    if rng.random() < 0.1:
        name = f"{name} and {rng.choice(GROUPS)}"
    if rng.random() < 0.5:
        name = name.lower()
    noun = rng.choice((" group", " group", " group", " team", " department", " research group",
                       ""))
    return name + noun


def _time(rng: random.Random) -> str:
    hour, minute = rng.randint(1, 12), rng.choice(("", ":30", ":15", ":45", ":00"))
    word = rng.choice(_HOURS)
    half = rng.choice((" a.m.", " p.m.", "am", " pm", " AM", " PM"))
    return rng.choice((
        f"{hour}{half}", f"{hour}{minute or ':00'}", f"{rng.randint(8, 18)}:00",
        f"{word} o'clock", f"{hour} o'clock", f"{hour}{minute}{half}", "noon",
        f"half past {word}", f"quarter {rng.choice(('to', 'past'))} {word}", word,
        f"{word} {rng.choice(('thirty', 'fifteen'))}", rng.choice((
            "the morning", "the afternoon", "the evening", "lunch time", "lunch", "now",
            "right now")),
        f"between {word} and {rng.choice(_HOURS)}", f"{hour} to {rng.randint(1, 12)}"))


def _date(rng: random.Random) -> str:
    day, month = rng.choice(WEEKDAYS), rng.choice(MONTHS)
    number = rng.randint(1, 28)
    ending = "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    ordinal = f"{number}{ending}"
    return rng.choice((
        "today", "today", "tomorrow", "tomorrow", "the day after tomorrow", "yesterday",
        day, f"next {day}", f"this {day}", f"{month} {number}", f"{month} {ordinal}",
        f"the {ordinal} of {month}", f"the {ordinal}", "next week", "this week",
        f"{day} {month} {ordinal}"))


def _duration(rng: random.Random) -> str:
    return rng.choice((
        "half an hour", "an hour", "one hour", "two hours", "30 minutes", "45 minutes",
        "thirty minutes", "an hour and a half", "90 minutes", "15 minutes", "fifteen minutes",
        "1 hour", "2 hours", "the whole day", f"{rng.randint(5, 60)} minutes"))


def _odd(rng: random.Random) -> str:
    return rng.choice(rare_words())


_FILLERS: Mapping[MentionType, Callable[[random.Random], str]] = {
    MentionType.PERSON: _person, MentionType.SPEAKER: _person, MentionType.EVENT: _event,
    MentionType.ROOM: _room, MentionType.GROUP: _group, MentionType.TIME: _time,
    MentionType.DATE: _date, MentionType.DURATION: _duration,
}
