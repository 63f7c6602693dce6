from __future__ import annotations

from collections import Counter
from operator import eq

import pytest
import torch

from frontdesk.agent.domains.domain_pack import PACKAGED_WEIGHTS
from frontdesk.generation.voice.embedded import encode
from frontdesk.generation.voice.pointer.decoding import MAX_NEW_TOKENS, SEED, TEMPERATURE
from frontdesk.generation.voice.pointer.encoded import collate, collate_labels
from frontdesk.generation.voice.pointer.ensemble import PointerEnsemble, load_pointer_model
from frontdesk.generation.voice.pointer.sampling import Sampler, Sampling, draw
from frontdesk.generation.voice.pointer.source import read_source
from frontdesk.generation.voice.pointer.states import StateReader
from frontdesk.generation.voice.pointer.unit_vocabulary import BEGIN, END, PAD, UNKNOWN
from frontdesk.kg.graph.dialogue_graph import USER

from .tiny import OFFICE, QUESTION, START, Names, encoded, tiny_model

NEVER = [PAD, BEGIN, UNKNOWN]


@pytest.fixture(scope="module", params=["model", "ensemble"])
def model(request):
    models = [tiny_model(seed=seed) for seed in range(2)]
    return models[0] if request.param == "model" else PointerEnsemble.of(models)


@pytest.fixture(scope="module")
def read():
    return encoded(StateReader())


def drawn(model, read, count, *, temperature=1.0, most=12, seed=0):
    return draw(model, collate([read]), count, temperature=temperature, max_new_tokens=most,
                seed=seed)


def members(model):
    return model.models if isinstance(model, PointerEnsemble) else (model,)


def distribution(model, read, before, temperature=1.0):
    """The probability of each token after others, with what is never said left out.

    That of an ensemble is its members', as probable as each has said what is before.
    """
    found = []
    with torch.inference_mode():
        for member in members(model):
            logits = member(**collate([read]), labels=collate_labels([[*before, END]])).logits[0]
            logits[:, NEVER] = -torch.inf
            steps = (logits / temperature).softmax(-1)
            said = torch.tensor([float(step[token])
                                 for step, token in zip(steps, before, strict=False)])
            found.append((said.prod(), steps[-1]))
    return sum(weight * last for weight, last in found) / sum(weight for weight, _ in found)


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_tokens_are_drawn_as_often_as_they_are_probable(model, read, temperature):
    count = 4000
    replies = drawn(model, read, count, temperature=temperature, most=2)
    counts = Counter(reply[:1] for reply in replies)
    most = counts.most_common(1)[0][0]
    expected = distribution(model, read, (), temperature)
    for token, probability in enumerate(expected.tolist()):
        assert counts[token,] / count == pytest.approx(probability, abs=0.03)
    after = Counter(reply[1] for reply in replies if reply[:1] == most)
    for token, probability in enumerate(distribution(model, read, most, temperature).tolist()):
        assert after[token] / counts[most] == pytest.approx(probability, abs=0.06)


def test_at_a_low_temperature_every_reply_is_the_greedy_one_of_a_member(model, read):
    with torch.inference_mode():
        greedy = {tuple(member.generate(
            **collate([read]), num_beams=1, do_sample=False, max_new_tokens=12,
            suppress_tokens=NEVER)[0, 1:].tolist()) for member in members(model)}
    assert len(greedy) == len(members(model))
    assert set(drawn(model, read, 5, temperature=1e-4)) == greedy


def test_fewer_draws_than_members_are_as_many_as_were_asked_for(model, read):
    assert [len(drawn(model, read, count)) for count in (1, 2, 3)] == [1, 2, 3]


@torch.inference_mode()
def drawn_row_by_row(model, inputs, sampling):
    """The same draws where every reply is read by itself from its beginning."""
    random = torch.Generator().manual_seed(sampling.seed)
    share, more = divmod(sampling.count, len(members(model)))
    found = []
    for number, member in enumerate(members(model)):
        replies = [[] for _ in range(share + (number < more))]
        for _ in range(sampling.max_new_tokens):
            going = [reply for reply in replies if END not in reply]
            if not going:
                break
            memory = member.encoder(**inputs)
            logits = torch.stack([member(
                encoder_outputs=memory, attention_mask=inputs["attention_mask"],
                copy_ids=inputs["copy_ids"], decoder_input_ids=torch.tensor([[BEGIN, *reply]]),
            ).logits[0, -1] for reply in going])
            logits[:, NEVER] = -torch.inf
            noise = -(-torch.rand(logits.shape, generator=random).log()).log()
            chosen = (logits / sampling.temperature + noise).argmax(-1)
            for reply, token in zip(going, chosen.tolist(), strict=True):
                reply.append(token)
        found += map(tuple, replies)
    return found


@pytest.fixture(scope="module")
def sources():
    reader = StateReader()
    return [collate([encoded(reader, *each)]) for each in (
        (QUESTION, (OFFICE, START)), (QUESTION, (START,)), (QUESTION[:1], (OFFICE,)),
        (((USER, ""),), ()), (QUESTION[2:], (OFFICE, START)))]


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_replies_that_begin_alike_are_drawn_as_if_each_was_read_alone(model, sources, temperature):
    sampling = Sampling(count=6, temperature=temperature, max_new_tokens=8, seed=5)
    for inputs in sources:
        expected = drawn_row_by_row(model, inputs, sampling)
        assert Sampler(model, sampling).draw(inputs) == expected
        assert len({*expected}) > 1


def test_sources_draw_together_what_each_draws_alone(model, sources):
    """Whenever each of them begins."""
    sampler = Sampler(model, Sampling(count=16, temperature=1.0, max_new_tokens=12, seed=2))
    alone = [sampler.draw(inputs) for inputs in sources]
    several = [sampler.begin(inputs) for inputs in sources[:2]]
    waiting = [sampler.begin(inputs) for inputs in sources[2:]]
    passes = 0
    while going := [each for each in several if not each.done]:
        sampler.step(going)
        passes += 1
        if waiting and passes % 2 == 0:
            several.append(waiting.pop())
    assert [each.replies() for each in several] == [*alone[:2], *reversed(alone[2:])]


def test_packaged_model_draws_together_what_each_source_draws_alone():
    model, vocabulary = load_pointer_model(PACKAGED_WEIGHTS / "organisation")
    reader, numbers = StateReader(), {name: number for number, name
                                      in enumerate(model.config.predicates)}
    sources = []
    for history, facts in ((QUESTION, (OFFICE, START)), (QUESTION, (OFFICE,)),
                           (((USER, "When is the lens talk?"),), (START, OFFICE)),
                           (((USER, "hello"),), ())):
        read = read_source(history, facts, Names(), numbers)
        sources.append(collate([encode(read, vocabulary.slots(read), reader.read(read))]))
    sampler = Sampler(model, Sampling(model.config.samples, TEMPERATURE, MAX_NEW_TOKENS, SEED))
    alone = [sampler.draw(inputs) for inputs in sources]
    several = [sampler.begin(inputs) for inputs in sources]
    while going := [each for each in several if not each.done]:
        sampler.step(going)
    for together, expected in zip(several, alone, strict=True):
        same = sum(map(eq, together.replies(), expected))
        assert same >= 0.99 * len(expected)


def test_no_replies_are_drawn_where_none_are_asked_for(model, read):
    assert drawn(model, read, 0) == []


def test_the_same_seed_draws_the_same_whatever_else_draws(model, read):
    first = drawn(model, read, 20)
    torch.manual_seed(7)
    torch.rand(3)
    state = torch.get_rng_state()
    assert drawn(model, read, 20) == first
    assert torch.equal(torch.get_rng_state(), state)
    assert drawn(model, read, 20, seed=1) != first


def test_replies_end_once_or_are_cut(model, read):
    replies = drawn(model, read, 200, most=6)
    assert any(END in reply for reply in replies)
    assert any(END not in reply for reply in replies)
    for reply in replies:
        assert not set(NEVER) & set(reply)
        assert (reply[-1] == END) != (len(reply) == 6 and END not in reply)
        assert END not in reply[:-1]


def test_replies_that_share_a_source_are_read_as_each_alone(model, read):
    replies = [list(reply) for reply in drawn(model, read, 6, most=9)]
    with torch.inference_mode():
        labels = collate_labels(replies)
        memory = model.get_encoder()(**collate([read]))
        inputs = collate([read])
        together = model(encoder_outputs=memory, attention_mask=inputs["attention_mask"],
                         copy_ids=inputs["copy_ids"], labels=labels).logits
        for row, reply in enumerate(replies):
            alone = model(**inputs, labels=collate_labels([reply])).logits[0]
            assert torch.allclose(together[row, :len(reply)], alone, atol=1e-4)


def test_a_source_of_no_slots_gets_replies(model):
    empty = encoded(StateReader(), (("user", ""),), ())
    assert len(drawn(model, empty, 3)) == 3
