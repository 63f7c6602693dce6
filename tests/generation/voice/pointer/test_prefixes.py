from __future__ import annotations

import pytest
import torch

from frontdesk.generation.voice.pointer.encoded import collate
from frontdesk.generation.voice.pointer.prefixes import PrefixDecoder, Prefixes
from frontdesk.generation.voice.pointer.states import StateReader
from frontdesk.generation.voice.pointer.unit_vocabulary import BEGIN, END
from frontdesk.kg.graph.dialogue_graph import USER

from .tiny import OFFICE, QUESTION, START, WORDS, encoded, tiny_model

SOURCES = ((QUESTION, (OFFICE, START)), (QUESTION[:1], (START,)), (((USER, ""),), ()))


@pytest.fixture(scope="module")
def model():
    return tiny_model()


@pytest.fixture(scope="module")
def sources():
    reader = StateReader()
    return [collate([encoded(reader, *each)]) for each in SOURCES]


def plain(model, inputs, tokens):
    """What the model says after each beginning of a reply, read as a whole."""
    with torch.inference_mode():
        return model(**inputs, decoder_input_ids=torch.tensor([[BEGIN, *tokens]])).logits[0]


def tokens_of(inputs, length, seed=0):
    """A reply of anything that can be said."""
    there = sorted({*range(END + 1, len(WORDS)), *inputs["copy_ids"][0].tolist()} - {-1})
    chosen = torch.randint(len(there), (length,),
                           generator=torch.Generator().manual_seed(seed)).tolist()
    return [there[each] for each in chosen]


@pytest.mark.parametrize("number", range(len(SOURCES)))
@torch.inference_mode()
def test_each_beginning_is_read_as_the_model_reads_a_whole_reply(model, sources, number):
    """Also beyond the last place that the model has a position for."""
    inputs, length = sources[number], 30
    assert length > model.config.most_positions
    tokens = tokens_of(inputs, length)
    decoder, prefixes = PrefixDecoder(model), Prefixes(model, inputs)
    found = []
    for token in tokens:
        found.append(decoder.say([prefixes])[0][0])
        prefixes.go_on([(0, token)])
    assert torch.allclose(torch.stack(found), plain(model, inputs, tokens[:-1]), atol=1e-4)


@torch.inference_mode()
def test_beginnings_branch_and_end_without_a_trace_in_the_others(model, sources):
    inputs = sources[0]
    one, two, three = (tokens_of(inputs, 3, seed) for seed in range(3))
    decoder, prefixes = PrefixDecoder(model), Prefixes(model, inputs)
    decoder.say([prefixes])
    prefixes.go_on([(0, one[0]), (0, two[0])])
    decoder.say([prefixes])
    prefixes.go_on([(1, two[1]), (0, one[1]), (1, three[1])])
    decoder.say([prefixes])
    prefixes.go_on([(2, three[2]), (1, one[2])])
    assert len(prefixes) == 2
    for said, reply in zip(decoder.say([prefixes])[0], ([two[0], three[1], three[2]], one),
                           strict=True):
        assert torch.allclose(said, plain(model, inputs, reply)[-1], atol=1e-4)


@torch.inference_mode()
def test_sources_of_any_length_are_read_together_as_each_alone(model, sources):
    decoder = PrefixDecoder(model)
    replies = [tokens_of(inputs, 2 * number) for number, inputs in enumerate(sources)]
    several = []
    for inputs, reply in zip(sources, replies, strict=True):
        prefixes = Prefixes(model, inputs)
        for token in reply:
            decoder.say([prefixes])
            prefixes.go_on([(0, token)])
        several.append(prefixes)
    for said, inputs, reply in zip(decoder.say(several), sources, replies, strict=True):
        assert torch.allclose(said[0], plain(model, inputs, reply)[-1], atol=1e-4)
