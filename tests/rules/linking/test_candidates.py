"""No name that the name rules give a probability is missing from what the index looks up."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from frontdesk.data.datasets.graphwoz import load_graphwoz
from frontdesk.kg.english.words import split_words, word_similarity
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import MentionKind
from frontdesk.kg.names.alike_words import AlikeWords
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.kg.names.name_index import NameEntry, NameIndex
from frontdesk.rules.linking.circuit import Evidence, LinkingCircuit
from frontdesk.rules.linking.features import PairFeatures, name_features

NAMES = {
    Person: ("Amanda Barren", "Amanda Quill", "Ole Baron", "Dr Zoë Li", "Jillian Quinn", "Al",
             "Mary-Ann O'Neil", "Sven Ødegård", "Анна Павлова", "李娜", "\uff9e", "Meeting Smith"),
    Group: ("Design", "Data Analysis", "The Group", "Birch"),
    Room: ("Birch", "Beta", "Zeta", "214", "Room 215", "Meeting Room", "Conference", "\u00bd"),
    Event: ("convergence discussion", "conversion workshop", "budget review", "review",
            "budget review 17", "morning stand-up", "the meeting", "Amanda's farewell party",
            "review of the methodologies of analysis in the conference room", "e-tailers 2.0 talk",
            "budget budget", "1\u20442 day", "x" * 300, "quarterly " * 30 + "plan")}


@pytest.fixture(scope="module")
def circuit(tmp_path_factory) -> LinkingCircuit:
    return LinkingCircuit(cache=tmp_path_factory.mktemp("circuits"))


class ComparedIndex(NameIndex):
    """Finds the words that are alike by comparing with every word."""

    def __init__(self, kb: KnowledgeBase) -> None:
        super().__init__(kb)
        words = tuple(dict.fromkeys(word for entry in self.entries for word in entry.words))
        self.alike = lru_cache(maxsize=None)(lambda word: {
            other: word_similarity(word, other) for other in words
            if word_similarity(word, other) > 0})


@cache
def invented() -> tuple[NameIndex, ComparedIndex]:
    start = dt.datetime(2026, 3, 3, 10, tzinfo=ZoneInfo("UTC"))
    kb = KnowledgeBase(
        name="Lanternworks", timezone=ZoneInfo("UTC"),
        people=[Person(f"p{number}", name) for number, name in enumerate(NAMES[Person])],
        groups=[Group(f"g{number}", name) for number, name in enumerate(NAMES[Group])],
        rooms=[Room(f"r{number}", name) for number, name in enumerate(NAMES[Room])],
        events=[Event(f"e{number}", name, start, start)
                for number, name in enumerate(NAMES[Event])])
    return NameIndex(kb), ComparedIndex(kb)


def evidence(features: PairFeatures, circuit: LinkingCircuit) -> dict[Evidence, float]:
    """What the rules know of a name, all that is not about its string speaking for it."""
    above = {"jw_similarity_above": features.jaro_winkler, "name_longer": features.shorter,
             "words_covered_above": features.words_covered,
             "name_share_above": features.name_share}
    found: dict[Evidence, float] = {
        ("named", None): 1.0, ("type_agrees", None): 1.0, ("related", None): 1.0,
        ("exact_name", None): features.exact, ("words_alike", None): features.words_alike,
        ("same_sound", None): features.same_sound}
    for predicate, constant in circuit.evidence:
        if constant is not None and predicate in above:
            found[predicate, constant] = above[predicate] > constant
        elif constant is not None and predicate == "lev_distance_below":
            found[predicate, constant] = features.levenshtein < constant
    return found


def probabilities(mention: str, index: NameIndex,
                  circuit: LinkingCircuit) -> dict[tuple[str, str], float]:
    """P(refers_to) for every name of an index that has any."""
    rows = circuit.rows([evidence(each, circuit)
                         for each in name_features(mention, index.entries, index)])
    return {(entry.type.value, entry.name): probability for entry, probability in
            zip(index.entries, circuit.probabilities(rows).tolist(), strict=True)
            if probability > 0}


def missing(mention: str, index: NameIndex, compared: NameIndex, circuit: LinkingCircuit
            ) -> set[tuple[str, str]]:
    """The names with a probability that are not looked up."""
    found = index.lookup(mention)
    assert found.omitted == 0
    return set(probabilities(mention, compared, circuit)) - _named(found.entries)


def _named(entries: Iterable[NameEntry]) -> set[tuple[str, str]]:
    return {(entry.type.value, entry.name) for entry in entries}


LETTERS = st.sampled_from("abcdeghiklmnorstuyz'2ø")


@st.composite
def spoken(draw: st.DrawFn) -> str:
    """Words of names, misspelt, misheard or cut short, and words that go with names."""
    said = []
    words = [word for names in NAMES.values() for name in names for word in name.split()]
    for _ in range(draw(st.integers(1, 4))):
        word = draw(st.sampled_from([*words, "the", "room", "meeting", "conference", "office",
                                     "team", "group", "event", "dr", "of"]))
        for _ in range(draw(st.integers(0, 2))):
            at = draw(st.integers(0, min(len(word), 20)))
            word = draw(st.sampled_from((
                word[:at] + word[at + 1:], word[:at] + draw(LETTERS) + word[at:],
                word[:at] + draw(LETTERS) + word[at + 1:], word[:max(at, 1)], word + "s",
                word.upper(), word.replace("ph", "f").replace("c", "k").replace("rr", "r"))))
        said.append(word)
    return draw(st.sampled_from((" ", "-", "  "))).join(said)


@settings(max_examples=200, deadline=None)
@given(spoken() | st.sampled_from([name for names in NAMES.values() for name in names]))
@example("baron amanda")
@example("the conference room").via("neutral nouns only, for a room")
@example("the conference meeting").via("a name of a group, neutral for a room")
@example("\u00bd").via("the same as 1\u20442 when normalised")
@example("1\u20442").via("the same as \u00bd when normalised")
@example("conv disc").via("cut short")
def test_candidates_are_all_names_with_a_probability(circuit, said):
    index, compared = invented()
    assert missing(said, index, compared, circuit) == set()


@pytest.mark.parametrize(("ground", "mention", "name"), [
    ("_heard", "Quean", "Jillian Quinn"), ("_cut", "the conv", "convergence discussion"),
    ("_spelt", "convergansce", "convergence discussion")])
def test_candidates_without_one_ground_of_likeness_are_caught(circuit, monkeypatch, ground,
                                                              mention, name):
    index, compared = invented()
    assert not missing(mention, index, compared, circuit)
    monkeypatch.setattr(AlikeWords, ground, lambda self, word: [])
    index.alike.cache_clear()
    try:
        assert name in {each for _, each in missing(mention, index, compared, circuit)}
    finally:
        index.alike.cache_clear()


@pytest.mark.parametrize("mention", ["Birch", "the Meeting Room", "Amanda Barren", "\u00bd"])
def test_candidates_without_a_name_that_is_exact_are_caught(circuit, monkeypatch, mention):
    index, compared = invented()
    monkeypatch.setattr(NameIndex, "_exact", lambda self, mention, kinds: [])
    monkeypatch.setattr(NameIndex, "_layers", lambda self, mention, kinds: [])
    assert missing(mention, index, compared, circuit)


def test_candidates_that_are_left_out_are_not_likelier_than_those_kept(circuit):
    start = dt.datetime(2026, 3, 3, 10, tzinfo=ZoneInfo("UTC"))
    names = [" ".join(words) for words in (
        *((first, "budget", "review", str(number)) for number in range(9)
          for first in ("amber", "violet", "scarlet")),
        ("budget", "review"), ("budget",), ("amber", "review"), ("violet", "budget", "plan"))]
    index = NameIndex(KnowledgeBase(
        name="L", timezone=ZoneInfo("UTC"),
        events=[Event(f"e{number}", name, start, start) for number, name in enumerate(names)]))
    for mention in ("budget review", "baget revue", "violet budget", "amber lamp review", "review",
                    "the scarlett one"):
        likely = probabilities(mention, index, circuit)
        for most in (1, 3, 10, 20):
            found = index.lookup(mention, most=most)
            kept = _named(found.entries)
            assert found.omitted + len(kept) >= len(likely)
            left_out = [value for name, value in likely.items() if name not in kept]
            assert max(left_out, default=0.0) <= min(
                likely.get(name, 0.0) for name in kept) + 1e-12


@pytest.mark.slow
@pytest.mark.skipif("FRONTDESK_DATA" not in os.environ,
                    reason="FRONTDESK_DATA does not name the folder with graphwoz/")
def test_candidates_are_complete_for_everything_said_in_dialogues_of_the_development_split(circuit):
    path = Path(os.environ["FRONTDESK_DATA"]) / "graphwoz" / "graphwoz_dev.json.gz"
    checked = likely = 0
    for dialogue in list(load_graphwoz(path).values())[::6]:  # those of others are alike
        kb = dialogue.knowledge_base
        detector, compared = GazetteerDetector(kb), ComparedIndex(kb)
        said: dict[str, None] = {}
        for turn in dialogue.turns:
            now = turn.started.astimezone(kb.timezone)
            for text in (turn.transcription, *(each.text for each in turn.hypotheses)):
                said.update((each.name, None) for each in detector.detect(text, now=now).mentions
                            if each.kind is MentionKind.NAME)
                said.update((word.text, None) for word in split_words(text))
            said.update((each.text, None) for each in (*turn.entities, *turn.asr_entities))
        for mention in said:
            likely += len(probabilities(mention, compared, circuit))
            assert not missing(mention, detector.index, compared, circuit), mention
            checked += 1
    assert checked > 200
    assert likely > 60
