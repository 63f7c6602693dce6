"""Hub components on tiny models of the classes that the published ones have."""

from __future__ import annotations

import pytest
from transformers import AutoTokenizer, RobertaForSequenceClassification

from frontdesk.generation.checks.q2.components import (
    Components,
    Relation,
    Span,
    of_hypothesis_parts,
    of_premise_parts,
)
from frontdesk.generation.checks.q2.hub_components import HubEntailment, HubQuestions, HubReader
from frontdesk.generation.checks.q2.score import Q2
from frontdesk.kg.graph.errors import InputError, MissingModelError

from ....tiny_models import save_q2_models, save_roberta

TEXT = "the talk is in zeta ."


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return save_q2_models(tmp_path_factory.mktemp("hub"))


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr("frontdesk.generation.checks.q2.hub_components._BATCH", 3)


@pytest.fixture(scope="module")
def asks(folders):
    return HubQuestions(folders["questions"], max_new_tokens=6)


@pytest.fixture(scope="module")
def reads(folders):
    return HubReader(folders["reader"], threshold=100.0)


@pytest.fixture(scope="module")
def infers(folders):
    return HubEntailment(folders["entailment"])


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
    sure = HubReader(folders["reader"], threshold=-1000.0)
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


def test_a_premise_and_a_hypothesis_that_are_longer_than_the_model_are_read_in_parts(infers):
    part, long = "the room is eta .", " ".join(["the room is eta ."] * 30 + [TEXT])
    parts = infers._parts(long, part)
    assert list(parts) == [part]
    assert " ".join(parts[part]) == long
    assert len(parts[part]) > 3
    asked = infers._parts(part, long)
    assert set(" ".join(asked).split()) == set(long.split())
    assert all(premises == [part] for premises in asked.values())
    for case in ((long, part), (part, long), (long, long)):
        (found,) = infers.relate([case])
        assert found is of_hypothesis_parts([
            of_premise_parts([infers._relate([(premise, hypothesis)])[0] for premise in premises])
            for hypothesis, premises in infers._parts(*case).items()])


def test_parts_fit_also_where_a_part_has_more_tokens_than_it_had_in_the_whole(tmp_path):
    """A byte-level tokenizer, as RoBERTa has it, joins blanks with the words that follow."""
    text = " ".join(f"{word} of number {number}" for number in range(60)
                    for word in ("heliotrope", "antelope", "kaleidoscope"))
    infers = HubEntailment(save_roberta(tmp_path, text))
    for premise, hypothesis in ((text, "An antelope."), ("An antelope.", text), (text, text),
                                ("x" * 900, "y" * 900)):
        for part, premises in infers._parts(premise, hypothesis).items():
            for each in premises:
                assert len(infers.tokenizer(each, part)["input_ids"]) <= infers._limit
        assert infers.relate([(premise, hypothesis)])


def test_a_question_about_a_long_text_is_asked_of_what_stands_around_the_span(folders):
    asks = HubQuestions(folders["questions"], max_new_tokens=6)
    asks._limit = 30
    long = " ".join([*["the room is eta ."] * 20, "zeta", *["the room is eta ."] * 20])
    start = long.index("zeta")
    prompt = asks._prompt(long, Span(start, start + 4, "zeta"))
    assert prompt.startswith("answer: zeta  context: ")
    before, _, after = prompt.partition("context: ")[2].partition("zeta")
    assert len(before.split()) >= 4
    assert len(after.split()) >= 4
    assert len(asks.tokenizer(prompt)["input_ids"]) <= 30
    assert asks._prompt(TEXT, spans(TEXT)[1]).endswith(TEXT)
    with pytest.raises(InputError, match="longer than the question generator reads"):
        asks._prompt(long, Span(0, len(long), long))


def test_a_model_with_other_classes_is_refused(folders, tmp_path):
    model = RobertaForSequenceClassification.from_pretrained(folders["entailment"])
    model.config.id2label = {0: "yes", 1: "no", 2: "maybe"}
    model.save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(folders["entailment"]).save_pretrained(tmp_path)
    with pytest.raises(MissingModelError, match="has the classes yes, no, maybe"):
        HubEntailment(str(tmp_path))


@pytest.mark.parametrize("component", [HubQuestions, HubReader, HubEntailment])
def test_a_model_that_is_missing_is_named_with_a_remedy(component, tmp_path):
    with pytest.raises(MissingModelError, match=r"is not on this machine.*hf download"):
        component()


def test_q2_runs_on_them(asks, reads, infers):
    class Words:
        def select(self, texts):
            return [spans(text) for text in texts]

    scorer = Q2(Components(Words(), asks, reads, infers))
    for found in scorer.score([(TEXT, "the talk is in eta ."), ("zeta", TEXT), ("", TEXT)]):
        assert found.score is None or 0 <= found.score <= 1
