from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.generation.checks.q2 import reader_network
from frontdesk.generation.checks.q2.components import Relation
from frontdesk.generation.checks.q2.pair_reader import PairReader, best_spans
from frontdesk.generation.checks.q2.pair_texts import queries, windows
from frontdesk.generation.checks.q2.reader_network import (
    FILES,
    new_network,
    padded,
    save_network,
)
from frontdesk.generation.checks.q2.text_spans import split_sentences
from frontdesk.kg.graph.errors import MissingModelError

KNOWLEDGE = "The talk is in Zeta.\nAda Berg (ada@example.org) organises it. It is at 14:30."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("reader") / "model"
    with torch.random.fork_rng():
        torch.manual_seed(0)
        save_network(new_network(), path)
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
    found = reader.answer([(question, KNOWLEDGE)
                           for question in ("Where is it?", "Who organises it?", "", "When")])
    for answer in found:
        assert answer is None or KNOWLEDGE[answer.start:answer.end] == answer.text != ""
    assert reader.answer([("Where?", "")]) == [None]


def test_the_best_answer_is_the_stretch_with_the_best_ends_in_order():
    starts = torch.tensor([1.0, -torch.inf, 2.0, 0.0, 5.0]).expand(2, -1)
    ends = torch.tensor([[1.0, -torch.inf, 6.0, 3.0, -2.0], [1.0, -torch.inf, -3.0, 3.0, -2.0]])
    assert [each.tolist() for each in best_spans(starts, ends)] == [[2, 2], [2, 3], [6.0, 3.0]]


def test_long_knowledge_is_read_in_windows_to_its_end():
    knowledge = "\n".join(f"Room {number} is on floor {number % 7}." for number in range(200))
    found = windows("Where is room 199?", knowledge)
    assert len(found) > 3
    assert [start for window in found for start, _ in window.sentences] == [
        start for start, _ in split_sentences(knowledge)]
    for window in found:
        ids, text = window.row()
        places = window.characters()
        assert len(ids) == len(places) < 512
        assert not any(places[:text])
        assert knowledge[slice(*places[text])] == "Room"


@pytest.mark.parametrize("text", [
    "word " * 900, "한국어 " * 300, "漢字仮名" * 300, "x" * 3000, "a.b-c " * 300,
    "supercalifragilistic" * 80 + " end"])
def test_of_what_is_too_long_all_is_read_in_parts(text):
    parts = queries(text)
    assert "".join(parts) == text
    assert len(parts) > 1
    read = [each for window in windows("Which end?", text) for each in window.sentences]
    assert all(len(each.ids) <= 254 for _, each in read)
    # The last characters of every part but the white space at its end are read.
    starts = [start for start, _ in read] + [len(text)]
    for (_, part), start, end in zip(read, starts, starts[1:], strict=False):
        assert part.characters[-1][1] == len(text[start:end].rstrip())


def test_what_fits_is_one_part():
    sentence = "The committee of the optical society met again " * 9
    assert [len(window.sentences) for window in windows("Who met?", sentence)] == [1]
    assert queries("Who met in the room that is next to the kitchen?" * 3) == [
        "Who met in the room that is next to the kitchen?" * 3]
    assert queries("") == [""]


def test_padding_changes_nothing():
    network = new_network().eval()
    rows = [each.row() for text in ("In Zeta?", "Who organises the talk in the Zeta room?")
            for each in windows(text, KNOWLEDGE)]
    together = network(padded(rows))
    for number, row in enumerate(rows):
        alone = network(padded([row], 1))
        torch.testing.assert_close(together.relations[number], alone.relations[0],
                                   atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(together.faithful[number], alone.faithful[0],
                                   atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(together.starts[number, :len(row[0])], alone.starts[0],
                                   atol=1e-4, rtol=1e-4)


def test_relations_and_judgements_have_a_value_for_each_case_in_order(reader):
    cases = [(KNOWLEDGE, "The talk is in Zeta."), (KNOWLEDGE, "The talk is in Eta."), ("", "Hm")]
    assert all(isinstance(each, Relation) for each in reader.relate(cases))
    judged = [(text, knowledge) for knowledge, text in cases]
    found = reader.judge([*judged, judged[0]])
    assert found[0] == found[3]
    assert [each.faithful for each in found] == pytest.approx(
        [reader.judge([each])[0].faithful for each in (*judged, judged[0])], abs=0.05)


def test_weights_that_are_missing_or_damaged_are_one_error(folder, tmp_path):
    with pytest.raises(MissingModelError, match="cannot be read"):
        PairReader(tmp_path)
    for name, content, said in ((FILES.config, "[]", "cannot be read"),
                                (FILES.config, '{"version": 1}', "is of version 1"),
                                (FILES.weights, "x", "cannot be read")):
        broken = tmp_path / said / name
        broken.mkdir(parents=True)
        for each in folder.iterdir():
            (broken / each.name).write_bytes(each.read_bytes())
        (broken / name).write_text(content)
        with pytest.raises(MissingModelError, match=said):
            PairReader(broken)


@settings(deadline=None, max_examples=15)
@given(st.text(max_size=60), st.text(max_size=120))
def test_any_texts_are_read(reader, question, knowledge):
    (answer,) = reader.answer([(question, knowledge)])
    assert answer is None or knowledge[answer.start:answer.end] == answer.text
    reader.relate([(knowledge, question)])




def test_the_reader_says_the_same_where_torch_has_no_products_of_bytes(monkeypatch):
    pairs = [("Ada is in Zeta, with Bo.", "Ada is in Zeta. Bo is in Eta."),
             ("Hello!", "Ada is in Zeta.")]
    of_bytes = PairReader().judge(pairs)
    monkeypatch.setattr(reader_network, "has_byte_products", lambda: False)
    for one, other in zip(of_bytes, PairReader().judge(pairs), strict=True):
        assert other.faithful == pytest.approx(one.faithful, abs=1.0)


def test_what_the_reader_says_of_a_pair_does_not_depend_on_the_others():
    reader = PairReader()
    pair = ("Ada is in Zeta, with Bo.", "Ada is in Zeta. Bo is in Eta.")
    (alone,) = reader.judge([pair])
    among = reader.judge([pair, ("Hello!", "Ada is in Zeta."), ("xyzzy 😀 12345", "qq" * 50)])[0]
    assert among.faithful == pytest.approx(alone.faithful, abs=1e-4)
