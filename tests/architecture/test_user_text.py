"""After ``parse`` nobody reads what a user says, but who takes in the dialogue as text."""

from __future__ import annotations

import ast
import datetime as dt
import re
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.agent.turn.turn_state import TurnInputs, TurnState
from frontdesk.agent.understanding.surface_cues import SurfaceCues
from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Observation

from ..templates import TEMPLATES
from .structure import ROOT

#: They are the stage ``parse``.
PARSING = {
    "agent/turn/stages/parse_utterance.py", "agent/understanding/form_acts.py",
    "agent/understanding/house_questions.py", "agent/understanding/introductions.py",
    "agent/understanding/meaning.py",
    "agent/understanding/pattern_parser.py"}
_HISTORY = "replies are generated from the history of the dialogue, and checked against it"
_CUES = "a domain without forms, as the car, is understood by cue words"
#: Who has the text of an utterance after it, and why.
AFTER = {
    "agent/acting/action_context.py": "what the agent said last",
    "agent/turn/remember_reply.py": "what the agent said",
    "agent/turn/stages/link_mentions.py": "hypotheses are linked by where their mentions stand",
    "agent/understanding/link_utterance.py": "hypotheses are linked by where their mentions stand",
    "rules/linking/n_best.py": "hypotheses are linked by where their mentions stand",
    "agent/turn/stages/rank_facts.py": "facts are relevant to the history of the dialogue",
    "scoring/relevance_features.py": "facts are relevant to the history of the dialogue",
    "kg/english/cues.py": f"{_CUES}; the question feature leaves names out of the utterance",
    "kg/car/car_questions.py": _CUES,
    "agent/turn/faithfulness.py": _HISTORY,
    "agent/turn/stages/check_replies.py": _HISTORY,
    "agent/understanding/task_readings.py": "the words of a task are kept with it until it is done",
    "agent/understanding/read_request.py": "a message that is asked for is all that is said",
    **dict.fromkeys((
        "generation/car/car_realiser.py", "generation/checks/agreement.py",
        "generation/checks/core_agreement.py", "generation/voice/embedded.py",
        "generation/voice/generator.py", "generation/voice/openai_client.py",
        "generation/voice/pointer/source.py", "generation/voice/transformers_generator.py"),
        _HISTORY)}
#: Packages of the turn.
TURN = ("agent/acting", "agent/turn", "agent/understanding", "generation", "kg/car", "kg/english",
        "rules", "scoring")
#: What takes words and is asked where they are read, and by whom.
WORDS_TAKEN = {
    "veto": {"introductions", "notice_veto", "surface_cues"},
    "notice_veto": {"visitor_notices"}, "occurrences": {"surface_cues"}}
#: Packages after parsing; who matches patterns there, and in what.
LATER = ("agent/acting", "agent/turn", "scoring", "generation/answers", "generation/car")
PATTERNS = {
    "agent/acting/worded_questions.py": "replies",
    "agent/turn/remember_reply.py": "replies",
    "generation/answers/reply_sentence.py": "replies",
    "generation/answers/told_facts.py": "sentences that are known to be true",
    "generation/car/car_check.py": "replies",
    "generation/car/car_speech_names.py": "replies",
    "generation/car/car_weather.py": "replies"}


def _modules(*folders: str) -> dict[str, ast.Module]:
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8"))
            for folder in folders for path in sorted(Path(ROOT, folder).rglob("*.py"))}


def _reads_utterance(node: ast.AST) -> bool:
    """Whether it is the text of an utterance, a turn or a dialogue, of whatever."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "text"
    if not isinstance(node, ast.Attribute):
        return False
    of = node.value.id if isinstance(node.value, ast.Name) else \
        node.value.attr if isinstance(node.value, ast.Attribute) else ""
    return node.attr in {"history", "hypotheses", "utterances"} or (of.lstrip("_"), node.attr) in {
        ("observation", "text"), ("hypothesis", "text"), ("heard", "text"), ("cues", "span"),
        ("cues", "_text"), ("cues", "_cleaned")}


def test_only_parsing_reads_what_a_user_says():
    assert {path for path, module in _modules(*TURN).items()
            if any(map(_reads_utterance, ast.walk(module)))} == PARSING | set(AFTER)


def test_what_takes_words_is_asked_while_they_are_read():
    asked: dict[str, set[str]] = {each: set() for each in WORDS_TAKEN}
    for path, module in _modules("agent").items():
        for node in ast.walk(module):
            if isinstance(node, ast.ImportFrom) and node.module:
                named = {node.module.split(".")[-1], *(each.name for each in node.names)}
                for each in named & asked.keys():
                    asked[each].add(Path(path).stem)
    assert asked == WORDS_TAKEN


def test_cues_give_verdicts_and_spans():
    members = {name: member.fget if isinstance(member, property) else member
               for name, member in vars(SurfaceCues).items() if not name.startswith("_")}
    given = {name: typing.get_type_hints(member).get("return")
             for name, member in members.items() if callable(member)}
    assert {name for name, kind in given.items() if kind is str} == {"as_title", "occurrences"}


def test_later_stages_match_patterns_in_replies_alone():
    assert {path for path, module in _modules(*LATER).items() for node in ast.walk(module)
            if isinstance(node, ast.Import) and "re" in [each.name for each in node.names]} \
        == set(PATTERNS)


# --- while turns run

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)
KB = KnowledgeBase(
    name="F", timezone=ZONE, rooms=[Room("r1", "Beta"), Room("r2", "Rowan")],
    people=[Person("ines", "Ines Okafor", "ines@example.org"), Person("bo", "Bo Haraldsen")],
    events=[Event("e1", "lens workshop", NOW + dt.timedelta(hours=2),
                  NOW + dt.timedelta(hours=3), "r2", "ines", ("ines",))])
DIALOGUE = (
    ("Book a meeting called glue tomorrow at 10",), ("yes",), ("undo that",),
    ("Tell Bo that the glue is dry and cancel the lens workshop",), ("yes",), ("yes",),
    ("Where is the lens workshop?", "Where is the lance workshop?"), ("Is there a car park?",),
    ("I'm here to see Bo Haraldsen",), ("There is a fire!",), ("I'm Bo Haraldsen.",))


@pytest.fixture
def reads(monkeypatch):
    """The modules that read what a user says, one after the other."""
    found: list[str] = []

    def note() -> None:
        name = sys._getframe(2).f_globals["__name__"]
        if not re.match(r"dataclasses|frontdesk\.kg\.graph\.", name):  # which keep it
            found.append(name.removeprefix("frontdesk.").replace(".", "/") + ".py")

    def text(self) -> str:
        note()
        return vars(self)["text"]

    for kind in (Observation, Hypothesis):
        monkeypatch.setattr(kind, "text", property(
            text, lambda self, value: vars(self).update(text=value)), raising=False)
    def noted(method: Callable[..., object]) -> Callable[..., object]:
        def called(*args, **kwargs):
            note()
            return method(*args, **kwargs)
        return called

    for name in ("text", "history", "hypotheses", "question"):
        monkeypatch.setattr(DialogueGraph, name, noted(getattr(DialogueGraph, name)))
    return found


def test_no_turn_reads_what_a_user_says_once_it_is_parsed(encoder, reads):
    agent = Agent(KB, TEMPLATES, clock=lambda: NOW, encoder=encoder)
    session = agent.session(speaker="ines")
    after = set()
    for heard in DIALOGUE:
        state = TurnState(TurnInputs(session.graph, [*map(Hypothesis, heard)], NOW, agent.access,
                                     session="visit"))
        for stage in agent.stages():
            reads.clear()
            stage.run(state)
            if stage.name not in ("refresh", "parse"):
                after.update(reads)
    assert "rules/linking/n_best.py" in after
    assert after <= set(AFTER)
