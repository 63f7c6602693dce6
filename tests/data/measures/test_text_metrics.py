from __future__ import annotations

import os
import subprocess
import sys
from math import exp

import pytest

from frontdesk.data.measures.text_metrics import (
    Meteor,
    bleu_statistics,
    corpus_bleu,
    corpus_chrf,
    distinct_n,
    sentence_bleu,
    sentence_chrf,
)
from frontdesk.kg.graph.errors import InputError, MissingExtraError

REFERENCE = "the room is free now"


@pytest.fixture(scope="module")
def meteor():
    return Meteor()


def test_bleu_is_the_geometric_mean_of_the_precisions():
    # Of 5, 4, 3 and 2 n-grams match 4, 3, 2 and 1: the fourth root of 1/5.
    score = corpus_bleu(["the room is free today"], [REFERENCE])
    assert score.value == pytest.approx(100 * 0.2 ** 0.25)


def test_bleu_sums_over_turns_before_it_divides():
    # 9 of 10, 7 of 8, 5 of 6 and 3 of 4 n-grams match in both turns together.
    score = corpus_bleu(["the room is free today", REFERENCE], [REFERENCE] * 2)
    assert score.value == pytest.approx(100 * (9 / 10 * 7 / 8 * 5 / 6 * 3 / 4) ** 0.25)


def test_bleu_of_short_replies_pays_the_brevity_penalty():
    score = corpus_bleu(["the room is free"], [REFERENCE])
    assert score.value == pytest.approx(100 * exp(1 - 5 / 4))


def test_bleu_heeds_case_unless_told_otherwise():
    reply = REFERENCE.upper()
    assert corpus_bleu([reply], [REFERENCE]).value == 0
    lower = corpus_bleu([reply], [REFERENCE], lowercase=True)
    assert lower.value == pytest.approx(100)
    assert "case:lc" in lower.signature
    assert "case:mixed" in corpus_bleu([reply], [REFERENCE]).signature


def test_bleu_signature_names_references_tokenizer_smoothing_and_version():
    signature = corpus_bleu([REFERENCE], [REFERENCE]).signature
    assert signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")


def test_sentence_bleu_of_a_reply_of_two_words_counts_orders_one_and_two():
    score = sentence_bleu("yes indeed", "yes indeed")
    assert score.value == pytest.approx(100)
    assert "eff:yes" in score.signature


@pytest.mark.parametrize("score", [
    lambda: corpus_bleu(["", ""], [REFERENCE, REFERENCE]).value,
    lambda: corpus_bleu([REFERENCE], [""]).value,
    lambda: sentence_bleu("", REFERENCE).value,
    lambda: corpus_chrf([""], [REFERENCE]).value,
    lambda: sentence_chrf("", REFERENCE).value,
    lambda: Meteor().sentence("", REFERENCE),
    lambda: Meteor().sentence(REFERENCE, ""),
    lambda: Meteor().sentence("", ""),
    lambda: distinct_n(["", ""], 1).value,
    lambda: distinct_n(["one"], 2).value,
])
def test_what_is_empty_scores_zero(score):
    assert score() == 0


def test_an_empty_reply_lowers_the_scores_of_its_corpus(meteor):
    replies, references = [REFERENCE, ""], [REFERENCE] * 2
    assert corpus_bleu(replies, references).value == pytest.approx(100 * exp(1 - 2))
    assert corpus_chrf(replies, references).value < 100
    alone = meteor.sentence(REFERENCE, REFERENCE)
    assert meteor.corpus(replies, references).value == pytest.approx(alone / 2)


@pytest.mark.parametrize("metric", [
    corpus_bleu, corpus_chrf, bleu_statistics, lambda *pair: Meteor().corpus(*pair),
    lambda replies, _: distinct_n(replies, 1)])
def test_a_corpus_without_turns_is_an_error(metric):
    with pytest.raises(InputError, match="no replies to score"):
        metric([], [])


def test_replies_and_references_must_be_as_many():
    with pytest.raises(ValueError, match="2 replies, but 1 references"):
        corpus_bleu(["a", "b"], ["a"])


def test_bleu_statistics_are_lengths_matches_and_n_grams():
    rows = bleu_statistics(["the room is free today", ""], [REFERENCE, REFERENCE])
    assert rows.tolist() == [[5, 5, 4, 3, 2, 1, 5, 4, 3, 2], [0, 5, 0, 0, 0, 0, 0, 0, 0, 0]]


def test_chrf_weighs_recall_twice():
    # Letters: precision 1, recall 2/3; pairs: 1 and 1/2; the reply has nothing longer.
    recall = (2 / 3 + 1 / 2) / 2
    expected = 100 * 5 * recall / (4 + recall)
    assert sentence_chrf("ab", "abc").value == pytest.approx(expected)
    assert corpus_chrf(["ab"], ["abc"]).value == pytest.approx(expected)
    assert "nc:6|nw:0" in corpus_chrf(["ab"], ["abc"]).signature


def test_meteor_matches_stems_and_punishes_fragments(meteor):
    # Three of three words match, of five in the reference, in one chunk.
    mean = 0.6 / (0.9 + 0.1 * 0.6)
    assert meteor.sentence("the cat sat", "The cats sat on mats") == pytest.approx(
        mean * (1 - 0.5 * (1 / 3) ** 3))
    # The same words in two chunks.
    assert meteor.sentence("sat the cat", "The cats sat on mats") == pytest.approx(
        mean * (1 - 0.5 * (2 / 3) ** 3))


def test_meteor_divides_punctuation_from_words(meteor):
    assert meteor.sentence("free, now!", "now") > 0


SYNONYMS = """
from frontdesk.data.measures.text_metrics import Meteor
meteor = Meteor()
print(meteor.signature)
print(meteor.sentence("the meeting", "the gathering"))
"""


def run_meteor(folder):
    done = subprocess.run([sys.executable, "-c", SYNONYMS], capture_output=True, text=True,
                          check=True, env={**os.environ, "NLTK_DATA": str(folder),
                                           "HOME": str(folder)})
    signature, score = done.stdout.splitlines()
    return signature, float(score)


def test_meteor_uses_wordnet_where_it_is_installed_and_says_when_it_is_not(tmp_path):
    signature, score = run_meteor(tmp_path)
    if signature.endswith("|exact+stem+synonym"):
        pytest.skip("WordNet is installed for every user of this machine")
    assert signature.endswith("|tok:13a|exact+stem")
    assert score == pytest.approx(0.5 * (1 - 0.5))
    write_wordnet(tmp_path / "corpora" / "wordnet")
    signature, score = run_meteor(tmp_path)
    assert signature.endswith("|tok:13a|exact+stem+synonym")
    assert score == pytest.approx(1 - 0.5 * (1 / 2) ** 3)


def write_wordnet(folder):
    """A WordNet of one noun with two names, in WordNet's own format."""
    folder.mkdir(parents=True)
    (folder / "lexnames").write_text("00\tnoun.all\t1\n")
    (folder / "data.noun").write_text(
        "00000000 00 n 02 meet 0 gather 0 000 | people who come together\n")
    (folder / "index.noun").write_text("".join(
        f"{name} n 1 0 1 0 00000000\n" for name in ("gather", "meet")))
    for part in ("verb", "adj", "adv"):
        (folder / f"data.{part}").write_text("")
        (folder / f"index.{part}").write_text("")
    (folder / "index.sense").write_text("")
    for part in ("noun", "verb", "adj", "adv"):
        (folder / f"{part}.exc").write_text("")


@pytest.mark.parametrize(("n", "share"), [(1, 2 / 5), (2, 2 / 3), (3, 1.0)])
def test_distinct_n_is_the_share_of_different_n_grams_within_replies(n, share):
    score = distinct_n(["one two One", "one two"], n)
    assert score.value == pytest.approx(share)
    assert score.signature == f"distinct:{n}|case:lc|tok:13a"


def test_a_missing_library_names_the_extra_that_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(MissingExtraError, match=r"BLEU.*frontdesk\[eval\]"):
        corpus_bleu(["a"], ["a"])
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(MissingExtraError, match=r"METEOR.*frontdesk\[eval\]"):
        Meteor()
