"""Strange strings as names and as what is said change nothing but themselves."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import MentionKind, Observation
from frontdesk.kg.names.gazetteer import LONGEST_UTTERANCE, MOST_MENTIONS, GazetteerDetector
from frontdesk.rules.linking.features import name_features, pair_features

UTC = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=UTC)
HOSTILE = {
    "quotes": "'\"`\u201c\u2018", "quoted": "O'Brien \"the 'boss'\"",
    "newlines": "line one\r\nline two\n\n", "prolog": "'), halt. %",
    "clause": "1.0::refers_to(m,e).", "prolog list": "[H|T] :- \\+ fail, !.",
    "format": "{0} {mention!r} %s %n $(id)", "sql": "Robert'); DROP TABLE people;--",
    "html": "<script>alert(1)</script>&amp;",
    "right to left": "\u202egnitem\u202c \u05e9\u05dc\u05d5\u05dd",
    "emoji": "🎉👩\u200d💻🏳️\u200d🌈", "zero width": "a\u200bb\u200cc\u2060d\ufeff",
    "combining": "Z\u0351\u036b\u0343\u036aa\u0300l\u0327go", "nothing": "\u00a0\u2003\t",
    "null": "a\x00b\x1b[31m", "surrogate": "\ud800 lone", "long word": "q" * 5000,
    "long": "zq " * 2000, "path": "../../etc/passwd\\..\\x",
    "regular expression": "(a+)+$ [^\\W_]*? (?P<n>",
    "digits": "9" * 400 + " 0x7f 1e309 \u0663\u00bd",
    "json": '{"__proto__": null, "a": [1e999]}'}
SAID = ("Where is Amanda Barren tomorrow?", "Who attends the lens review in Birch at 10?",
        "amanda baron and the Design group", "the lens revue with Wolfgang Amadeus")


def organisation(extra: str | None = None) -> KnowledgeBase:
    people, groups = [Person("p1", "Amanda Barren"), Person("p2", "Amanda Quill")], []
    rooms = [Room("r1", "Birch")]
    events = [Event("e1", "lens review", NOW, NOW)]
    if extra is not None:
        people.append(Person("xp", extra))
        rooms.append(Room("xr", extra))
        groups.append(Group("xg", extra))
        events.append(Event("xe", extra, NOW, NOW))
    return KnowledgeBase(name="L", timezone=UTC, people=people, rooms=rooms, events=events,
                         groups=[Group("g1", "Design"), *groups])


@pytest.fixture(scope="module")
def plain() -> GazetteerDetector:
    return GazetteerDetector(organisation())


def known(observation: Observation) -> list[str]:
    """The names in an observation that are those of the organisation, by what they mean."""
    return [mention.text for mention in observation.mentions
            if mention.kind is MentionKind.NAME and mention.types]


@pytest.mark.parametrize("string", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_change_no_observation_of_others(plain, string):
    detector = GazetteerDetector(organisation(string))
    for text in SAID:
        assert detector.detect(text, now=NOW) == plain.detect(text, now=NOW)
        for entity in plain.kb.entities():
            ours, theirs = (pair_features(text, entity, each.index)
                            for each in (plain, detector))
            assert (ours.exact, ours.words_alike, ours.same_sound, ours.jaro_winkler,
                    ours.words_covered) == (theirs.exact, theirs.words_alike, theirs.same_sound,
                                            theirs.jaro_winkler, theirs.words_covered)


@pytest.mark.parametrize("string", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_are_exactly_themselves(string):
    index = GazetteerDetector(organisation(string)).index
    found = {entity for entry in index.lookup(string).entries for entity in entry.entities}
    named = [index.entry(entity.type, entity.name) for entity in organisation(string).entities()]
    exact = {entity for entry, features in zip(named, name_features(string, named, index),
                                               strict=True)
             if features.exact for entity in entry.entities}
    expected = {"xp", "xr", "xg", "xe"} if index.entry(named[-1].type, string).words else set()
    assert exact == expected <= found


@pytest.mark.parametrize("string", HOSTILE.values(), ids=HOSTILE)
def test_hostile_strings_said_leave_the_names_around_them(plain, string):
    text = f"Amanda Barren, {string[:1000]}, Amanda Barren and the Design group"
    observation = plain.detect(text, now=NOW)
    names = known(observation)
    assert names[0] == "Amanda Barren"
    assert names[-2:] == ["Amanda Barren", "Design group"]
    for mention in observation.mentions:
        assert observation.text[mention.start:mention.end] == mention.text
        found = plain.index.lookup(mention.name)
        name_features(mention.name, found.entries, plain.index)


@pytest.mark.parametrize("string", HOSTILE.values(), ids=HOSTILE)
def test_hostile_strings_said_are_like_no_name(plain, string):
    assert plain.index.lookup(string).entries == []
    for features in name_features(string, plain.index.entries, plain.index):
        assert (features.exact, features.words_alike, features.same_sound) == (False,) * 3
        assert features.words_covered == features.name_share == 0


@pytest.mark.parametrize("string", HOSTILE.values(), ids=HOSTILE)
def test_hostile_strings_said_alone_keep_to_the_limits(plain, string):
    observation = plain.detect(string, now=NOW)
    assert len(observation.text) <= LONGEST_UTTERANCE
    assert len(observation.mentions) <= MOST_MENTIONS
    for mention in observation.mentions:
        assert mention.kind is not MentionKind.NAME or plain.index.lookup(
            mention.name).entries == []


def test_hostile_names_of_any_length_are_compared_by_their_first_words_and_letters():
    kb = KnowledgeBase(name="L", timezone=UTC, people=[
        Person("p1", "k" * 100_000), Person("p2", "Ida " * 20_000), Person("p3", "Ida Moss")])
    index = GazetteerDetector(kb).index
    for mention in ("k" * 99_999, "Ida " * 19_999 + "Moss", "idamoss" * 300):
        for features in name_features(mention, index.entries, index):
            assert not features.exact
            assert features.jaro_winkler < 0.6
            assert features.levenshtein > 90
    assert index.lookup("k" * 100_000).entries[0].entities == ("p1",)
    assert index.lookup("Ida " * 20_000).entries[0].entities == ("p2",)
