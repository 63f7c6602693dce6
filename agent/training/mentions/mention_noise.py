"""Labelled utterances as they are written, and as a speech recogniser hears them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from frontdesk.agent.training.mentions.labelled import LabelledUtterance, Piece, joined
from frontdesk.agent.training.mentions.sounds import SoundAlike
from frontdesk.kg.models.mention_tags import MentionType

#: Types whose words a recogniser does not know.
NAMES = frozenset({MentionType.PERSON, MentionType.EVENT, MentionType.ROOM, MentionType.GROUP,
                   MentionType.SPEAKER})
#: How often a word of a name, or another one, is misheard; a word between names is dropped, the
#: beginning of a turn said again; all is lower case, or names keep their capitals.
_NAME_MISHEARD, _WORD_MISHEARD, _DROPPED, _REPEATED, _LOWER = 0.3, 0.03, 0.02, 0.04, 0.4
_WORD = re.compile(r"[A-Za-z]+")
_SIGNS = re.compile(r"[.,?!;:]+(?=\s|$)")


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
