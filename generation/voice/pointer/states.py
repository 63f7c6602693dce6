"""What MiniLM says of slots: the mean of its states over the tokens of each.

The history is read as a whole, so that its words know each other. Facts are read one by one, so
that their states can be kept: most facts of a turn are facts of the turns before, or were read
when they were ranked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from frontdesk.generation.voice.pointer.source import Slot, Source
from frontdesk.kg.models.minilm import WIDTH, minilm

States = npt.NDArray[np.float32]

#: Tokens of a history that are read, the last ones; MiniLM has positions for 512.
_MOST_TOKENS = 320
_BEGIN, _END = 101, 102
#: Lone halves of UTF-16 pairs, which are no text to a tokenizer.
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class _Read:
    """Texts that were read together.

    Args:
        states: Of the tokens, ``(tokens, 384)``.
        offsets: For each text, the number of its first token and the characters of each.
    """

    states: States
    offsets: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]

    def of(self, slot: Slot) -> States:
        """The mean state ``(384,)`` of the tokens of a slot, of all where it has none."""
        first, characters = self.offsets[slot.piece]
        tokens = [first + number for number, (start, end) in enumerate(characters)
                  if start < slot.end and end > slot.start and first + number > 0]
        chosen = self.states[tokens] if tokens and slot.value is not None else self.states
        mean: States = chosen.mean(0)
        return mean


class StateReader:
    """Reads sources; the states of facts are kept across turns and dialogues.

    Raises:
        MissingModelError: MiniLM is not installed.
    """

    def __init__(self) -> None:
        self._minilm = minilm()

    def read(self, source: Source) -> States:
        """The states of the slots of a source, ``(slots, 384)``."""
        return self.read_all([source])[0]

    def read_all(self, sources: Sequence[Source]) -> list[States]:
        """The states of the slots of each source, read together."""
        facts = [*dict.fromkeys(fact for source in sources for fact in source.facts)]
        read = dict(zip(facts, self._read([(fact,) for fact in facts], keep=True), strict=True))
        return [_slot_states(source, history, read) for source, history in zip(
            sources, self._read([source.turns for source in sources], keep=False), strict=True)]

    def _read(self, texts: Sequence[Sequence[str]], *, keep: bool) -> list[_Read]:
        """Texts, each of one or several that are read together."""
        tokens = [self._tokens(each) for each in texts]
        states = dict(self._minilm.read([ids for ids, _ in tokens], keep=keep))
        return [_Read(states[number].numpy(), offsets)
                for number, (_, offsets) in enumerate(tokens)]

    def _tokens(self, texts: Sequence[str]
                ) -> tuple[list[int], tuple[tuple[int, tuple[tuple[int, int], ...]], ...]]:
        """Ids of the tokens of texts and where they stand; of long ones the last are kept."""
        ids, offsets = [_BEGIN], []
        for text in texts:
            encoded = self._minilm.tokenizer.encode(_LONE_SURROGATE.sub("\ufffd", text),
                                                    add_special_tokens=False)
            first, places = len(ids), []
            for piece in (encoded, *encoded.overflowing):
                places += piece.offsets
                ids += piece.ids
            ids.append(_END)
            offsets.append((first, tuple(places)))
        cut = max(0, len(ids) - _MOST_TOKENS)
        return ([_BEGIN, *ids[cut + 1:]],
                tuple((first - cut, characters) for first, characters in offsets))


def _slot_states(source: Source, history: _Read, facts: Mapping[str, _Read]) -> States:
    if not source.slots:
        return np.zeros((0, WIDTH), dtype=np.float32)
    return np.stack([(facts[source.facts[slot.sequence - 1]] if slot.sequence else history).of(slot)
                     for slot in source.slots])
