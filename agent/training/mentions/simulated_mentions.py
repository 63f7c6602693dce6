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
from frontdesk.agent.training.mentions.mention_noise import NAMES, heard, written
from frontdesk.agent.training.mentions.mention_templates import CLOSINGS, CORES, OPENINGS
from frontdesk.agent.training.mentions.sounds import SoundAlike, everyday_words
from frontdesk.data.invented.invented_names import FEMALE, LAST, MALE
from frontdesk.kg.models.mention_tags import MentionType

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
