from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.generation.checks.q2.components import Relation
from frontdesk.generation.checks.q2.pair_model import PairConfig, PairModel
from frontdesk.generation.checks.q2.pair_reader import PairReader
from frontdesk.generation.checks.q2.pair_texts import collate
from frontdesk.generation.checks.q2.text_spans import split_sentences
from frontdesk.generation.voice.model_folder import save_model
from frontdesk.kg.graph.errors import MissingModelError

KNOWLEDGE = "The talk is in Zeta.\nAda Berg (ada@example.org) organises it. It is at 14:30."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("reader") / "model"
    with torch.random.fork_rng():
        torch.manual_seed(0)
        save_model(PairModel(PairConfig(d_model=16, depth=1, heads=2)), path)
    return path


@pytest.fixture(scope="module")
def reader(folder):
    return PairReader(folder)


def test_sentences_are_found_with_their_places():
    found = split_sentences(KNOWLEDGE)
    assert [text for _, text in found] == [
        "The talk is in Zeta.", "Ada Berg (ada@example.org) organises it.", "It is at 14:30."]
    assert all(KNOWLEDGE[start:start + len(text)] == text for start, text in found)
    assert split_sentences(" \n ?! \n") == [(3, "?!")] or split_sentences(" \n ?! \n") == []


def test_an_answer_is_a_stretch_of_the_knowledge(reader):
    cases = [(question, KNOWLEDGE)
             for question in ("Where is it?", "Who organises it?", "", "When")]
    found = reader.answer(cases)
    for answer in found:
        assert answer is None or KNOWLEDGE[answer.start:answer.end] == answer.text != ""
    for case, answer in zip(cases, found, strict=True):
        assert reader.answer([case]) == [answer]
    assert reader.answer([("Where?", "")]) == [None]


def test_no_answer_is_given_where_none_is_better_than_nothing(reader):
    with torch.no_grad():
        before = reader.model.start.bias.clone()
        sure = reader.model.start.weight.clone()
        reader.model.start.weight.zero_()
        reader.model.end.weight.zero_()
    assert reader.answer([("Where is it?", KNOWLEDGE)]) == [None]
    with torch.no_grad():
        reader.model.start.weight.copy_(sure)
        reader.model.start.bias.copy_(before)


def test_long_knowledge_is_read_in_windows_to_its_end(reader):
    knowledge = "\n".join(f"Room {number} is on floor {number % 7}." for number in range(200))
    (windows,) = reader.texts.windows([("Where is room 199?", split_sentences(knowledge))])
    assert len(windows) > 5
    read = [start for window in windows for start, _ in window.sentences]
    assert read == [start for start, _ in split_sentences(knowledge)]
    batch = collate(windows)
    assert batch["states"].shape[:2] == batch["attention_mask"].shape
    assert (batch["answers"] <= batch["attention_mask"]).all()


@pytest.mark.parametrize("text", [
    "word " * 900, "한국어 " * 300, "漢字仮名" * 300, "x" * 3000, "a.b-c " * 300,
    "supercalifragilistic" * 80 + " end"])
def test_of_what_is_too_long_all_is_read_in_pieces(reader, text):
    pieces = reader.texts.queries(text)
    assert "".join(pieces) == text
    assert len(pieces) > 1
    (windows,) = reader.texts.windows([("Which end?", [(7, text)])])
    read = [(start, sentence) for window in windows for start, sentence in window.sentences]
    assert read[0][0] == 7
    assert all(len(each.ids) <= 256 for _, each in read)
    # The last characters of every piece but the white space at its end are read.
    starts = [start - 7 for start, _ in read] + [len(text)]
    for (_, sentence), start, end in zip(read, starts, starts[1:], strict=False):
        assert sentence.characters[-2][1] == len(text[start:end].rstrip())


def test_what_fits_is_one_piece(reader):
    sentence = "The committee of the optical society met again " * 9
    (windows,) = reader.texts.windows([("Who met?", [(0, sentence)])])
    assert [len(window.sentences) for window in windows] == [1]
    assert reader.texts.queries("Who met in the room that is next to the kitchen?" * 3) == [
        "Who met in the room that is next to the kitchen?" * 3]
    assert reader.texts.queries("") == [""]


def test_the_end_of_a_long_sentence_is_read(reader):
    knowledge = "so " * 700 + "the code is 4711"
    (windows,) = reader.texts.windows([("What is the code?", split_sentences(knowledge))])
    start, last = windows[-1].sentences[-1]
    first, end = last.characters[-2]
    assert knowledge[start + first:start + end] in "4711"


def test_relations_do_not_depend_on_what_is_asked_beside(reader):
    cases = [(KNOWLEDGE, "The talk is in Zeta."), (KNOWLEDGE, "The talk is in Eta."), ("", "Hm")]
    found = reader.relate(cases)
    assert all(isinstance(each, Relation) for each in found)
    assert found == [reader.relate([case])[0] for case in cases]


def test_weights_that_are_missing_or_damaged_are_one_error(folder, tmp_path):
    with pytest.raises(MissingModelError, match=r"config\.json is missing"):
        PairReader(tmp_path)
    for name, content in (("config.json", "[]"), ("model.safetensors", "x")):
        broken = tmp_path / name
        broken.mkdir()
        for each in folder.iterdir():
            (broken / each.name).write_bytes(each.read_bytes())
        (broken / name).write_text(content)
        with pytest.raises(MissingModelError, match="is damaged"):
            PairReader(broken)


@settings(deadline=None, max_examples=15)
@given(st.text(max_size=60), st.text(max_size=120))
def test_any_texts_are_read(reader, question, knowledge):
    (answer,) = reader.answer([(question, knowledge)])
    assert answer is None or knowledge[answer.start:answer.end] == answer.text
    reader.relate([(knowledge, question)])
