"""The intent head: probabilities, inputs, weights, and what the shipped one makes of requests."""

from __future__ import annotations

import datetime as dt
import json
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from frontdesk.kg.graph.entities import Person, Room
from frontdesk.kg.graph.errors import MissingModelError
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.models.intent_head import (
    ASKED,
    EMBEDDED,
    INTENT_HEADS,
    IntentHead,
    UtteranceFeatures,
    cues_of,
    load_intent_head,
    n_inputs,
    save_intent_head,
)
from frontdesk.kg.names.gazetteer import GazetteerDetector

CUES = ("hello", "^ yes", "at #")
INTENTS = tuple(Intent)
#: What people say after something was asked for, in words that no pattern has; intents that it has
#: (either side of |), intents that it must not have, kinds of mentions found in it.
SAID = [
    ("", "Would you mind finding half an hour for Jo Lund and me on Thursday?",
     "create_event|find_time", "thank goodbye", "time person"),
    ("", "my colleague Ines has to be at that one as well", "invite", "remove_attendee", "person"),
    ("", "oh and please scratch Tom from the guest list", "remove_attendee", "invite", "person"),
    ("", "Could our two o'clock go to four instead?", "move_event", "cancel_event", "time"),
    ("", "I'm afraid the budget talk has to fall through, get it off the calendar",
     "cancel_event", "create_event", "event"),
    ("start", "sometime around eleven I guess", "set_time", "choose", "time"),
    ("start", "half two", "set_time", "", "time"),
    ("start", "doesn't really matter when", "any", "set_time", ""),
    ("date", "the Tuesday after next would suit us", "set_date", "cancel_event", "time"),
    ("duration", "forty minutes tops", "set_duration", "set_time", "time"),
    ("title", "sensor calibration", "set_name", "confirm", ""),
    ("title", "let us simply name it Friday coffee", "set_name", "cancel_event", ""),
    ("place", "the Juniper room would be lovely", "set_place", "cancel_event", "room"),
    ("place", "I couldn't care less which room", "any", "deny", ""),
    ("attendees", "Maja Holt and somebody out of Optics", "invite", "remove_attendee", "person"),
    ("confirmation", "yep, that one is right", "confirm", "deny", ""),
    ("confirmation", "nope, that isn't what I had in mind", "deny", "confirm", ""),
    ("confirmation", "yes please and add Ada Berg too", "confirm invite", "deny", "person"),
    ("confirmation", "no, I said Wednesday", "deny correct", "confirm", "time"),
    ("confirmation", "hm no thanks", "deny", "confirm", ""),
    ("choice", "make it the second one", "choose", "deny", ""),
    ("choice", "I'd go for the later slot", "choose", "deny", ""),
    ("event", "it was the one called archive review", "choose", "cancel_event", "event"),
    ("speaker", "Sigrid Vane is the name", "introduce", "cancel_event", "person"),
    ("speaker", "Orla Finch", "introduce", "cancel_event", "person"),
    ("message", "that her taxi is waiting outside", "leave_message", "cancel_event", ""),
    ("recipient", "for Bram Oakes please", "leave_message", "cancel_event", "person"),
    ("", "Hi there, Orla Finch speaking, when does the archive review kick off?",
     "greet introduce request_attribute", "cancel_event", "person event"),
    ("", "whereabouts is Bram's desk?", "request_attribute", "set_place", "person"),
    ("", "whose job is it to run the archive review?",
     "request_attribute", "create_event", "event"),
    ("", "anything you can say about the Lantern project meeting?",
     "request_information", "create_event", "event"),
    ("", "will Bram Oakes be around at noon?", "request_availability", "set_time", "time person"),
    ("", "got any empty rooms this afternoon?", "request_availability", "cancel_event", "time"),
    ("", "give me the names of everybody in the Fungi group", "request_members", "invite", ""),
    ("", "what would be the quickest way to reach Bram Oakes?",
     "request_contact", "invite", "person"),
    ("", "how full is my calendar tomorrow?", "request_agenda", "set_date", "time"),
    ("", "anything on for me on Friday?", "request_agenda", "create_event", "time"),
    ("", "please get us a room for an hour at ten", "create_event", "cancel_event", "time"),
    ("", "I wish to sit down with Bram Oakes next Monday",
     "create_event", "cancel_event", "time person"),
    ("", "Set up a call named harbour plans with the Fungi team at 3 pm tomorrow",
     "create_event set_name set_time set_date invite", "cancel_event", "time"),
    ("", "we should start thirty minutes later", "move_event", "cancel_event", "time"),
    ("", "the title ought to be harbour plans", "set_name", "create_event", ""),
    ("", "stretch it to ninety minutes", "set_duration", "cancel_event", "time"),
    ("", "rather hold it in the Heron room", "set_place", "cancel_event", "room"),
    ("", "which slot would suit all three of us?", "find_time", "cancel_event", ""),
    ("", "would you pass a note to Bram Oakes that I have left already?",
     "leave_message", "cancel_event", "person"),
    ("", "tell Ines the projector is fixed", "leave_message", "request_information", "person"),
    ("", "please undo what you did just now", "undo", "create_event", ""),
    ("", "ah forget it, I'll sort it out myself", "abandon", "confirm", ""),
    ("", "sorry, I meant Thursday", "correct", "thank", "time"),
    ("", "thanks a million, see you around", "thank goodbye", "cancel_event", ""),
    ("", "so how are things with you today?", "pleasantry", "request_agenda", ""),
    ("", "what sort of stuff can you do?", "ask_help", "create_event", ""),
    ("", "is it going to rain?", "", "request_availability create_event set_time", ""),
    ("", "my umbrella is broken", "", "create_event cancel_event confirm deny", ""),
    ("", "who painted that picture over there?",
     "", "create_event cancel_event confirm invite", ""),
    ("", "hi can you book juniper for me and bram at noon thanks",
     "greet create_event set_place set_time invite thank", "cancel_event", "time person room"),
    ("", "cancel lunch and tell bram i am ill",
     "cancel_event leave_message", "create_event", "person"),
    ("", "great, then put off the archive review till Monday",
     "move_event set_date", "cancel_event", "time event"),
    ("confirmation", "sure, but make it an hour", "confirm set_duration", "deny", "time"),
    ("", "nothing more from my side, cheers", "thank", "confirm", ""),
]


def random_head(seed=0, hidden=5):
    rng = np.random.default_rng(seed)
    shapes = {"hidden.weight": (hidden, n_inputs(len(CUES))), "hidden.bias": (hidden,),
              "output.weight": (len(INTENTS), hidden), "output.bias": (len(INTENTS),)}
    return IntentHead({name: rng.normal(size=shape).astype(np.float32)
                       for name, shape in shapes.items()}, CUES)


def embedding(seed=0):
    vector = np.random.default_rng(seed).normal(size=EMBEDDED).astype(np.float32)
    return vector / np.linalg.norm(vector)


# --- probabilities and inputs

def test_every_intent_has_a_probability_of_its_own():
    found = random_head().probabilities(embedding(), features=UtteranceFeatures("hello at 8"))
    assert tuple(found) == INTENTS
    assert all(0 <= each <= 1 for each in found.values())
    assert sum(found.values()) != pytest.approx(1)


def test_probabilities_are_those_of_the_perceptron():
    head, vector = random_head(), embedding()
    inputs = np.zeros(n_inputs(3))
    inputs[:384] = vector * 384 ** 0.5
    inputs[384 + ASKED.index("start")] = 1
    inputs[384 + 13:384 + 19] = [1, 4 / 24, 1, 0, 1, 0]  # "?", words, time, person, room, event
    inputs[384 + 19 + 1] = inputs[384 + 19 + 2] = 1      # "^ yes", "at #"
    weights = head.weights
    hidden = np.maximum(weights["hidden.weight"] @ inputs + weights["hidden.bias"], 0)
    scores = weights["output.weight"] @ hidden + weights["output.bias"]
    found = head.probabilities(vector, asked="start", features=UtteranceFeatures(
        "Yes, at 10 there?", time=True, room=True))
    assert list(found.values()) == pytest.approx(1 / (1 + np.exp(-scores)), abs=1e-5)


def test_what_was_asked_mentions_and_words_each_matter():
    head, vector = random_head(), embedding()
    plain = head.probabilities(vector, features=UtteranceFeatures("ten"))
    assert plain != head.probabilities(vector, asked="start", features=UtteranceFeatures("ten"))
    assert plain != head.probabilities(vector, features=UtteranceFeatures("ten", time=True))
    assert plain != head.probabilities(vector, features=UtteranceFeatures("hello ten"))
    assert plain == head.probabilities(vector, asked="", features=UtteranceFeatures("TEN"))


def test_scores_beyond_all_bounds_are_still_probabilities():
    head = random_head()
    head.weights["output.bias"] = np.full(len(INTENTS), 1e30, dtype=np.float32)
    head.weights["output.bias"][0] = -1e30
    found = list(head.probabilities(embedding(), features=UtteranceFeatures("x")).values())
    assert found[0] == pytest.approx(0)
    assert found[1:] == pytest.approx([1] * (len(INTENTS) - 1))


def test_an_unknown_question_is_no_question():
    with pytest.raises(ValueError, match="asked is 'colour'"):
        random_head().probabilities(embedding(), asked="colour", features=UtteranceFeatures("x"))


@pytest.mark.parametrize(("text", "cues"), [
    ("", {"^ $"}), ("Yes", {"yes", "^ yes", "yes $"}),
    ("it’s 10:30", {"it's", "#", "^ it's", "it's #", "# #", "# $"}),
    ("¿¡ \u0000 {0} é", {"#", "é", "^ #", "# é", "é $"})])
def test_cues_are_words_and_neighbours_of_any_text(text, cues):
    assert cues_of(text) == cues


def test_features_of_an_observation_are_its_named_mentions():
    kb = KnowledgeBase(name="tiny", timezone=ZoneInfo("UTC"), people=[Person("p1", "Ada Berg")],
                       rooms=[Room("r1", "Juniper")])
    now = dt.datetime(2026, 3, 17, 9, tzinfo=ZoneInfo("UTC"))
    detector = GazetteerDetector(kb)
    found = UtteranceFeatures.of(detector.detect("Is Juniper free at two?", now=now))
    assert found == UtteranceFeatures("Is Juniper free at two?", time=True, room=True)
    assert UtteranceFeatures.of(detector.detect("call her", now=now)) == UtteranceFeatures(
        "call her")
    assert UtteranceFeatures.of(detector.detect("Where is Ada Berg?", now=now)).person


# --- weights

def test_weights_are_those_that_were_saved(tmp_path):
    head, path = random_head(), tmp_path / "i.safetensors"
    save_intent_head(head, path)
    loaded = load_intent_head(path)
    assert loaded.cues == CUES
    assert loaded.intents == INTENTS
    for name, value in head.weights.items():
        assert np.array_equal(loaded.weights[name], value.astype(np.float16).astype(np.float32))
    assert load_intent_head(path) is loaded


def _flip(path):
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def _not_finite(path):
    head = random_head()
    head.weights["output.bias"][0] = np.nan
    save_intent_head(head, path)


def _configure(**changes):
    def change(path):
        config = json.loads(path.with_suffix(".json").read_text())
        path.with_suffix(".json").write_text(json.dumps(config | changes))
    return change


@pytest.mark.parametrize(("harm", "message"), [
    (lambda path: path.unlink(), "cannot be read"),
    (lambda path: path.with_suffix(".json").unlink(), "cannot be read"),
    (lambda path: path.write_bytes(b""), "damaged"), (_flip, "damaged"),
    (_not_finite, "not finite"),
    (lambda path: path.with_suffix(".json").write_text("{"), "no JSON"),
    (lambda path: path.with_suffix(".json").write_text("[]"), "not of version 1"),
    (_configure(version=2), "not of version 1"), (_configure(asked=["time"]), "not of version"),
    (_configure(cues=["hello"]), "do not fit"), (_configure(cues=3), "do not fit"),
    (_configure(intents=["sing"]), "do not fit")])
def test_weights_that_cannot_be_used_name_the_file_and_a_remedy(tmp_path, harm, message):
    path = tmp_path / "i.safetensors"
    save_intent_head(random_head(), path)
    harm(path)
    with pytest.raises(MissingModelError, match=rf"i\.safetensors.*{message}.*train intents"):
        load_intent_head(path)


# --- the shipped head

def test_shipped_weights_are_small_and_know_every_intent():
    folder = INTENT_HEADS.packaged.parent
    assert sum(each.stat().st_size for each in folder.iterdir()) <= 1_000_000
    head = load_intent_head()
    assert head.intents == INTENTS
    provenance = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    assert provenance["weights"][INTENT_HEADS.packaged.name] == json.loads(
        INTENT_HEADS.packaged.with_suffix(".json").read_text(encoding="utf-8"))["sha256"]


def test_shipped_head_understands_what_no_pattern_has(encoder):
    head = load_intent_head()
    wrong = []
    for asked, text, has, has_not, kinds in SAID:
        found = head.probabilities(
            encoder.encode([text])[0], asked=asked,
            features=UtteranceFeatures(text, **dict.fromkeys(kinds.split(), True)))
        told = {str(intent) for intent, chance in found.items() if chance >= 0.5}
        understood = all(told & set(each.split("|")) for each in has.split()) if has else not told
        if not understood or told & set(has_not.split()):
            wrong.append((text, told))
    assert len(wrong) <= len(SAID) // 10, wrong
    assert len(SAID) >= 60


def test_shipped_head_reads_the_same_words_by_what_was_asked(encoder):
    def best(text, asked, **kinds):
        found = load_intent_head().probabilities(
            encoder.encode([text])[0], asked=asked, features=UtteranceFeatures(text, **kinds))
        return max(found, key=found.get)

    assert best("Ada Berg", "speaker", person=True) is Intent.INTRODUCE
    assert best("Ada Berg", "attendees", person=True) is Intent.INVITE
    assert best("Ada Berg", "recipient", person=True) is Intent.LEAVE_MESSAGE
    assert best("lens workshop", "title") is Intent.SET_NAME
    assert best("lens workshop", "event", event=True) is Intent.CHOOSE
    assert best("two", "start", time=True) is Intent.SET_TIME


@pytest.mark.parametrize("text", ["", " ", "?" * 5000, "\x00\ud800", "yes " * 4000, "1" * 3000])
def test_shipped_head_takes_any_text(encoder, text):
    clean = text.encode("utf-8", "replace").decode()
    found = load_intent_head().probabilities(encoder.encode([clean])[0],
                                             features=UtteranceFeatures(text))
    assert all(0 <= each <= 1 for each in found.values())
