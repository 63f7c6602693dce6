"""Hub components on tiny models of the classes that the published ones have."""

from __future__ import annotations

import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing
from transformers import (
    AlbertConfig,
    AlbertForQuestionAnswering,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForSequenceClassification,
    T5Config,
    T5ForConditionalGeneration,
)

from frontdesk.generation.q2.components import Components, Relation, Span
from frontdesk.generation.q2.hub_components import HubEntailment, HubQuestions, HubReader
from frontdesk.generation.q2.score import Q2
from frontdesk.kg.errors import InputError, MissingModelError

WORDS = ("<pad>", "</s>", "<unk>", "[CLS]", "[SEP]", "where", "is", "the", "talk", "zeta", "in",
         "who", "what", "?", ".", "question", ":", "answer", "context", "eta", "room")
TEXT = "the talk is in zeta ."


def tokenizer(pair, **settings):
    """A tokenizer of words with the special tokens of a class of models."""
    ids = {word: number for number, word in enumerate(WORDS)}
    inner = Tokenizer(WordLevel(ids, unk_token="<unk>"))
    inner.pre_tokenizer = BertPreTokenizer()
    single = "[CLS] $A [SEP]" if pair else "$A </s>"
    inner.post_processor = TemplateProcessing(
        single=single, pair="[CLS] $A [SEP] $B:1 [SEP]:1" if pair else None,
        special_tokens=[("[CLS]", 3), ("[SEP]", 4), ("</s>", 1)])
    return PreTrainedTokenizerFast(
        tokenizer_object=inner, unk_token="<unk>", pad_token="<pad>",
        **({"cls_token": "[CLS]", "sep_token": "[SEP]"} if pair else {"eos_token": "</s>"}),
        **settings)


def saved(model, words, folder):
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    base = tmp_path_factory.mktemp("hub")
    with torch.random.fork_rng():
        torch.manual_seed(0)
        asks = T5ForConditionalGeneration(T5Config(
            vocab_size=len(WORDS), d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2,
            decoder_start_token_id=0, eos_token_id=1, pad_token_id=0))
        reads = AlbertForQuestionAnswering(AlbertConfig(
            vocab_size=len(WORDS), embedding_size=16, hidden_size=16, num_hidden_layers=1,
            num_attention_heads=2, intermediate_size=32, max_position_embeddings=24,
            initializer_range=2.0))
        infers = RobertaForSequenceClassification(RobertaConfig(
            vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=32, max_position_embeddings=40, pad_token_id=0, type_vocab_size=2,
            initializer_range=2.0, num_labels=3,
            id2label={0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"},
            label2id={"CONTRADICTION": 0, "NEUTRAL": 1, "ENTAILMENT": 2}))
    return {"questions": saved(asks, tokenizer(False), base / "t5"),
            "reader": saved(reads, tokenizer(True, model_max_length=24), base / "albert"),
            "entailment": saved(infers, tokenizer(True), base / "roberta")}


@pytest.fixture(scope="module")
def asks(folders):
    return HubQuestions(folders["questions"], device="cpu", batch_size=3, max_new_tokens=6)


@pytest.fixture(scope="module")
def reads(folders):
    return HubReader(folders["reader"], device="cpu", batch_size=3, threshold=100.0)


@pytest.fixture(scope="module")
def infers(folders):
    return HubEntailment(folders["entailment"], device="cpu", batch_size=3)


def spans(text):
    found, start = [], 0
    for word in text.split():
        start = text.index(word, start)
        found.append(Span(start, start + len(word), word))
        start += len(word)
    return found


def test_questions_come_from_a_beam_search_for_each_span(asks):
    cases = [(TEXT, span) for span in spans(TEXT)]
    found = asks.ask(cases, 3)
    assert len(found) == len(cases)
    assert all(0 < len(each) <= 3 for each in found)
    assert found == [asks.ask([case], 3)[0] for case in cases]
    assert asks.ask([], 3) == []


def test_the_reader_answers_with_a_stretch_of_the_text(reads):
    cases = [(f"where is the {word} ?", text) for word in ("talk", "room", "eta")
             for text in (TEXT, "the room is eta .", "zeta")]
    found = reads.answer(cases)
    for (_, text), answer in zip(cases, found, strict=True):
        assert answer is not None
        assert text[answer.start:answer.end] == answer.text
        assert answer.text == answer.text.strip() != ""
    assert found == [reads.answer([case])[0] for case in cases]


def test_the_reader_says_that_there_is_no_answer(folders):
    sure = HubReader(folders["reader"], device="cpu", threshold=-1000.0)
    assert sure.answer([("where is the talk ?", TEXT)]) == [None]
    assert sure.answer([("where is the talk ?", ""), ("", TEXT)]) == [None, None]


def test_a_text_that_is_longer_than_the_model_is_read_to_its_end(folders, reads):
    """The best answer of all windows is that of the window that has it."""
    long = " ".join(["the room is eta ."] * 12 + [TEXT] + ["the room is eta ."] * 12)
    windows = list(reads._windows([("where is the talk ?", long)]))
    assert len(windows) > 4
    covered = {offset for window in windows
               for offset, own in zip(window["offsets"], window["sequences"], strict=True)
               if own == 1}
    assert {(span.start, span.end) for span in spans(long)} <= covered
    (answer,) = reads.answer([("where is the talk ?", long)])
    scores = [reads._read([window])[0][1] for window in windows]
    best = max((each for each in scores if each is not None), key=lambda each: each[0])
    assert answer == best[1]


def test_a_question_that_leaves_no_room_is_refused(reads):
    with pytest.raises(InputError, match="leaves no room"):
        reads.answer([("where " * 30, TEXT)])


def test_inference_knows_its_classes_by_name(infers):
    cases = [(one, other) for one in (TEXT, "the room is eta .", "zeta") for other in (TEXT, "eta")]
    found = infers.relate([*cases, cases[0]])
    assert all(isinstance(each, Relation) for each in found)
    assert found[:-1] == [infers.relate([case])[0] for case in cases]
    assert found[-1] == found[0]
    assert infers._relations == {0: Relation.CONTRADICTION, 1: Relation.NEUTRAL,
                                 2: Relation.ENTAILMENT}


def test_a_model_with_other_classes_is_refused(folders, tmp_path):
    model = RobertaForSequenceClassification.from_pretrained(folders["entailment"])
    model.config.id2label = {0: "yes", 1: "no", 2: "maybe"}
    with pytest.raises(MissingModelError, match="has the classes yes, no, maybe"):
        HubEntailment(saved(model, tokenizer(True), tmp_path / "other"), device="cpu")


@pytest.mark.parametrize("component", [HubQuestions, HubReader, HubEntailment])
def test_a_model_that_is_missing_is_named_with_a_remedy(component, tmp_path):
    with pytest.raises(MissingModelError, match=r"is not on this machine.*hf download"):
        component(device="cpu")
    with pytest.raises(InputError, match="no device 'toaster'"):
        component(str(tmp_path), device="toaster")
    with pytest.raises(InputError, match="batch_size is 0"):
        component(str(tmp_path), batch_size=0)


def test_q2_runs_on_them(asks, reads, infers):
    class Words:
        def select(self, texts):
            return [spans(text) for text in texts]

    scorer = Q2(Components(Words(), asks, reads, infers))
    for found in scorer.score([(TEXT, "the talk is in eta ."), ("zeta", TEXT), ("", TEXT)]):
        assert found.score is None or 0 <= found.score <= 1
