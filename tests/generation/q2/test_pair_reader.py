from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.generation.model_folder import save_model
from frontdesk.generation.q2.components import Relation
from frontdesk.generation.q2.pair_model import PairConfig, PairModel
from frontdesk.generation.q2.pair_reader import PairReader
from frontdesk.generation.q2.pair_texts import collate
from frontdesk.generation.q2.sentences import split_sentences
from frontdesk.kg.errors import MissingModelError

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


@settings(deadline=None, max_examples=25)
@given(st.text(max_size=60), st.text(max_size=120))
def test_any_texts_are_read(reader, question, knowledge):
    (answer,) = reader.answer([(question, knowledge)])
    assert answer is None or knowledge[answer.start:answer.end] == answer.text
    reader.relate([(knowledge, question)])
