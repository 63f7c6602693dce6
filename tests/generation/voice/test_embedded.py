from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
import torch
from hypothesis import given, settings

from frontdesk.generation.voice.embedded import UNKNOWN_VALUES, EmbeddedGenerator, source_facts
from frontdesk.generation.voice.generator import GenerationInput, NBestGenerator
from frontdesk.generation.voice.model_folder import save_model
from frontdesk.generation.voice.pointer.encoded import collate, collate_labels
from frontdesk.generation.voice.pointer.faults import Faults
from frontdesk.generation.voice.pointer.sampling import draw
from frontdesk.generation.voice.pointer.source import Feature
from frontdesk.generation.voice.pointer.unit_vocabulary import BEGIN, END, PAD, UNKNOWN
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.dialogue_graph import USER, Link
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.errors import InputError, MissingModelError
from frontdesk.kg.graph.facts import Fact, Provenance
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention, MentionKind, Observation
from frontdesk.rules.linking.linked import LinkedMention
from frontdesk.scoring.ranked_fact import RankedFact

from .contract import (
    HISTORY,
    KNOWLEDGE,
    GeneratorContract,
    PmiContract,
    ScoringContract,
    request,
    score,
)
from .pointer.texts import texts
from .pointer.tiny import WORDS, tiny_model

NOW = dt.datetime(2026, 3, 17, 9, tzinfo=ZoneInfo("UTC"))
KB = KnowledgeBase(
    name="F", timezone=ZoneInfo("UTC"), rooms=[Room("r_zeta", "Zeta"), Room("r_eta", "Eta")],
    people=[Person("p_jo", "Jo Stevens", "jo@example.org"), Person("p_ann", "Ann Lee")],
    events=[Event("e1", "lens talk", NOW, NOW + dt.timedelta(hours=1), "r_eta", "p_jo")])
SAY = Verbaliser(KB, NOW)


def about(knowledge=KNOWLEDGE, history=HISTORY):
    """A request whose names are known."""
    return replace(request(history, knowledge), verbaliser=SAY)


def ranked(fact, relevance=0.5):
    return RankedFact(fact, SAY.say(fact), relevance)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("embedded") / "tiny"
    save_model(tiny_model(), path)
    return path


@pytest.fixture(scope="module")
def tiny(folder):
    return EmbeddedGenerator(folder, max_new_tokens=12)


@pytest.fixture(scope="module")
def beams(folder):
    return EmbeddedGenerator(folder, samples=0, max_new_tokens=12)


class TestEmbeddedContract(GeneratorContract, PmiContract, ScoringContract):
    @pytest.fixture
    def generator(self, tiny):
        return tiny

    def test_the_score_without_knowledge_has_the_same_history(self, generator):
        """Facts have room of their own: none of them pushes a turn out of the history."""
        asked = request(history=((USER, "old " * 90), *HISTORY), knowledge=KNOWLEDGE * 30)
        sources = [generator.read(each).source for each in (asked, replace(asked, knowledge=()))]
        assert sources[0].turns == sources[1].turns
        without = score(generator, asked, "Zeta.", with_knowledge=False)
        alone = score(generator, replace(asked, knowledge=()), "Zeta.")
        assert without.log_probabilities == pytest.approx(alone.log_probabilities, abs=1e-3)


def test_embedded_reads_the_most_relevant_facts_only(folder):
    generator = EmbeddedGenerator(folder, max_facts=2, max_new_tokens=2)
    assert set(generator.generate(about()).used) == set(KNOWLEDGE[:2])
    assert EmbeddedGenerator(folder, max_facts=0).read(about()).source.facts == ()


def test_embedded_uses_no_fact_that_it_did_not_read(folder):
    many = tuple(RankedFact(Fact("phone", (f"p{number}", f"555-{number:04d}")), f"Fact {number}.",
                            1 - number / 100) for number in range(80))
    reply = EmbeddedGenerator(folder, max_facts=1000, max_new_tokens=2).generate(
        request(knowledge=many))
    assert set(reply.used) <= set(many[:64])
    assert "16 least relevant facts were left out" in reply.notes


def test_embedded_tells_the_model_what_a_fact_is():
    link = Link("m1", "her", "p_ann", 0.7, Provenance("linking.pl:refers_to/2"))
    linked = LinkedMention("m1", Mention("her", 9, 12, MentionKind.PRONOUN), (link,))
    facts = source_facts(replace(about(), links=(linked,)), KNOWLEDGE)
    assert [each.linked for each in facts] == [False, False, True]
    assert [each.derived for each in facts] == [False, False, True]
    assert [each.relevance for each in facts] == [0.9, 0.4, 0.1]
    assert [each.text for each in facts] == [each.text for each in KNOWLEDGE]


def test_embedded_uses_the_facts_whose_values_it_says(beams, monkeypatch):
    fact = ranked(Fact("location", ("e1", "r_eta")))
    asked = about((*KNOWLEDGE[:2], fact))
    token = beams.read(asked).tokens.values["name:eta"]
    monkeypatch.setattr(beams.model, "generate",
                        lambda **_: torch.tensor([[BEGIN, token, END, PAD]]))
    reply = beams.generate(asked)
    assert reply.text == "Eta"
    assert reply.used == (fact,)
    assert reply.notes == ()


def test_embedded_says_that_a_reply_is_empty(beams, monkeypatch):
    monkeypatch.setattr(beams.model, "generate", lambda **_: torch.tensor([[BEGIN, END]]))
    reply = beams.generate(about())
    assert (reply.text, reply.notes) == ("", (f"{beams.name} gave an empty reply",))


def test_embedded_says_that_a_reply_was_cut(folder):
    generator = EmbeddedGenerator(folder, max_new_tokens=3)
    with torch.no_grad():
        generator.model.bias[END] = -50
    reply = generator.generate(about())
    assert reply.notes == ("the reply was cut after 3 tokens",)


@pytest.mark.parametrize(("samples", "most"), [(64, 64), (3, 3), (0, 4)])
def test_embedded_offers_several_replies_the_best_first(folder, samples, most):
    generator = EmbeddedGenerator(folder, samples=samples, max_new_tokens=12)
    assert isinstance(generator, NBestGenerator)
    several = generator.generate_several(about(), 4)
    assert 1 < len(several) <= min(4, most)
    assert len({each.text for each in several}) == len(several)
    assert several[0] == generator.generate(about())
    assert len(generator.generate_several(about(), 99)) <= most


def test_embedded_says_what_agrees_best_with_all_that_it_draws(tiny):
    read = tiny.read(about())
    faults = Faults(read.source)
    drawn = [said.text for tokens in draw(
        tiny.model, collate([read.encoded]), 64, temperature=0.7, max_new_tokens=12, seed=0)
        if not faults.count(tiny._symbols(read, tokens), (said := tiny._reply(read, tokens)).text)]
    reply = tiny.generate(about()).text
    assert reply in drawn
    words = Counter(word for text in drawn for word in set(text.split()))
    said, mean = ([sum(words[word] for word in set(text.split())) / max(1, len(text.split()))
                   for text in texts] for texts in ((reply,), drawn))
    assert said[0] > sum(mean) / len(mean)


def test_embedded_keeps_the_best_of_replies_with_one_text(beams, monkeypatch):
    yes, no = (WORDS.entries.index(word) for word in ("yes", "no"))
    monkeypatch.setattr(beams.model, "generate", lambda **_: torch.tensor(
        [[BEGIN, yes, END], [BEGIN, no, END], [BEGIN, yes, yes], [BEGIN, yes, END]]))
    assert [(each.text, each.notes) for each in beams.generate_several(about(), 4)] == [
        ("Yes", ()), ("No", ()), ("Yes yes", ("the reply was cut after 12 tokens",))]


def test_embedded_serves_several_threads_at_once(tiny):
    alone = tiny.generate(about())
    with ThreadPoolExecutor(4) as pool:
        assert all(each == alone for each in pool.map(lambda _: tiny.generate(about()), range(8)))


def test_embedded_says_to_each_of_several_threads_what_it_says_alone(tiny):
    asked = [about(KNOWLEDGE[:number % 3], ((USER, f"Where is number {number}?"),))
             for number in range(6)]
    alone = [tiny.generate_several(each, 5) for each in asked]
    with ThreadPoolExecutor(6) as pool:
        for _ in range(3):
            assert list(pool.map(lambda each: tiny.generate_several(each, 5), asked)) == alone


def test_embedded_reads_a_request_once_whatever_other_threads_read(tiny, monkeypatch):
    read, asked, other = [], about(), about(KNOWLEDGE[:1])
    original = tiny._states.read
    monkeypatch.setattr(tiny._states, "read",
                        lambda source: (read.append(source), original(source))[1])
    tiny.generate(asked)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(tiny.generate, other).result()
    score(tiny, asked, "Zeta.")
    assert len(read) == 2


def step_by_step(generator, asked, reply_tokens):
    """The log-probability of each token, decoded one after the other."""
    read, found = generator.read(asked), []
    for length, token in enumerate(reply_tokens):
        with torch.inference_mode():
            logits = generator.model(**collate([read.encoded]), decoder_input_ids=torch.tensor(
                [[BEGIN, *reply_tokens[:length]]])).logits[0, -1]
        found.append(float(logits[token]))
    return found


def test_embedded_scores_as_step_by_step_decoding_does(tiny):
    asked = about()
    values = tiny.read(asked).tokens.values
    scored = score(tiny, asked, "Her office is Zeta.")
    tokens = [*(WORDS.entries.index(word) for word in ("Her", "office", "is")),
              values["name:zeta"], WORDS.entries.index("."), END]
    assert scored.tokens == ("Her", "office", "is", "Zeta", ".", "<end>")
    assert scored.log_probabilities == pytest.approx(step_by_step(tiny, asked, tokens), abs=1e-4)


def test_embedded_scores_a_value_and_its_form(tiny):
    fact = ranked(Fact("start_time", ("e1", dt.time(14, 30))))
    scored = score(tiny, about((fact,)), "It is at 2:30 pm.")
    assert scored.tokens == ("It", "is", "at", "2:30 pm", "", ".", "<end>")


def test_embedded_finds_a_value_of_the_facts_more_probable_with_them(folder):
    """Values that nobody gave share the probability of anything unknown."""
    generator = EmbeddedGenerator(folder)
    with_, without = (score(generator, about(), "Zeta", with_knowledge=each)
                      for each in (True, False))
    assert with_.tokens == without.tokens == ("Zeta", "<end>")
    assert with_.log_probabilities[0] > without.log_probabilities[0] + 5
    read = generator.read(about())
    history = read.encoded.select(read.encoded.features[:, Feature.RANK] == 0)
    with torch.inference_mode():
        first = generator.model(**collate([history]), labels=torch.tensor([[END]])).logits[0, 0]
    assert without.log_probabilities[0] == pytest.approx(
        float(first[UNKNOWN]) - math.log(UNKNOWN_VALUES), abs=1e-4)


def test_embedded_without_knowledge_reads_the_history_alone(tiny):
    asked = about()
    read = tiny.read(asked)
    kept = read.encoded.select(read.encoded.features[:, Feature.RANK] == 0)
    is_, end = WORDS.entries.index("is"), END
    with torch.inference_mode():
        logits = tiny.model(**collate([kept]), labels=collate_labels([[is_, end]])).logits[0]
    scored = score(tiny, asked, "is", with_knowledge=False)
    assert scored.log_probabilities == pytest.approx([float(logits[0, is_]), float(logits[1, end])])


def test_embedded_gives_what_it_says_the_probability_that_it_said_it_with(tiny):
    asked = about()
    read = tiny.read(asked)
    with torch.inference_mode():
        output = tiny.model.generate(
            **collate([read.encoded]), num_beams=1, do_sample=False, max_new_tokens=12,
            suppress_tokens=[PAD, BEGIN, UNKNOWN], return_dict_in_generate=True,
            output_logits=True)
    tokens = output.sequences[0, 1:].tolist()
    said = [float(logits[0, token]) for logits, token in zip(output.logits, tokens, strict=True)]
    assert said == pytest.approx(step_by_step(tiny, asked, tokens), abs=1e-4)


@settings(deadline=None, max_examples=20)
@given(texts, texts, texts)
def test_embedded_scores_any_reply_about_any_fact(tiny, question, fact, reply):
    asked = request(((USER, question),), (RankedFact(Fact("name", ("e", fact)), fact, 0.5),))
    for with_knowledge in (True, False):
        scored = score(tiny, asked, reply, with_knowledge=with_knowledge)
        assert scored.ends
        assert all(-50 < each <= 0 for each in scored.log_probabilities)


@settings(deadline=None, max_examples=15)
@given(texts, texts)
def test_embedded_says_only_words_that_it_knows_and_what_it_was_given(tiny, question, fact):
    asked = request(((USER, question),), (RankedFact(Fact("name", ("e", fact)), fact, 0.5),))
    reply = tiny.generate(asked).text
    given_ = {char for text in (question, fact, *WORDS.entries, "e") for char in text.casefold()}
    assert {char for char in reply.casefold() if not char.isspace()} <= given_ | set("'")


def test_embedded_replies_where_nothing_was_said_and_nothing_is_known(tiny):
    reply = tiny.generate(request(((USER, ""),), ()))
    assert reply.text or reply.notes
    assert score(tiny, request(((USER, ""),), ()), "").ends


def test_embedded_needs_a_history(tiny):
    empty = GenerationInput((), KNOWLEDGE, Observation(""))
    for ask in (tiny.generate, lambda each: score(tiny, each, "x")):
        with pytest.raises(ValueError, match="history of at least one turn"):
            ask(empty)


@pytest.mark.parametrize(("options", "message"), [
    ({"num_beams": 0}, "num_beams is 0"), ({"max_new_tokens": 0}, "max_new_tokens is 0"),
    ({"max_facts": -1}, "max_facts is -1"), ({"samples": -1}, "samples is -1"),
    ({"temperature": 0.0}, "temperature is 0.0"), ({"temperature": float("nan")}, "is nan")])
def test_embedded_refuses_settings_out_of_range(folder, options, message):
    with pytest.raises(InputError, match=message):
        EmbeddedGenerator(folder, **options)


def test_embedded_without_weights_is_one_error_with_a_remedy(tmp_path):
    with pytest.raises(MissingModelError, match="there is no embedded generator in") as caught:
        EmbeddedGenerator(tmp_path)
    assert "frontdesk train generator" in caught.value.remedy


def test_embedded_has_the_name_of_its_model(tiny, folder):
    assert tiny.name == f"embedded:{folder.name}"
