"""The mention tagger: reading, decoding, weights, and its place beside the rules."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import shutil
from zoneinfo import ZoneInfo

import numpy as np
import pytest
import torch

from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.entities import Group, Person, Room
from frontdesk.kg.graph.errors import MissingModelError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import MentionKind
from frontdesk.kg.models.mention_tagger import (
    MENTION_TAGGERS,
    MentionTagger,
    TaggerHead,
    TaggerSizes,
    load_tagger,
    save_tagger,
    word_vectors,
)
from frontdesk.kg.models.mention_tags import (
    N_LABELS,
    OUTSIDE,
    MentionType,
    TaggedSpan,
    beginning,
    inside,
    spans_of,
)
from frontdesk.kg.models.minilm import WIDTH, minilm
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.scoring.encoder import MiniLMEncoder

NOW = dt.datetime(2026, 3, 17, 10, 20, tzinfo=dt.UTC)
SIZES = TaggerSizes(layers=(6,), projected=4, hidden=4)


@pytest.fixture(scope="module")
def tagger() -> MentionTagger:
    return load_tagger()


def tagged(tagger, text):
    return [(text[span.start:span.end], str(span.type)) for span in tagger.tag(text)]


# --- what it finds

@pytest.mark.parametrize(("text", "found"), [
    ("where is brenda pain", [("brenda pain", "person")]),
    ("Hello, my name is Zoe Quist.", [("Zoe Quist", "speaker")]),
    ("who is organising the copper kettle workshop",
     [("copper kettle workshop", "event")]),
    ("I would like to talk to someone from the optics group", [("optics group", "group")]),
    ("when is the meeting", [("the meeting", "definite")]),
    ("what is her phone number", [("her", "pronoun"), ("phone number", "attribute")]),
    ("thank you very much", [])])
def test_tagger_finds_mentions_of_names_that_it_never_saw(tagger, text, found):
    assert tagged(tagger, text) == found


@pytest.mark.parametrize("text", [
    "", " ", "?!", "\u0301", "'s", "x" * 5000, "会议室 在 哪里 " * 40, "ß’s Ærø’s 😀 office",
    "a " * 900, "<script>alert(1)</script> [MASK] [SEP] meeting", "é" * 300 + " Ada Berg",
    "\u202eoffice\u202c of \u200bAda", "[CLS] " * 400, "7" * 2000, "a-b_c/d\\e" * 100])
def test_tagger_reads_anything_and_its_spans_are_words(tagger, text):
    spans = tagger.tag(text)
    starts, ends = {word.start for word in split_words(text)}, {
        word.end for word in split_words(text)}
    assert all(span.start in starts and span.end in ends for span in spans)
    assert all(span.start < span.end and 0 < span.probability <= 1 for span in spans)
    assert all(left.end <= right.start for left, right in itertools.pairwise(spans))


def test_tagger_reads_all_of_a_long_utterance(tagger):
    text = "please tell me more about it and " * 30 + "where is the office of Brenda Payne"
    assert ("Brenda Payne", "person") in tagged(tagger, text)


def test_tagger_gives_the_same_twice_whatever_it_read_between(tagger):
    text = "hi I am looking for jon burg and the lens review"
    first = tagger.tag(text)
    first_again = tagger.tag(text)
    for number in range(20):  # more texts than it remembers
        tagger.tag(f"where is room {number}")
    assert first == first_again == tagger.tag(text)
    first.clear()  # what is handed out is the caller's own
    assert tagger.tag(text) == first_again


def test_tagger_gives_probabilities_for_every_word(tagger):
    text = "Is Ada in?"
    rows = tagger.probabilities(text, split_words(text))
    assert rows.shape == (3, N_LABELS)
    assert rows.sum(axis=1) == pytest.approx(1)


def test_word_vectors_belong_to_their_words_wherever_they_stand():
    # A stretch of a text is read by itself: the same words have the same vectors.
    text = "xx. Ada's office?"
    words = split_words(text)[1:]
    within, read = word_vectors([(text, words)], (6,))[0]
    alone, _ = word_vectors([("Ada's office?", split_words("Ada's office?"))], (6,))[0]
    assert within.shape == (2, WIDTH)
    assert bool(read.all())
    assert torch.allclose(within, alone, atol=1e-5)


def test_words_that_are_not_read_to_are_no_mentions():
    text = " ".join("x" * 60 for _ in range(60))
    _, read = word_vectors([(text, split_words(text))], (6,))[0]
    assert not bool(read.all())
    rows = MentionTagger(TaggerHead(SIZES), SIZES).probabilities(text, split_words(text))
    assert (rows[~read.numpy()].argmax(axis=1) == OUTSIDE).all()


def test_tagger_and_encoder_share_one_model():
    assert MiniLMEncoder()._minilm is minilm()
    assert not any(each.requires_grad for each in minilm().model.parameters())


# --- decoding

def rows(*labels: dict[int, float]) -> np.ndarray:
    return np.array([[each.get(label, 1e-4) for label in range(N_LABELS)] for each in labels])


def test_a_mention_goes_on_only_where_one_of_its_type_is():
    person, room = MentionType.PERSON, MentionType.ROOM
    words = split_words("Ada Berg here")
    spans = spans_of(words, rows({inside(person): 0.9, OUTSIDE: 0.05, beginning(person): 0.04},
                                 {inside(room): 0.6, inside(person): 0.3}, {OUTSIDE: 0.9}))
    assert [(span.start, span.end, span.type) for span in spans] == [(0, 8, person)]
    assert spans[0].probability == pytest.approx(0.3, abs=0.01)


def test_neighbouring_mentions_are_told_apart():
    person = MentionType.PERSON
    words = split_words("Ada Bo Cy")
    spans = spans_of(words, rows({beginning(person): 0.9}, {beginning(person): 0.9},
                                 {inside(person): 0.9}))
    assert [(span.start, span.end) for span in spans] == [(0, 3), (4, 9)]


# --- weights

def test_weights_are_those_that_were_saved(tmp_path):
    head = TaggerHead(SIZES)
    save_tagger(MentionTagger(head, SIZES), tmp_path / "t.safetensors")
    loaded = load_tagger(tmp_path / "t.safetensors")
    assert loaded.sizes == SIZES
    for name, value in head.state_dict().items():
        assert torch.equal(loaded.head.state_dict()[name], value.half().float())
    assert load_tagger(tmp_path / "t.safetensors") is loaded


def test_weights_that_come_with_frontdesk_are_small_and_say_where_they_are_from():
    folder = MENTION_TAGGERS.packaged.parent
    assert sum(each.stat().st_size for each in folder.iterdir()) < 2_500_000
    provenance = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    assert provenance["command"]
    assert all(each["sha256"] for each in provenance["data"])
    assert provenance["weights"][MENTION_TAGGERS.packaged.name] == json.loads(
        MENTION_TAGGERS.packaged.with_suffix(".json").read_text(encoding="utf-8"))["sha256"]


def _flip(path):
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def _configure(**changes):
    def change(path):
        config = json.loads(path.with_suffix(".json").read_text())
        path.with_suffix(".json").write_text(json.dumps(config | changes))
    return change


@pytest.mark.parametrize(("harm", "message"), [
    (lambda path: path.unlink(), "cannot be read"),
    (lambda path: path.with_suffix(".json").unlink(), "cannot be read"),
    (lambda path: path.write_bytes(b""), "damaged"), (_flip, "damaged"),
    (lambda path: path.with_suffix(".json").write_text("{"), "no JSON"),
    (lambda path: path.with_suffix(".json").write_text("[]"), "not of version 1"),
    (_configure(version=2), "not of version 1"), (_configure(types=["person"]), "not of version"),
    (_configure(sizes={"layers": [6], "projected": 4, "hidden": 8}), "do not fit"),
    (_configure(sizes={"layers": 6}), "do not fit")])
def test_weights_that_cannot_be_used_name_the_file_and_a_remedy(tmp_path, harm, message):
    path = tmp_path / "t.safetensors"
    save_tagger(MentionTagger(TaggerHead(SIZES), SIZES), path)
    harm(path)
    with pytest.raises(MissingModelError, match=rf"t\.safetensors.*{message}.*train mentions"):
        load_tagger(path)


def test_settings_choose_the_detector_and_the_weights(tmp_path):
    from frontdesk.agent.domains.organisation_pack import organisation_components
    from frontdesk.agent.settings.settings import load_settings
    from frontdesk.kg.graph.errors import InputError

    kb = organisation()
    for name in (MENTION_TAGGERS.packaged.name, MENTION_TAGGERS.packaged.with_suffix(".json").name):
        shutil.copy(MENTION_TAGGERS.packaged.with_name(name), tmp_path / name)
    own = tmp_path / "own.toml"
    own.write_text('[mentions]\ndetector = "tagger"\n'
                   f'weights = "{MENTION_TAGGERS.packaged.name}"\n')
    detector = organisation_components(kb, load_settings(own, environment={})).detector
    assert isinstance(detector, GazetteerDetector)
    assert isinstance(detector.tagger, MentionTagger)
    rules = load_settings(environment={"FRONTDESK_MENTIONS_DETECTOR": "rules"})
    assert organisation_components(kb, rules).detector.tagger is None
    (tmp_path / MENTION_TAGGERS.packaged.name).unlink()
    with pytest.raises(MissingModelError, match="cannot be read"):
        organisation_components(kb, load_settings(own, environment={}))
    with pytest.raises(InputError, match=r"mentions\.detector is 'x'.*tagger, rules"):
        load_settings(environment={"FRONTDESK_MENTIONS_DETECTOR": "x"})


# --- beside the rules

def organisation() -> KnowledgeBase:
    return KnowledgeBase(
        name="Acme", timezone=ZoneInfo("UTC"), groups=[Group("g1", "Optics")],
        rooms=[Room("r1", "Zeta", floor=1), Room("r2", "214", floor=2, bookable=False)],
        people=[Person("p1", "Justin Castell", office="r2", group="g1"),
                Person("p2", "Ada Berg", office="r2")])


class Tags:
    """A tagger that says what it is told: ``(words, type, probability)``."""

    def __init__(self, *told):
        self.told = told

    def tag(self, text):
        return [TaggedSpan(text.index(words), text.index(words) + len(words),
                           MentionType(kind), probability)
                for words, kind, probability in self.told]


def mentions(text, *told):
    detector = GazetteerDetector(organisation(), tagger=Tags(*told))
    observation = detector.detect(text, now=NOW)
    for each in observation.mentions:
        assert observation.text[each.start:each.end] == each.text
    return observation


def names(observation):
    return [(each.text, each.name, sorted(map(str, each.types)))
            for each in observation.mentions if each.kind is MentionKind.NAME]


def test_an_unknown_name_that_only_the_tagger_finds_does_not_take_the_answers_place():
    text = "robert I need the phone number of Ada Berg"
    assert mentions(text, ("robert", "person", 1.0)) == mentions(text)
    # Nor does it take the place of what the rules read there.
    text = "which group holds the workshop"
    assert mentions(text, ("workshop", "event", 1.0)) == mentions(text)


def test_a_known_name_word_by_word_stays_as_the_rules_read_it():
    text = "is Ada Berg today there"
    assert names(mentions(text, ("Ada Berg today", "event", 1.0))) == [
        ("Ada Berg", "Ada Berg", ["person"])]


def test_a_name_like_a_known_one_gets_wider_bounds_but_is_linked_by_what_is_like_it():
    found = mentions("where is justin custom", ("justin custom", "person", 0.9))
    assert names(found) == [("justin custom", "justin", ["person"])]
    # What is not linked is not taken to be understood.
    assert found.unexplained == mentions("where is justin custom").unexplained == ("custom",)


def test_two_known_names_are_not_made_one():
    text = "are justin ada there"
    assert [each[0] for each in names(mentions(text, ("justin ada", "person", 1.0)))] == [
        each[0] for each in names(mentions(text))]


def test_an_unknown_name_of_the_rules_gets_the_bounds_of_the_tagger_and_keeps_its_types():
    text = "I need the Copper kettle soup talk please"
    before, = names(mentions(text))
    assert before[0] != "Copper kettle soup talk"
    assert names(mentions(text, ("Copper kettle soup talk", "event", 0.8))) == [
        ("Copper kettle soup talk", "Copper kettle soup talk", before[2])]
    assert names(mentions(text, ("Copper kettle soup talk", "event", 0.4))) == [before]
    assert names(mentions("thanks Robert", ("Robert", "person", 1.0))) == names(
        mentions("thanks Robert"))


def test_nouns_beside_a_name_are_no_part_of_what_names():
    text = "where is the Plover conference room"
    assert names(mentions(text, ("Plover conference room", "room", 0.9)))[0][:2] == (
        "Plover conference room", "Plover")


def test_a_time_stays_a_time():
    text = "is Ada Berg free at noon"
    kinds = [each.kind for each in mentions(text, ("noon", "event", 1.0)).mentions]
    assert MentionKind.TIME in kinds


def test_a_definite_noun_phrase_that_only_the_tagger_finds_is_added():
    text = "who are those six members"
    added = [each for each in mentions(text, ("those six members", "definite", 0.9)).mentions
             if each.kind is MentionKind.DEFINITE]
    assert [each.text for each in added] == ["those six members"]
    assert mentions(text, ("those six members", "definite", 0.6)) == mentions(text)


@pytest.mark.parametrize(("said", "kept"), [
    ("the lift", False), ("the loo", False), ("the other one", True), ("those people", True)])
def test_a_definite_noun_phrase_stands_for_a_known_kind_of_thing(said, kept):
    found = mentions(f"where is {said}", (said, "definite", 0.95)).mentions
    assert (said in [each.text for each in found if each.kind is MentionKind.DEFINITE]) == kept


def test_a_pronoun_stays_whatever_the_tagger_takes_it_for():
    text = "what time is it on Friday?"
    for spans in ((), (("it", "pronoun", 0.9),), (("it", "event", 0.9),)):
        assert "it" in [each.text for each in mentions(text, *spans).mentions
                        if each.kind is MentionKind.PRONOUN]


def test_without_the_tagger_the_detector_is_that_of_the_rules():
    detector = GazetteerDetector(organisation(), tagger=Tags(("pain", "person", 1.0)))
    plain = detector.without_tagger()
    assert plain.index is detector.index
    assert plain.detect("where is pain", now=NOW) == GazetteerDetector(
        organisation()).detect("where is pain", now=NOW)
