from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import DialogueAct, Mention, MentionKind, Observation
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.kg.graph.windows import WindowKind
from frontdesk.kg.names.gazetteer import LONGEST_UTTERANCE, MOST_MENTIONS, GazetteerDetector

OSLO = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=OSLO)
P, G, R, E = ArgumentType.PERSON, ArgumentType.GROUP, ArgumentType.ROOM, ArgumentType.EVENT
NAME, RELATION = MentionKind.NAME, MentionKind.RELATION


def event(entity_id: str, name: str, day: int = 3) -> Event:
    start = dt.datetime(2026, 3, day, 10, tzinfo=OSLO)
    return Event(entity_id, name, start, start + dt.timedelta(hours=1))


@pytest.fixture(scope="module")
def detect() -> Callable[..., Observation]:
    detector = GazetteerDetector(KnowledgeBase(
        name="Lanternworks", timezone=OSLO,
        people=[Person("p-amanda", "Amanda Barren"), Person("p-quill", "Amanda Quill"),
                Person("p-richard", "Richard Chambers"), Person("p-mark", "Mark Fjell"),
                Person("p-zoe", "Zoë Li")],
        groups=[Group("g-design", "Design"), Group("g-data", "Data Analysis")],
        rooms=[Room("r-birch", "Birch"), Room("r-beta", "Beta"),
               Room("o-214", "214", bookable=False)],
        events=[event("e-conv", "convergence discussion"), event("e-sem", "paradigm seminar"),
                event("e-lunch", "Friday lunch talk", 6), event("e-noon", "noon run", 4)]))

    def read(text: str, **context) -> Observation:
        observation = detector.detect(text, **({"now": NOW} | context))
        for mention in observation.mentions:
            assert observation.text[mention.start:mention.end] == mention.text
        starts = [mention.start for mention in observation.mentions]
        assert starts == sorted(starts)
        return observation
    return read


def only(observation: Observation, *kinds: MentionKind) -> list[Mention]:
    return [mention for mention in observation.mentions if mention.kind in kinds]


# --- names

@pytest.mark.parametrize(("text", "found", "kind"), [
    ("When is the convergence discussion?", "convergence discussion", E),
    ("where is Amanda Barren", "Amanda Barren", P),
    ("is AMANDA BARREN in?", "AMANDA BARREN", P),
    ("where does amanda quill sit", "amanda quill", P),
    ("is zoe li here today", "zoe li", P),
    ("Is Birch free?", "Birch", R),
    ("who is in the data analysis team?", "data analysis team", G),
    ("Will Mark be there?", "Mark", P)])
def test_gazetteer_finds_names(detect, text, found, kind):
    (mention,) = only(detect(text), NAME)
    assert (mention.text, mention.types) == (found, frozenset({kind}))
    assert not mention.introduces_speaker


@pytest.mark.parametrize(("text", "found"), [
    ("is Amanda free?", "Amanda"), ("could I speak to chambers please", "chambers"),
    ("when is the convergence meeting?", "convergence meeting"),
    ("who works in design?", "design")])
def test_gazetteer_finds_parts_of_names(detect, text, found):
    assert [mention.text for mention in only(detect(text), NAME)] == [found]


@pytest.mark.parametrize(("text", "found"), [
    ("what is the phone number of Amanda Baron?", "Amanda Baron"),
    ("where is Richart Chambers", "Richart Chambers"),
    ("when is the convergance discusion", "convergance discusion"),
    ("is the paradime seminar today", "paradime seminar")])
def test_gazetteer_finds_misspelt_and_misheard_names(detect, text, found):
    assert [mention.text for mention in only(detect(text), NAME)] == [found]


@pytest.mark.parametrize(("text", "said", "query"), [
    ("Is the Birch room free?", "Birch room", "Birch"),
    ("Is room Birch free?", "room Birch", "Birch"),
    ("Is the Birch conference room free?", "Birch conference room", "Birch"),
    ("who sits in room 214", "room 214", "214"),
    ("who sits in office 327", "office 327", "327"),
    ("is room number 12b free", "room number 12b", "12b"),
    ("the Design group", "Design group", "Design")])
def test_gazetteer_looks_up_the_name_without_its_noun(detect, text, said, query):
    (mention,) = only(detect(text), NAME)
    assert (mention.text, mention.name) == (said, query)


def test_gazetteer_finds_several_names_without_overlap(detect):
    text = "Do Amanda Barren and Richard Chambers attend the paradigm seminar in Birch?"
    assert [mention.text for mention in only(detect(text), NAME)] == [
        "Amanda Barren", "Richard Chambers", "paradigm seminar", "Birch"]


@pytest.mark.parametrize("text", [
    "will it be there, mark the date", "can you draw something", "what is the meeting about",
    "is there a discussion", "who is it", "good morning", "which rooms are free"])
def test_gazetteer_takes_no_everyday_words_for_names(detect, text):
    assert only(detect(text), NAME) == []


@pytest.mark.parametrize(("text", "found", "types"), [
    ("Do you know Wolfgang Pemberton?", "Wolfgang Pemberton", set()),
    ("Is the Zeta room free?", "Zeta room", {R}),
    ("Is there a turtle workshop?", "turtle workshop", {E}),
    ("Who is in the Astronomy group?", "Astronomy group", {G}),
    ("set up a meeting called quarterly turtle feeding for Friday", "quarterly turtle feeding",
     {E})])
def test_gazetteer_finds_names_that_nobody_has(detect, text, found, types):
    (mention,) = only(detect(text), NAME)
    assert (mention.text, mention.types) == (found, types)


# --- noun phrases, pronouns, relations, the speaker

@pytest.mark.parametrize(("text", "found"), [
    ("is the meeting tomorrow?", [("the meeting", {E})]),
    ("who is in that group?", [("that group", {G})]),
    ("is this room free?", [("this room", {R})]), ("which rooms are free?", []),
    ("is there a meeting room?", []), ("what is the next meeting?", [])])
def test_gazetteer_tells_definite_phrases_from_bare_types(detect, text, found):
    assert [(each.text, each.types) for each in only(detect(text), MentionKind.DEFINITE)] == found


@pytest.mark.parametrize(("text", "found", "types"), [
    ("where is it?", "it", {E, R, G}), ("is she free?", "she", {P}), ("call him", "him", {P}),
    ("are they free", "they", {P, G}), ("where is that?", "that", {E, R, G}),
    ("I think that she sits here", "she", {P})])
def test_gazetteer_finds_pronouns(detect, text, found, types):
    (mention,) = only(detect(text), MentionKind.PRONOUN)
    assert (mention.text, mention.types) == (found, types)


@pytest.mark.parametrize(("text", "noun", "relation", "possessor"), [
    ("Where is Amanda Barren's office?", "office", "office", "Amanda Barren"),
    ("where is amanda quill\u2019s office", "office", "office", "amanda quill"),
    ("who is in Richard Chambers' group", "group", "member_of", "Richard Chambers"),
    ("where is her office?", "office", "office", "her"),
    ("who is its organiser", "organiser", "organizer", "its"),
    ("which is my new office", "office", "office", "my"),
    ("who is the organizer of the paradigm seminar?", "organizer", "organizer",
     "paradigm seminar"),
    ("the members of Design", "members", "members", "Design"),
    ("who is the host of the meeting", "host", "organizer", "the meeting"),
    ("where is Wolfgang Pemberton's office?", "office", "office", "Wolfgang Pemberton")])
def test_gazetteer_finds_relations_and_whose(detect, text, noun, relation, possessor):
    observation = detect(text)
    (mention,) = only(observation, RELATION)
    assert (mention.text, mention.relation) == (noun, relation)
    assert observation.mentions[mention.possessor].text == possessor


def test_gazetteer_finds_the_organiser_of_something_not_said(detect):
    (mention,) = detect("who is the organiser?").mentions
    assert (mention.kind, mention.relation, mention.possessor) == (RELATION, "organizer", None)


def test_gazetteer_finds_the_same_attendees_as_a_relation_and_the_same_room_as_a_thing(detect):
    (mention,) = detect("invite the same attendees").mentions
    assert (mention.kind, mention.relation, mention.possessor) == (RELATION, "attendees", None)
    assert only(detect("book the same room"), RELATION) == []


def test_gazetteer_takes_a_pronoun_before_a_relation_for_what_has_one(detect):
    (its,) = only(detect("who is its organiser"), MentionKind.PRONOUN)
    assert its.types == {E}


def test_gazetteer_finds_the_speaker(detect):
    mentions = only(detect("I'd like to know when my meeting is, tell me"),
                    MentionKind.FIRST_PERSON)
    assert [mention.text for mention in mentions] == ["I", "my", "me"]


# --- times

@pytest.mark.parametrize(("text", "found", "start", "kind"), [
    ("is Birch free now?", "now", (2, 9), WindowKind.NOW),
    ("is Birch free tomorrow", "tomorrow", (3, 0), WindowKind.DAY),
    ("is amanda free at two", "at two", (2, 14), WindowKind.INSTANT)])
def test_gazetteer_finds_times(detect, text, found, start, kind):
    (mention,) = only(detect(text), MentionKind.TIME)
    assert mention.text == found
    assert mention.window.start == dt.datetime(2026, 3, *start, tzinfo=OSLO)
    assert mention.window.kind is kind


def test_gazetteer_reads_a_bare_time_on_the_day_talked_about(detect):
    (mention,) = only(detect("is amanda free at two", focus=[dt.date(2026, 3, 12)]),
                      MentionKind.TIME)
    assert mention.window.start == dt.datetime(2026, 3, 12, 14, tzinfo=OSLO)


def test_gazetteer_takes_no_time_inside_a_name_for_a_time(detect):
    inside = detect("who organises the Friday lunch talk and the noon run?")
    assert [mention.text for mention in only(inside, NAME)] == ["Friday lunch talk", "noon run"]
    assert inside.windows() == ()
    beside = detect("is the Friday lunch talk on Friday?")
    assert [window.date for window in beside.windows()] == [dt.date(2026, 3, 6)]
    before = detect("when is tomorrow noon run")
    assert [mention.text for mention in only(before, NAME, MentionKind.TIME)] == [
        "tomorrow", "noon run"]


# --- introductions

@pytest.mark.parametrize(("text", "found"), [
    ("my name is Amanda Barren", "Amanda Barren"), ("hi, my name is amanda", "amanda"),
    ("this is Richard Chambers speaking", "Richard Chambers"), ("I'm Zoë Li", "Zoë Li"),
    ("call me Richard", "Richard"), ("Hey, Amanda Barren here.", "Amanda Barren"),
    ("hello there, Wolfgang Pemberton here", "Wolfgang Pemberton"),
    ("Good morning. Richard speaking, where is Birch?", "Richard"),
    ("My name is Wolfgang Pemberton.", "Wolfgang Pemberton"),
    ("my name is wolfgang pemberton", "wolfgang pemberton"),
    ("I am Åsa Ødegård", "Åsa Ødegård"), ("Hello, I\u2019m Wolfgang", "Wolfgang")])
def test_gazetteer_finds_introductions_of_known_and_unknown_people(detect, text, found):
    observation = detect(text)
    (mention,) = [mention for mention in observation.mentions if mention.introduces_speaker]
    assert (mention.text, mention.kind, mention.types) == (found, NAME, {P})
    assert DialogueAct.INTRODUCE in observation.acts


@pytest.mark.parametrize("text", [
    "I am looking for Amanda", "I'm fine", "this is great", "it is Birch", "I'm in Birch",
    "is this Amanda Barren's office", "tell me about Amanda Barren", "this is the Design group",
    "it's on Friday", "i am wondering", "is Amanda Barren here", "Amanda Barren here?",
    "I was told that Amanda Barren here knows"])
def test_gazetteer_takes_nothing_else_for_an_introduction(detect, text):
    observation = detect(text)
    assert not any(mention.introduces_speaker for mention in observation.mentions)
    assert DialogueAct.INTRODUCE not in observation.acts


# --- any text at all

@pytest.mark.parametrize("text", ["", "   ", "\n\t", "?!?", "🎉🎉", "\x00\x01", "李娜在哪里", "где",
                                  "'", "\u2019s", "____", "\u202e\u200b"])
def test_gazetteer_finds_nothing_where_there_is_nothing(detect, text):
    observation = detect(text)
    assert observation.mentions == ()
    assert observation.notes == ()


def test_gazetteer_finds_names_among_emoji_control_characters_and_other_scripts(detect):
    observation = detect("🎉\x07 где Amanda\x00Barren 李娜 \u200b paradigm\tseminar \ud800 👩‍💻?")
    assert [mention.text for mention in only(observation, NAME)] == [
        "Amanda Barren", "paradigm seminar"]
    assert "👩‍💻" in observation.text


@pytest.mark.parametrize(("text", "expected"), [
    ("a\x00b\x1b[31m", "a b [31m"), ("  a \n b  ", "a b"), ("a\u202eb", "a b"), ("ü 🎉", "ü 🎉"),
    ("👩‍💻", "👩‍💻"), ("", "")])
def test_gazetteer_cleans_text_of_control_characters(text, expected):
    assert clean(text) == expected


def test_gazetteer_reads_only_the_beginning_of_a_long_text_and_says_so(detect):
    text = ("where is Amanda Barren? " + "so " * 5000)[:9990] + "and Birch?"
    observation = detect(text)
    assert len(observation.text) == LONGEST_UTTERANCE
    assert [mention.text for mention in observation.mentions] == ["Amanda Barren"]
    assert observation.notes == (f"only the first {LONGEST_UTTERANCE} of 10000 characters "
                                 "were read",)


def test_gazetteer_reads_only_the_first_of_many_mentions_and_says_so(detect):
    observation = detect("Birch, " * 40)
    assert [mention.text for mention in observation.mentions] == ["Birch"] * MOST_MENTIONS
    assert observation.notes == (f"only the first {MOST_MENTIONS} of 40 mentions were read",)


def test_gazetteer_never_cuts_between_a_relation_and_its_possessor(detect):
    birches = "Birch, " * (MOST_MENTIONS - 1)
    observation = detect(f"{birches} who is the organiser of the paradigm seminar?")
    assert len(observation.mentions) == MOST_MENTIONS - 1
    assert observation.notes == (
        f"only the first {MOST_MENTIONS - 1} of {MOST_MENTIONS + 1} mentions were read",)
    within = detect(f"{birches[7:]} who is the organiser of the paradigm seminar? Birch, Birch")
    assert [(mention.text, mention.possessor) for mention in within.mentions[-2:]] == [
        ("organiser", MOST_MENTIONS - 1), ("paradigm seminar", None)]


def test_gazetteer_compares_only_so_many_unknown_words_with_the_names(detect):
    unknown = " ".join(f"{one}{two}xwq" for one in "bcdfghjklm" for two in "aeiouyrstn")
    known = only(detect(f"{unknown} Amanda Barren"), NAME)
    assert known[-1].text == "Amanda Barren"


@pytest.mark.parametrize("text", ["Amanda " * 1400, "a" * 10_000, "my name is " * 900, "'s" * 5000,
                                  "the room of " * 800, "at 10 to 11 " * 800, "İ" * 10_000])
def test_gazetteer_keeps_to_its_limits_for_ten_thousand_characters(detect, text):
    observation = detect(text)
    assert len(observation.mentions) <= MOST_MENTIONS
    assert len(observation.text) <= LONGEST_UTTERANCE
    assert observation.notes
    for mention in observation.mentions:
        assert mention.possessor is None or 0 <= mention.possessor < len(observation.mentions)


def test_gazetteer_keeps_the_time_of_a_question_about_many(detect):
    names = ", ".join(f"Person Number{letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" * 2)
    observation = detect(f"Are {names} free tomorrow at 2 pm?")
    assert len(observation.mentions) == MOST_MENTIONS
    assert [window.start.hour for window in observation.windows()] == [14]


@pytest.mark.parametrize(("text", "times"), [
    ("Morning! Which rooms are free tomorrow?", ["tomorrow"]),
    ("morning which rooms are free tomorrow", ["tomorrow"]),
    ("Good afternoon, is Rowan free?", []), ("Tomorrow morning, which rooms are free?",
                                             ["Tomorrow morning"])])
def test_a_greeting_is_no_time(detect, text, times):
    assert [each.text for each in detect(text).mentions
            if each.kind is MentionKind.TIME] == times
