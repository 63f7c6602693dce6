from __future__ import annotations

import numpy as np
import pytest
import torch

from frontdesk.kg.minilm import WIDTH, batches, minilm


def waste(lengths, batch):
    return sum(max(lengths[number] for number in batch) - lengths[number] for number in batch)


@pytest.mark.parametrize("lengths", [
    [], [7], [9, 150, 11, 10, 9, 12], [12] * 100, list(range(1, 257)), [512, 3, 512]])
def test_batches_have_every_text_once_with_little_padding(lengths):
    found = list(batches(lengths))
    assert sorted(number for batch in found for number in batch) == list(range(len(lengths)))
    assert all(waste(lengths, batch) <= 20 for batch in found)


def test_batches_are_as_large_as_a_pass_may_be_and_no_larger():
    lengths = [16] * 100
    sizes = [len(batch) for batch in batches(lengths)]
    assert sizes == [32, 32, 32, 4]
    assert list(batches([600])) == [[0]]


def test_a_long_text_is_not_read_with_short_ones():
    assert list(batches([10, 150, 11, 10])) == [[0, 3, 2], [1]]


def test_texts_have_the_states_that_each_has_alone():
    """Also those that are padded and those that fill several passes."""
    texts = ["Rowan is free.", "The budget review is in Beta tomorrow from 9:00 to 10:30.",
             "word " * 200, *(f"Room {number} is on floor {number % 7}." for number in range(70))]
    ids = [minilm().tokenizer.encode(text).ids for text in texts]
    read = dict(minilm().read(ids))
    assert sorted(read) == list(range(len(texts)))
    for number, text in enumerate(ids):
        with torch.inference_mode():
            alone = minilm().model(input_ids=torch.tensor([text])).last_hidden_state[0]
        assert read[number].shape == (len(text), WIDTH)
        assert read[number].numpy() == pytest.approx(alone.numpy(), abs=1e-4)


def test_nothing_is_read_of_no_texts():
    assert not list(minilm().read([]))


def test_states_do_not_depend_on_what_else_is_read():
    short, long = (minilm().tokenizer.encode(text).ids for text in ("Is Ada in?", "so " * 100))
    alone, beside = (dict(minilm().read(texts))[0].numpy() for texts in ([short], [short, long]))
    assert np.abs(alone - beside).max() < 1e-5
