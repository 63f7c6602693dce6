from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import LogitsProcessor, LogitsProcessorList

from frontdesk.generation.voice.pointer.encoded import EncodedSource, collate, collate_labels
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel
from frontdesk.generation.voice.pointer.source import SIZES, Feature, SourceFact
from frontdesk.generation.voice.pointer.states import StateReader
from frontdesk.generation.voice.pointer.unit_vocabulary import BEGIN, END, NO_COPY, PAD, UNKNOWN
from frontdesk.kg.graph.dialogue_graph import USER

from .tiny import OFFICE, QUESTION, START, WORDS, encoded, source, tiny_model

SUPPRESSED = [PAD, BEGIN, UNKNOWN]


@pytest.fixture(scope="module")
def model():
    return tiny_model()


@pytest.fixture(scope="module")
def reader():
    return StateReader()


@pytest.fixture(scope="module")
def read(reader):
    return encoded(reader)


def replies(model, *sources, **options):
    with torch.inference_mode():
        return model.generate(**collate(sources), **{
            "num_beams": 4, "do_sample": False, "max_new_tokens": 12,
            "suppress_tokens": SUPPRESSED, **options})


def said(tokens):
    """The tokens of a reply up to its end."""
    listed = tokens[1:].tolist()
    return listed[:listed.index(END)] if END in listed else listed


def log_probabilities(model, sources, labels):
    with torch.inference_mode():
        return model(**collate(sources), labels=collate_labels(labels)).logits


def random_source(rng, slots, values, *, facts=True):
    """A source of random numbers, some slots of which say the same and some nothing."""
    copies = rng.integers(0, len(WORDS) + values, slots) if values else rng.integers(
        UNKNOWN + 1, len(WORDS), slots)
    copies[rng.random(slots) < 0.2] = NO_COPY
    features = np.stack([rng.integers(0, SIZES[feature], slots) for feature in Feature], -1)
    return EncodedSource(rng.normal(size=(slots, 384)).astype(np.float32),
                         features.astype(np.int16),
                         rng.integers(0, len(WORDS), slots).astype(np.int32),
                         copies.astype(np.int32))


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1), st.integers(0, 40), st.integers(0, 20),
       st.lists(st.integers(0, 30), max_size=8))
def test_probabilities_over_vocabulary_and_values_sum_to_1(seed, slots, values, label):
    rng = np.random.default_rng(seed)
    sources = [random_source(rng, slots, values), random_source(rng, 7, 5)]
    labels = [[token % len(WORDS) or 1 for token in label] + [END]] * 2
    logits = log_probabilities(tiny_model(), sources, labels)
    totals = logits.double().exp().sum(-1)
    assert totals.numpy() == pytest.approx(np.ones(totals.shape), abs=1e-5)
    assert bool((logits <= 1e-6).all())
    assert bool(logits.isfinite().all())


def test_what_no_slot_says_has_no_probability(model, read):
    """Tokens of values that stand in no slot of this source."""
    kept = read.select(read.features[:, Feature.RANK] == 0)
    other = {*read.copies.tolist()} - {*kept.copies.tolist()}
    both = log_probabilities(model, [kept, read], [[END], [END]]).exp()
    assert len(other) >= 3
    for token in other:
        assert float(both[0, 0, token]) < 1e-8
        assert float(both[1, 0, token]) > 1e-6


def test_what_several_slots_say_is_added_up(model, read):
    """Twice the slots of a value that is all that can be copied make it more probable."""
    zeta = int(read.copies.max())
    once = np.where(read.copies == zeta, zeta, NO_COPY)
    often = np.where(read.copies >= 0, zeta, NO_COPY)
    first, second = (float(log_probabilities(model, [EncodedSource(
        read.states, read.features, read.words, copies.astype(np.int32))], [[END]])[0, 0, zeta])
        for copies in (once, often))
    assert second > first + 0.1


def test_the_vocabulary_and_the_pointers_say_a_word_together(model, read):
    office = WORDS.entries.index("office")
    assert office in read.copies
    never = np.where(read.copies == office, NO_COPY, read.copies).astype(np.int32)
    without = EncodedSource(read.states, read.features, read.words, never)
    with_, alone = (log_probabilities(model, [each], [[END]])[0, 0, office]
                    for each in (read, without))
    assert float(with_) > float(alone) + 1e-3


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 2**32 - 1), st.integers(0, 25), st.integers(0, 12), st.integers(1, 30))
def test_decoding_step_by_step_gives_what_the_whole_reply_gives(seed, slots, values, length):
    rng = np.random.default_rng(seed)
    model = tiny_model(seed=seed % 3)
    sources = [random_source(rng, slots, values), random_source(rng, 9, 4)]
    there = [np.array([*range(END, len(WORDS)),
                       *each.copies[each.copies >= len(WORDS)]]) for each in sources]
    labels = torch.tensor(np.stack([rng.choice(each, length) for each in there]))
    inputs = collate(sources)
    with torch.inference_mode():
        whole = model(**inputs, labels=labels).logits
        given_ = torch.cat([torch.full((2, 1), BEGIN), labels[:, :-1]], 1)
        cache, encoder_outputs, steps = None, None, []
        for position in range(length):
            output = model(**inputs, decoder_input_ids=given_[:, position:position + 1],
                           past_key_values=cache, encoder_outputs=encoder_outputs, use_cache=True)
            cache = output.past_key_values
            steps.append(output.logits[:, 0])
    assert torch.stack(steps, 1).exp().numpy() == pytest.approx(whole.exp().numpy(), abs=1e-5)
    # Where a token is not all but impossible, its logarithm is as exact.
    likely = whole > math.log(1e-4)
    assert torch.stack(steps, 1)[likely].numpy() == pytest.approx(whole[likely].numpy(), abs=1e-4)


def test_padding_and_batch_mates_change_nothing(model, reader, read):
    mates = [encoded(reader, ((USER, "hello"),), ()), read,
             encoded(reader, QUESTION, (OFFICE, START) * 5)]
    labels = [[5, 6, END], [7, 8, 9, 10, END], [END]]
    together = log_probabilities(model, mates, labels)
    for row, (mate, label) in enumerate(zip(mates, labels, strict=True)):
        alone = log_probabilities(model, [mate], [label])[0]
        size = alone.shape[-1]
        assert together[row, :len(label), :size].numpy() == pytest.approx(alone.numpy(), abs=1e-4)
        assert bool((together[row, :len(label), size:] < math.log(1e-8)).all())


def test_batch_mates_do_not_change_replies(model, reader, read):
    mates = [encoded(reader, ((USER, "hello"),), ()), read, encoded(reader, QUESTION, (START,))]
    together = replies(model, *mates)
    for row, mate in enumerate(mates):
        assert said(together[row]) == said(replies(model, mate)[0])


def test_labels_that_are_padded_do_not_count(model, read):
    inputs = collate([read, read])
    with torch.inference_mode():
        both = model(**inputs, labels=collate_labels([[5, 6, 7, END], [5, END]])).loss
        losses = [model(**collate([read]), labels=collate_labels([label])).loss * len(label)
                  for label in ([5, 6, 7, END], [5, END])]
    assert float(both) == pytest.approx(float(sum(losses)) / 6, abs=1e-5)


def test_the_loss_is_smoothed_in_training_only(read):
    inputs, labels = collate([read]), collate_labels([[5, END]])
    smooth, sharp = tiny_model(dropout=0.0), tiny_model(dropout=0.0, label_smoothing=0.0)
    losses = []
    for training in (False, True):
        for model in (smooth, sharp):
            with torch.no_grad():
                losses.append(float(model.train(training)(**inputs, labels=labels).loss))
    assert losses[0] == pytest.approx(losses[1])
    assert losses[3] == pytest.approx(losses[1])
    assert losses[2] != pytest.approx(losses[3], abs=1e-3)


def total(model, source, tokens):
    logits = log_probabilities(model, [source], [tokens])[0]
    return float(logits.gather(1, torch.tensor(tokens)[:, None]).sum())


def test_beams_find_replies_that_are_no_less_probable_than_greedy_ones(read):
    better = 0
    for seed in range(8):
        model = tiny_model(seed=seed)
        greedy = said(replies(model, read, num_beams=1, max_new_tokens=6)[0])
        beam = said(replies(model, read, num_beams=8, max_new_tokens=6, length_penalty=0.0)[0])
        scores = [total(model, read, [*tokens, END][:6]) for tokens in (greedy, beam)]
        assert scores[1] >= scores[0] - 1e-4
        better += scores[1] > scores[0] + 1e-3
    assert better


def test_beams_say_what_the_vocabulary_has_not(model, read):
    """Ids above the vocabulary's go through the search like all others."""
    class OnlyValues(LogitsProcessor):
        def __call__(self, input_ids, scores):
            values = scores.clone()
            values[:, :len(WORDS)] = -torch.inf
            return values

    tokens = replies(model, read, logits_processor=LogitsProcessorList([OnlyValues()]),
                     max_new_tokens=5, num_return_sequences=4)
    values = set(read.copies[read.copies >= len(WORDS)].tolist())
    assert tokens.shape == (4, 6)
    assert len({tuple(each) for each in tokens.tolist()}) == 4
    assert all(set(each[1:]) <= values for each in tokens.tolist())


def test_the_scores_of_beams_are_the_models_own(model, read):
    """Each beam goes on from its own past: kept keys and values move with their beam."""
    with torch.inference_mode():
        output = model.generate(
            **collate([read]), num_beams=4, num_return_sequences=4, do_sample=False,
            max_new_tokens=6, length_penalty=0.0, return_dict_in_generate=True, output_scores=True)
    for tokens, score in zip(output.sequences, output.sequences_scores.tolist(), strict=True):
        listed = tokens[1:].tolist()
        whole = listed[:listed.index(END) + 1] if END in listed else listed
        assert score == pytest.approx(total(model, read, whole), abs=1e-3)


def test_a_logits_processor_sees_log_probabilities_of_all_tokens(model, read):
    seen = []

    class Watch(LogitsProcessor):
        def __call__(self, input_ids, scores):
            seen.append(scores.clone())
            return scores

    replies(model, read, logits_processor=LogitsProcessorList([Watch()]), suppress_tokens=None)
    assert {each.shape[-1] for each in seen} == {int(read.copies.max()) + 1}
    for each in seen:
        assert each.exp().sum(-1).numpy() == pytest.approx(np.ones(len(each)), abs=1e-5)


def test_sampling_follows_its_seed(model, read):
    drawn = []
    for seed in (1, 1, 2, 3):
        torch.manual_seed(seed)
        drawn.append(replies(model, read, num_beams=1, do_sample=True).tolist())
    assert drawn[0] == drawn[1]
    assert drawn[0] not in (drawn[2], drawn[3])


def test_a_reply_may_be_longer_than_there_are_positions(read):
    model = tiny_model(most_positions=4)
    with torch.no_grad():
        model.bias[END] = -50
    tokens = replies(model, read, max_new_tokens=20)
    assert tokens.shape[1] == 21


def test_a_source_of_no_slots_gets_a_reply(model, reader):
    empty = encoded(reader, ((USER, ""),), ())
    assert len(empty) == 0
    assert all(SUPPRESSED[-1] < token < len(WORDS) for token in said(replies(model, empty)[0]))


def test_a_source_of_60_facts_gets_a_reply_that_may_copy_any_of_them(model, reader):
    facts = [SourceFact(f"Person {number}'s phone number is 555-01{number:02d}.", "phone",
                        (f"p{number}", f"555-01{number:02d}"), 1 - number / 60)
             for number in range(60)]
    read = encoded(reader, QUESTION, facts)
    probabilities = log_probabilities(model, [read], [[END]])[0, 0].exp()
    copies = set(read.copies[read.copies >= len(WORDS)].tolist())
    assert len(copies) > 60
    assert all(float(probabilities[token]) > 1e-8 for token in copies)
    assert replies(model, read).shape[0] == 1


def test_a_flood_of_unknown_words_gets_a_reply(model, reader):
    read = encoded(reader, ((USER, " ".join(f"qz{number}x" for number in range(500))),), ())
    assert set(read.words.tolist()) == {UNKNOWN}
    assert all(token in read.copies or UNKNOWN < token < len(WORDS)
               for token in said(replies(model, read)[0]))


def test_a_model_is_saved_and_loaded_by_transformers(model, read, tmp_path):
    model.save_pretrained(tmp_path)
    loaded = PointerGeneratorModel.from_pretrained(tmp_path).eval()
    assert loaded.config.vocabulary == list(WORDS.entries)
    assert loaded.config.predicates == model.config.predicates
    for name, weights in model.state_dict().items():
        assert torch.equal(weights, loaded.state_dict()[name]), name
    assert replies(loaded, read).tolist() == replies(model, read).tolist()


def test_gradients_reach_every_weight(read):
    model = tiny_model().train()
    facts = source().slots
    label = [int(read.copies[facts.index(next(each for each in facts if each.sequence == 1
                                              and each.value))]), 7, END]
    model(**collate([read]), labels=collate_labels([label])).loss.backward()
    without = {name for name, each in model.named_parameters()
               if each.grad is None or not bool(each.grad.any())}
    # Adding the same to all keys of a softmax changes nothing.
    assert without <= {name for name, _ in model.named_parameters()
                       if name.endswith(("key.bias", "pointer_key.bias"))}
