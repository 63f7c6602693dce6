from __future__ import annotations

import copy
import itertools
import math
from functools import cache

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import T5Config, T5ForConditionalGeneration

from frontdesk.generation.voice.pmi_decoding import (
    OnlyInKnowledge,
    PmiDecoding,
    PmiSettings,
    pmi_generate,
)
from frontdesk.kg.graph.errors import InputError

NEVER = -math.inf


def logs(*probabilities):
    return torch.tensor([probabilities]).log()


def scores(with_, without, **options):
    decoding = PmiDecoding(PmiSettings(options.pop("alpha", 0.25), options.pop("top_p", 0.6)),
                           **options)
    found = decoding(torch.zeros(2, 1, dtype=torch.long),
                     torch.cat([logs(*with_), logs(*without)]))
    assert torch.equal(found[0], found[1])
    return found[0].tolist()


# --- equation 9

def test_a_hand_worked_distribution():
    """Of 0.5, 0.3, 0.2 the first two have 0.6; by CPMI the second wins at alpha 0.25.

    0.75 log 0.5 + 0.25 log (0.5 / 0.8) = -0.6374, 0.75 log 0.3 + 0.25 log (0.3 / 0.05) = -0.4550.
    """
    found = scores((0.5, 0.3, 0.2), (0.8, 0.05, 0.15))
    assert found == pytest.approx([-0.6374, -0.4550, NEVER], abs=1e-4)
    assert scores((0.5, 0.3, 0.2), (0.8, 0.05, 0.15), alpha=0.1)[0] > scores(
        (0.5, 0.3, 0.2), (0.8, 0.05, 0.15), alpha=0.1)[1]


def test_alpha_0_is_likelihood_and_alpha_1_is_mutual_information():
    with_, without = (0.5, 0.3, 0.2), (0.2, 0.5, 0.3)
    assert scores(with_, without, alpha=0.0, top_p=1.0) == pytest.approx(
        [math.log(each) for each in with_], abs=1e-6)
    assert scores(with_, without, alpha=1.0, top_p=1.0) == pytest.approx(
        [math.log(a / b) for a, b in zip(with_, without, strict=True)], abs=1e-6)


@pytest.mark.parametrize(("top_p", "kept"), [
    (0.01, 1), (0.5, 1), (0.51, 2), (0.8, 2), (0.81, 3), (1.0, 3)])
def test_the_nucleus_is_the_smallest_set_with_enough_probability(top_p, kept):
    found = scores((0.5, 0.3, 0.2, 0.0), (0.25, 0.25, 0.25, 0.25), top_p=top_p)
    assert [each > NEVER for each in found] == [number < kept for number in range(4)]


def test_some_tokens_are_never_said():
    assert scores((0.5, 0.3, 0.2), (0.3, 0.3, 0.4), never=(0,), top_p=1.0)[0] == NEVER


def test_values_that_only_the_knowledge_has_share_what_is_unknown():
    alone = OnlyInKnowledge(torch.tensor([2]), unknown=1, among=10)
    found = scores((0.1, 0.1, 0.8), (0.6, 0.4, 1e-9), alpha=0.5, top_p=1.0,
                   only_in_knowledge=alone)
    assert found[2] == pytest.approx(math.log(0.8) - 0.5 * math.log(0.04), abs=1e-5)


def test_drawing_gives_tokens_their_share():
    with_, without = (0.5, 0.3, 0.2), (0.8, 0.1, 0.1)
    expected = torch.tensor(scores(with_, without, top_p=1.0)).softmax(-1)
    decoding = PmiDecoding(PmiSettings(0.25, 1.0), generator=torch.Generator().manual_seed(0))
    both = torch.cat([logs(*with_).expand(4000, -1), logs(*without).expand(4000, -1)])
    found = decoding(torch.zeros(8000, 1, dtype=torch.long), both).argmax(-1)
    assert torch.equal(found[:4000], found[4000:])
    shares = found[:4000].bincount(minlength=3) / 4000
    assert shares.tolist() == pytest.approx(expected.tolist(), abs=0.03)


@pytest.mark.parametrize(("alpha", "top_p", "message"), [
    (-0.1, 0.6, "alpha is -0.1"), (1.1, 0.6, "alpha is 1.1"), (math.nan, 0.6, "alpha"),
    (0.25, 0.0, "top_p is 0.0"), (0.25, 1.5, "top_p is 1.5")])
def test_weights_out_of_range_are_refused(alpha, top_p, message):
    with pytest.raises(InputError, match=message):
        PmiSettings(alpha, top_p)


# --- brute force over a toy vocabulary

VOCABULARY, LONGEST, END = 5, 3, 1


@pytest.fixture(scope="module")
def toy():
    """An encoder-decoder over five tokens, of which 0 fills up and 1 ends."""
    with torch.random.fork_rng():
        torch.manual_seed(3)
        model = T5ForConditionalGeneration(T5Config(
            vocab_size=VOCABULARY, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2,
            dropout_rate=0.0, initializer_factor=3.0, tie_word_embeddings=False,
            pad_token_id=0, eos_token_id=END, decoder_start_token_id=0))
    return model.eval()


def two_passes(read):
    """What is read with knowledge, and without it the last two tokens alone."""
    return {"input_ids": torch.tensor([read, [*read[-2:], *[0] * (len(read) - 2)]]),
            "attention_mask": torch.tensor([[1] * len(read), [1, 1] + [0] * (len(read) - 2)])}


def step_scores(toy, inputs, said, weights):
    """Equation 9 after some tokens, by two passes of their own."""
    with torch.inference_mode():
        with_, without = (toy(
            input_ids=inputs["input_ids"][row:row + 1],
            attention_mask=inputs["attention_mask"][row:row + 1],
            decoder_input_ids=torch.tensor([[0, *said]])).logits[0, -1].log_softmax(-1).tolist()
            for row in (0, 1))
    order = sorted(range(VOCABULARY), key=lambda each: -with_[each])
    kept, mass = set(), 0.0
    for token in order:
        if mass >= weights.top_p:
            break
        kept.add(token)
        mass += math.exp(with_[token])
    return [(1 - weights.alpha) * with_[token]
            + weights.alpha * (with_[token] - without[token]) if token in kept else NEVER
            for token in range(VOCABULARY)]


def all_replies(toy, inputs, weights):
    """Every reply of at most so many tokens with its score, summed over its tokens."""
    after = cache(lambda said: step_scores(toy, inputs, said, weights))
    found = {}
    for length in range(1, LONGEST + 1):
        for reply in itertools.product(range(VOCABULARY), repeat=length):
            if END in reply[:-1] or (length < LONGEST and reply[-1] != END):
                continue
            total = 0.0
            for number, token in enumerate(reply):
                total += after(reply[:number])[token]
            found[reply] = total
    return found


READ = st.lists(st.integers(2, VOCABULARY - 1), min_size=3, max_size=5)
WEIGHTS = st.builds(PmiSettings, st.sampled_from([0.0, 0.25, 0.7, 1.0]),
                    st.sampled_from([0.4, 0.6, 0.9, 1.0]))


@settings(deadline=None, max_examples=8)
@given(read=READ, weights=WEIGHTS)
def test_greedy_takes_the_best_token_of_two_passes_at_each_step(toy, read, weights):
    inputs = two_passes(read)
    (said,) = pmi_generate(toy, inputs, PmiDecoding(weights), max_new_tokens=LONGEST)
    for number, token in enumerate(said[1:]):
        expected = step_scores(toy, inputs, said[1:1 + number], weights)
        assert expected[token] == pytest.approx(max(expected), abs=1e-3)
        if token == END:
            break


@settings(deadline=None, max_examples=5)
@given(read=READ, weights=WEIGHTS)
def test_a_beam_search_that_is_wide_enough_finds_the_best_of_all_replies(toy, read, weights):
    inputs = two_passes(read)
    every = all_replies(toy, inputs, weights)
    (said, *_) = pmi_generate(toy, inputs, PmiDecoding(weights), max_new_tokens=LONGEST,
                              num_beams=VOCABULARY ** 2, length_penalty=0.0, early_stopping=False)
    reply = tuple(said[1:])
    if END in reply:
        reply = reply[:reply.index(END) + 1]
    assert every[reply] == pytest.approx(max(every.values()), abs=1e-3)


def test_several_replies_are_those_of_the_first_half(toy):
    inputs = two_passes([2, 3, 4])
    found = pmi_generate(toy, inputs, PmiDecoding(PmiSettings(0.25, 1.0)), max_new_tokens=LONGEST,
                         num_beams=4, num_return_sequences=4)
    assert 1 <= len(found) <= 4
    assert found[0] == pmi_generate(toy, inputs, PmiDecoding(PmiSettings(0.25, 1.0)),
                                    max_new_tokens=LONGEST, num_beams=4)[0]


def test_drawn_replies_are_the_same_for_the_same_seed(toy):
    inputs = two_passes([2, 3, 4])
    toy = copy.deepcopy(toy)
    with torch.no_grad():
        toy.lm_head.weight *= 0.1  # less sure

    def drawn(seed):
        return [pmi_generate(toy, inputs, PmiDecoding(
            PmiSettings(0.25, 1.0), generator=torch.Generator().manual_seed(seed + each)),
            max_new_tokens=LONGEST) for each in range(12)]
    assert drawn(0) == drawn(0)
    assert len({str(each) for each in drawn(0)}) > 1
