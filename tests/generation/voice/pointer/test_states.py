from __future__ import annotations

from collections import OrderedDict

import numpy as np
import pytest

from frontdesk.generation.voice.pointer.source import SourceFact
from frontdesk.generation.voice.pointer.states import StateReader
from frontdesk.kg.graph.dialogue_graph import USER
from frontdesk.kg.models.minilm import WIDTH, minilm
from frontdesk.scoring.encoder import MiniLMEncoder

from .tiny import OFFICE, QUESTION, START, source

#: Products in bfloat16 of other numbers of rows are added up in another order.
ROUNDING = 2e-2 if minilm().precision == "bf16" else 2e-3


@pytest.fixture
def reader():
    return StateReader()


def by_text(read, states, sequence):
    return {slot.value.text if slot.value else None: state
            for slot, state in zip(read.slots, states, strict=True) if slot.sequence == sequence}


def test_the_state_of_a_slot_is_the_mean_over_its_tokens(reader):
    read = source()
    states = by_text(read, reader.read(read), 1)
    encoded = minilm().tokenizer.encode(OFFICE.text)
    hidden = dict(minilm().read([encoded.ids]))[0].numpy()
    name = [number for number, (start, end) in enumerate(encoded.offsets)
            if start < end <= len("Ada Berg")]
    assert len(name) > 1
    assert states["Ada Berg"] == pytest.approx(hidden[name].mean(0), abs=ROUNDING)
    assert states[None] == pytest.approx(hidden.mean(0), abs=ROUNDING)


def test_states_have_a_row_for_each_slot(reader):
    read = source()
    states = reader.read(read)
    assert states.shape == (len(read.slots), WIDTH)
    assert states.dtype == np.float32
    assert reader.read(source(((USER, ""),), ())).shape == (0, WIDTH)


def test_words_of_the_history_know_what_was_said_before(reader):
    read, other = source(), source(((USER, "Is it cold?"), *QUESTION[2:]))
    office, changed = (by_text(each, reader.read(each), 0)["office"] for each in (read, other))
    assert np.abs(office - changed).max() > 0.01


def test_sources_that_are_read_together_have_the_states_that_each_has_alone(reader):
    sources = [source(), source(((USER, "hello"),), ()), source(QUESTION[:1], (START,))]
    for together, read in zip(reader.read_all(sources), sources, strict=True):
        assert together == pytest.approx(StateReader().read(read), abs=ROUNDING)


def test_facts_are_read_once_also_where_they_were_ranked_before(reader, monkeypatch):
    read, model = [], minilm()
    original = model._states
    monkeypatch.setattr(model, "_states", lambda texts: (read.extend(texts), original(texts))[1])
    monkeypatch.setattr(model, "_kept", OrderedDict())
    MiniLMEncoder().encode([OFFICE.text])
    first = reader.read(source())
    second = reader.read(source())
    history, *facts = ([101, *(token for text in texts for token in (
        *model.tokenizer.encode(text, add_special_tokens=False).ids, 102))]
        for texts in ([text for _, text in QUESTION], [OFFICE.text], [START.text]))
    assert sorted(read) == sorted([history, history, *facts])
    assert second == pytest.approx(first, abs=ROUNDING)


def test_of_a_long_turn_the_end_is_read(reader):
    """Also where MiniLM by itself would read the beginning only."""
    short = source(((USER, "Where is Zeta?"),))
    long = source(((USER, "so " * 400 + "Where is Zeta?"),))
    states = by_text(long, reader.read(long), 0)
    assert np.abs(states["Zeta"] - states["Where"]).max() > 0.1
    alone = by_text(short, reader.read(short), 0)
    for word in ("Zeta", "Where"):
        other = {"Zeta": "Where", "Where": "Zeta"}[word]
        assert _cosine(states[word], alone[word]) > _cosine(states[word], alone[other])


def _cosine(left, right):
    return float(left @ right / np.linalg.norm(left) / np.linalg.norm(right))


@pytest.mark.parametrize("text", ["lone \ud800 surrogate \udfff Zeta", "\x00 \u202e Zeta",
                                  "👩‍👩‍👧‍👦 e\u0301 你好 Zeta",
                                  "[CLS] [SEP] [PAD] Zeta", "", " \n "])
def test_hostile_texts_are_read_like_others(reader, text):
    read = source(((USER, text),), (SourceFact(text, "comment", ("r_zeta",)),))
    states = reader.read(read)
    assert np.isfinite(states).all()
    assert len(states) == len(read.slots)
    if "Zeta" in text:
        found = by_text(read, states, 0)
        others = [state for word, state in found.items() if word != "Zeta"]
        assert all(np.abs(found["Zeta"] - other).max() > 1e-3 for other in others)


def test_a_reader_serves_several_threads_at_once(reader):
    from concurrent.futures import ThreadPoolExecutor

    sources = [source(QUESTION, (SourceFact(f"fact {number % 3}"), OFFICE)) for number in range(12)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(reader.read, sources))
    for states, read in zip(found, sources, strict=True):
        assert states == pytest.approx(reader.read(read), abs=ROUNDING)
