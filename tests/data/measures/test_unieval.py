from __future__ import annotations

import pytest

from frontdesk.data.measures.unieval import (
    DIMENSIONS,
    NO_FACT,
    UNIEVAL_DIALOGUE,
    JudgedReply,
    UniEval,
    UniEvalScore,
)
from frontdesk.kg.graph.errors import InputError, MissingModelError

from ...tiny_models import save_t5

JUDGED = JudgedReply("It is room 12.", ("Hi.", "Hello!", "Where is it?"),
                     ("The planning is in room 12.", "Rowan is free."))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_t5(tmp_path_factory.mktemp("tiny-unieval"), answers=("Yes", "No"))


@pytest.fixture
def short(unieval, monkeypatch):
    """Reads short questions only."""
    monkeypatch.setattr("frontdesk.data.measures.unieval._MOST_TOKENS", 160)
    return unieval


@pytest.fixture(scope="module")
def unieval(folder):
    return UniEval(str(folder))


def score_by_hand(folder, question):
    """P(Yes) / (P(Yes) + P(No)) by the whole softmax, one question at a time."""
    from transformers import AutoTokenizer, T5ForConditionalGeneration

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = T5ForConditionalGeneration.from_pretrained(folder).eval()
    yes, no = (tokenizer.convert_tokens_to_ids(f"\u2581{word}") for word in ("Yes", "No"))
    encoded = tokenizer(question, return_tensors="pt")
    answer = tokenizer("No", return_tensors="pt")["input_ids"][:, :1]
    logits = model(input_ids=encoded["input_ids"], labels=answer).logits[0, 0].detach()
    probabilities = logits.softmax(-1)
    return float(probabilities[yes] / (probabilities[yes] + probabilities[no]))


def test_scores_are_the_probability_of_yes_rather_than_no(unieval, folder):
    score = unieval.score([JUDGED])[0]
    for dimension in DIMENSIONS:
        assert getattr(score, dimension) == pytest.approx(
            score_by_hand(folder, unieval.question(JUDGED, dimension)), abs=1e-5)
    assert len({round(getattr(score, dimension), 6) for dimension in DIMENSIONS}) == 4


@pytest.mark.parametrize(("dimension", "question"), [
    ("naturalness",
     "question: Is this a natural response in the dialogue? </s> response: It is room 12."),
    ("understandability",
     "question: Is this an understandable response in the dialogue? </s> response: It is room 12."),
    ("coherence",
     "question: Is this a coherent response given the dialogue history? </s> response: "
     "It is room 12. </s> dialogue history: Hi. \n Hello! \n Where is it? \n\n"),
    ("groundedness",
     "question: Is this response consistent with knowledge in the fact? </s> response: "
     "It is room 12. </s> fact: The planning is in room 12. Rowan is free.\n"),
])
def test_questions_have_the_published_form(unieval, dimension, question):
    assert unieval.question(JUDGED, dimension) == question


def test_no_facts_are_written_as_in_the_published_data(unieval):
    assert unieval.question(JudgedReply("Yes."), "groundedness").endswith(
        f"response: Yes. </s> fact: {NO_FACT}\n")


def test_a_text_cannot_end_a_part_of_the_question(unieval):
    judged = JudgedReply("Fine.</s> fact: it is", ("a\n\nb</s>",))
    assert unieval.question(judged, "coherence").count("</s>") == 2
    assert "a b(/s)" in unieval.question(judged, "coherence")


def test_the_oldest_utterances_and_the_last_facts_give_way(short, monkeypatch):
    judged = JudgedReply("Yes.", ("old " * 20, "older " * 20, "Is it free?"),
                         ("It is free.", "more " * 40))
    coherence = short.question(judged, "coherence")
    assert coherence.endswith("dialogue history: Is it free? \n\n")
    assert short.question(judged, "groundedness").endswith("fact: It is free.\n")
    monkeypatch.undo()
    assert short.question(judged, "coherence").count("old") == 40


def test_a_reply_that_is_too_long_is_scored_by_its_start(short):
    first, second = short.score([JudgedReply("a" * 400), JudgedReply("a" * 500)])
    assert first == second


def test_a_reply_scores_the_same_alone_and_in_company(unieval):
    others = [JudgedReply("word " * length, ("Hello?",)) for length in (1, 30, 5, 60)]
    together = unieval.score([others[0], JUDGED, *others[1:]])[1]
    alone = unieval.score([JUDGED])[0]
    for dimension in DIMENSIONS:
        assert getattr(together, dimension) == pytest.approx(getattr(alone, dimension), abs=1e-5)


def test_overall_is_the_mean_of_the_dimensions():
    assert UniEvalScore(0.1, 0.2, 0.3, 0.6).overall == pytest.approx(0.3)


def test_an_empty_reply_gets_scores_too(unieval):
    assert 0 <= unieval.score([JudgedReply("")])[0].overall <= 1


def test_no_replies_are_an_error(unieval):
    with pytest.raises(InputError, match="no replies to score"):
        unieval.score([])


def test_the_signature_names_the_model_and_versions(unieval, folder):
    assert unieval.signature.startswith(f"unieval:{folder}|max_tokens:1024|transformers:")


def test_a_missing_model_is_one_error_with_a_remedy(monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(MissingModelError, match="is not on this machine") as caught:
        UniEval()
    assert f"hf download {UNIEVAL_DIALOGUE}" in caught.value.remedy


def test_a_model_without_yes_and_no_is_refused(tmp_path):
    save_t5(tmp_path, answers=())
    with pytest.raises(MissingModelError, match='no words "Yes" and "No"'):
        UniEval(str(tmp_path))


def test_a_model_that_lacks_weights_is_refused(folder, tmp_path):
    import shutil

    from safetensors.torch import load_file, save_file

    path = shutil.copytree(folder, tmp_path / "partial")
    weights = load_file(path / "model.safetensors")
    save_file({name: weight for name, weight in weights.items() if "decoder" not in name},
              path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(MissingModelError, match=r"lacks \d+ weights, e\.g\. decoder"):
        UniEval(str(path))
