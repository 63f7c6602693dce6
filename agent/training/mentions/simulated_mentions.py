"""Simulated utterances: templates filled with invented names, written or heard."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import lru_cache

from frontdesk.agent.training.mentions.fillers import filler
from frontdesk.agent.training.mentions.labelled import (
    LabelledUtterance,
    Piece,
    joined,
    marked,
)
from frontdesk.agent.training.mentions.mention_templates import CLOSINGS, CORES, OPENINGS
from frontdesk.agent.training.mentions.sounds import SoundAlike, everyday_words
from frontdesk.data.invented.invented_names import FEMALE, LAST, MALE
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
