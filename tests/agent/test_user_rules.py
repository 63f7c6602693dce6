"""Rules of a user's own, from the settings file to the reply."""

from __future__ import annotations

import datetime as dt
import io
import os
import sys
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent.cli.main import main
from frontdesk.agent.sessions.agent import Agent
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.agent.settings.settings import RuleSettings, Settings
from frontdesk.data.invented.simulate import demo_organisation
from frontdesk.kg.graph.errors import FormatError, InputError

from ..forked_command import run_forked
from ..templates import TEMPLATES, TEMPLATES_ENVIRONMENT

HOUSE = """\
% A room is quiet at a time when it is free then and high up.
high(R) :- floor(R, F), F > 1.
quiet_room(R, W) :- room_available(R, W), high(R).
loud_room(R, W) :- room(R), window(W, _, _), \\+ quiet_room(R, W).
quiet_rooms(R, W) :- bookable(R), quiet_room(R, W).
has('{room}', 'a grand piano').
0.8::likes_tea(P) :- person(P).

fact(quiet_room(room, window), "{0} is quiet {1}.", "Is {0} quiet then?", ["quiet", "silent"]).
fact(loud_room(room, window), "{0} is not quiet {1}.", "Is {0} quiet then?",
     ["quiet", "silent"], no).
fact(quiet_rooms(rooms, window), "{0} {0.is} quiet {1}.", "Which rooms are quiet then?",
     ["quiet", "silent"]).
fact(has(room, text), "{0} has {1}.", ["What is there in {0}?", "Is there a piano in {0}?"],
     ["piano", "instrument"]).
fact(likes_tea(person), "{0} {0.is} fond of tea.", "Does {0} like tea?", ["tea"]).
"""
MISTAKES = {
    "syntax": ("p(R) :- room(R.", "line 1, column 13: this cannot be read"),
    "unknown": ("p(R) :- rooom(R).", "line 1, column 9: there is no predicate rooom/1"),
    "arity": ("p(R) :- room(R, 1).", "line 1, column 9: room takes 1 argument, not 2"),
    "negation": ("p(R) :- room(R), \\+ office(P, R), person(P).",
                 "line 1, column 28: the variable P has no value yet inside a negation"),
    "head": ("p(R) :- room(_).", "line 1, column 3: the variable R in the head has no value"),
    "arithmetic": ("p(R) :- room(R), F > 2, floor(R, F).",
                   "line 1, column 18: the variable F has no value yet"),
    "negative cycle": ("p(R) :- room(R), \\+ p(R).", "line 1, column 21: p/1 depends on"),
    "endless": ("n(0).\nn(N) :- n(M), N is M + 1.", "line 2, column 17: N is made anew"),
    "probability": ("1.5::p(R) :- room(R).", "line 1, column 1: 1.5 is no probability"),
    "alternatives": ("0.7::p(R); 0.7::q(R) :- room(R).", "line 1, column 1: the probabilities"),
    "redefinition": ("attends(P, E) :- person(P), event(E).",
                     "line 1, column 1: attends/2 is defined by commonsense.pl"),
    "machine": (":- consult('/etc/passwd').", "line 1, column 1: the directive"),
    "declaration": ('p(R) :- room(R).\nfact(p(room), "{1}.", "Is {0} p?", ["p"]).',
                    "line 2, column 15: the sentence has {1}"),
}


@pytest.fixture(scope="module")
def demo():
    present = dt.datetime(2026, 3, 17, 10, 20, tzinfo=ZoneInfo("Europe/Oslo"))
    return demo_organisation(present, timezone=ZoneInfo("Europe/Oslo")), present


def folder_with(tmp_path, text, *, name="house.pl"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    settings = tmp_path / "frontdesk.toml"
    settings.write_text(f'[rules]\nfiles = ["{name}"]\n', encoding="utf-8")
    return settings


@pytest.fixture(scope="module")
def talk(demo, encoder, tmp_path_factory):
    """Talks with the demo organisation and the house's rules, one dialogue per call."""
    kb, present = demo
    low = next(room for room in kb.bookable_rooms() if room.floor == 1)
    path = folder_with(tmp_path_factory.mktemp("house"), HOUSE.replace("{room}", low.id))
    agent = Agent(kb, load_settings(path, environment=TEMPLATES_ENVIRONMENT),
                  clock=lambda: present, encoder=encoder)

    def replies(*utterances):
        session = agent.session()
        return [session.reply(each) for each in utterances]
    return replies


@pytest.fixture(scope="module")
def high(demo):
    """The meeting rooms above the first floor that are free now, and a low one."""
    kb, present = demo
    free = [room for room in kb.bookable_rooms() if (room.floor or 0) > 1
            and not any(event.start <= present < event.end for event in kb.events_of(room.id))]
    return free, next(room for room in kb.bookable_rooms() if room.floor == 1)


def test_user_rules_answer_yes_no_questions(talk, high):
    (quiet, *_), low = high
    yes, no = (talk(f"Is {room.name} quiet now?")[0] for room in (quiet, low))
    assert yes.text == f"{quiet.name} is quiet now."
    assert no.text == f"{low.name} is not quiet now."
    assert yes.graph_check.passed
    assert no.graph_check.passed


def test_user_rules_answer_questions_in_general(talk, high):
    reply, = talk("Which rooms are quiet now?")
    names = sorted(room.name for room in high[0])
    assert all(name in reply.text for name in names)
    assert reply.text.endswith("quiet now.")
    assert high[1].name not in reply.text


def test_user_rules_answer_what_is_asked_about_what_was_spoken_of(talk, high):
    _, reply = talk(f"Which floor is {high[1].name} on?", "Is there a piano in it?")
    assert reply.text == "It has a grand piano."


def test_user_rules_keep_their_probability_and_their_proof(talk, demo):
    person = next(iter(demo[0].people.values()))
    reply, = talk(f"Does {person.name} like tea?")
    ranked = next(each for each in reply.facts if each.fact.predicate == "likes_tea")
    assert ranked.fact.certainty == pytest.approx(0.8)
    assert ranked.text == f"{person.name} is probably fond of tea (80 % likely)."
    assert not reply.text.startswith("Yes")
    assert ranked.fact.provenance.rule == "house.pl:likes_tea"


def test_user_rules_answer_in_words_that_nobody_wrote(talk, demo, high):
    (quiet, *_), low = high
    person = next(iter(demo[0].people.values()))
    replies = talk(
        f"is {quiet.name} nice and quiet now", f"and {low.name}?",
        f"what instruments does {low.name} have", f"what instruments does {quiet.name} have",
        f"is {person.name} a tea drinker")
    assert [each.text for each in replies] == [
        f"{quiet.name} is quiet now.", f"{low.name} is not quiet now.",
        f"{low.name} has a grand piano.", "I have no information on that.",
        f"{person.name} is probably fond of tea (80 % likely)."]


def test_user_rules_leave_other_answers_as_they_are(demo, encoder, talk):
    kb, present = demo
    plain = Agent(kb, TEMPLATES, clock=lambda: present, encoder=encoder)
    for utterance in ("Which rooms are free now?", "Who is in the Finance group?", "Hello!"):
        assert talk(utterance)[0].text == plain.session().reply(utterance).text


def test_user_rules_are_read_by_the_agent_without_a_settings_file(demo, tmp_path):
    settings = replace(Settings(), rules=RuleSettings((str(tmp_path / "none.pl"),)))
    with pytest.raises(InputError, match=r"cannot read the rule file .*none\.pl"):
        Agent(demo[0], settings)


# --- settings

def test_settings_take_rule_files_from_the_folder_of_the_settings_file(tmp_path, monkeypatch):
    path = folder_with(tmp_path, "p(R) :- room(R).")
    monkeypatch.chdir("/")
    assert load_settings(path, environment={}).rules.files == (str(tmp_path / "house.pl"),)


def test_settings_take_rule_files_from_the_environment(tmp_path):
    files = [tmp_path / "a.pl", tmp_path / "b.pl"]
    for number, each in enumerate(files):
        each.write_text(f"p{number}(R) :- room(R).", encoding="utf-8")
    settings = load_settings(environment={"FRONTDESK_RULES_FILES": ":".join(map(str, files))})
    assert settings.rules.files == tuple(map(str, files))


@pytest.mark.parametrize("value", ['"house.pl"', "[1]", "{}"])
def test_settings_refuse_rule_files_that_are_no_list_of_paths(tmp_path, value):
    path = tmp_path / "frontdesk.toml"
    path.write_text(f"[rules]\nfiles = {value}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"rules\.files must be a list of texts, not"):
        load_settings(path, environment={})


@pytest.mark.parametrize("kind", MISTAKES)
def test_settings_refuse_a_rule_file_with_a_mistake(tmp_path, kind):
    text, message = MISTAKES[kind]
    with pytest.raises(FormatError) as caught:
        load_settings(folder_with(tmp_path, text), environment={})
    assert f"house.pl, {message}" in str(caught.value)


# --- the command line

@pytest.mark.parametrize("kind", MISTAKES)
def test_chat_ends_with_one_clear_message_before_anything_starts(tmp_path, capsys, monkeypatch,
                                                                 kind):
    text, message = MISTAKES[kind]
    unread = io.TextIOWrapper(io.BytesIO(b"hello\n"))
    monkeypatch.setattr(sys, "stdin", unread)
    saved = tmp_path / "talk.json"
    status = main(["chat", "--config", str(folder_with(tmp_path, text)), "--save", str(saved)])
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.count("frontdesk: ") == 1
    assert f"house.pl, {message}" in err
    assert unread.readline() == "hello\n"  # nobody has answered
    assert not saved.exists()


def test_chat_answers_by_rules_and_tells_what_looks_like_a_slip(tmp_path):
    config = folder_with(tmp_path, HOUSE.replace("{room}", "none") + "odd(R) :- room(R), now(N).\n")
    done = run_forked("chat", "--config", config, "--now", "2026-03-17T10:20", text=True,
                      stdin="Which rooms are quiet now?\n",
                      env={**os.environ, **TEMPLATES_ENVIRONMENT})
    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("quiet now.")
    assert done.stderr.splitlines() == [
        f"frontdesk: {tmp_path / 'house.pl'}, line 17, column 24: the variable N stands there "
        "once. Write _N if that is meant."]
