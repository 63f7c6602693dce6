"""What the model says to a source: the reply with the least Bayes risk of those that it draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torch import Tensor

from frontdesk.generation.voice.pointer.bayes_risk import Drawn, by_expected_gain, lists_twice
from frontdesk.generation.voice.pointer.ensemble import PointerEnsemble
from frontdesk.generation.voice.pointer.faults import Faults
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel
from frontdesk.generation.voice.pointer.sampling import Reply, draw
from frontdesk.generation.voice.pointer.source import Source
from frontdesk.generation.voice.pointer.unit_vocabulary import SlotTokens, Vocabulary, until_end

#: How replies are drawn where nothing else is set. The same request gets the same reply.
TEMPERATURE, SEED = 0.7, 0
MAX_NEW_TOKENS = 64


def decode(model: PointerGeneratorModel | PointerEnsemble, vocabulary: Vocabulary,
           inputs: Mapping[str, Tensor], source: Source, tokens: SlotTokens, *,
           samples: int | None = None, temperature: float = TEMPERATURE,
           max_new_tokens: int = MAX_NEW_TOKENS) -> list[Reply]:
    """Draw replies; those that differ, the one with the least risk first.

    Args:
        model: In evaluation mode.
        vocabulary: Of the model.
        inputs: Of the source, see :func:`~frontdesk.generation.voice.pointer.encoded.collate`.
        source: What is answered from.
        tokens: Of its slots.
        samples: Replies to draw, at least 1; None for as many as the model's configuration says.
        temperature: Of the draws, above 0.
        max_new_tokens: Most tokens of a reply.
    """
    return best_first(vocabulary, source, tokens, draw(
        model, inputs, model.config.samples if samples is None else samples,
        temperature=temperature, max_new_tokens=max_new_tokens, seed=SEED))


def best_first(vocabulary: Vocabulary, source: Source, tokens: SlotTokens,
               replies: Sequence[Reply]) -> list[Reply]:
    """The replies that differ, the one with the least risk first.

    Replies that list one value twice are left out where there are others.

    Args:
        vocabulary: Of the model that drew them.
        source: What is answered from.
        tokens: Of its slots.
        replies: As often as each was drawn.
    """
    symbols = {reply: vocabulary.symbols(until_end(reply), tokens.values)
               for reply in dict.fromkeys(replies)}
    twice = {reply for reply, said in symbols.items() if lists_twice(said)}
    kept = [reply for reply in replies if reply not in twice] or replies
    values = source.surfaces()
    faults = Faults(source)
    said = {reply: Drawn.of(symbols[reply], values, faults) for reply in dict.fromkeys(kept)}
    first: dict[Drawn, Reply] = {}  # of the replies that read alike
    for reply, each in said.items():
        first.setdefault(each, reply)
    return [first[each] for each in by_expected_gain([said[reply] for reply in kept])]
