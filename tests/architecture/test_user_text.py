"""After ``parse`` a user's words are read through few doors, which a trained parser can close."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from .structure import FOLDERS, ROOT

#: They read words: parsing itself, and the doors through which later stages ask.
PARSING = ("agent/understanding/", "kg/english/", "kg/names/", "kg/models/", "kg/car/car_questions",
           "kg/car/car_words", "rules/linking/n_best")
#: Who else has the text of an utterance, as a whole, and what for.
WHOLE = {
    "agent/acting/speaker.py": "whether it is a name alone",
    "agent/turn/stages/check_replies.py": "what a reply may say again",
    "agent/turn/stages/parse_utterance.py": "written into the dialogue graph",
    "agent/turn/turn_state.py": "the history of the dialogue",
    "generation/voice/generator.py": "the question that waits for what is asked back"}
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


#: Modules without such words need not be parsed.
MAY_READ = re.compile(r"(observation|request)\s*\.\s*text|words\s*\.\s*whole")


def _modules(*folders: str, that_have: str | re.Pattern[str] = "") -> dict[str, ast.Module]:
    found = {path: path.read_text(encoding="utf-8")
             for folder in folders for path in sorted(Path(ROOT, folder).rglob("*.py"))}
    return {str(path.relative_to(ROOT)): ast.parse(text) for path, text in found.items()
            if re.search(that_have, text)}


def _reads_utterance(node: ast.AST) -> bool:
    """Whether it is ``observation.text``, ``request.text`` or ``words.whole``, of whatever."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name | ast.Attribute):
        return False
    of = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
    return (of.lstrip("_"), node.attr) in {
        ("observation", "text"), ("request", "text"), ("words", "whole")}


def test_only_parsing_reads_what_a_user_says():
    modules = _modules(*FOLDERS, that_have=MAY_READ)
    assert {path for path, module in modules.items() if not path.startswith(PARSING)
            and any(map(_reads_utterance, ast.walk(module)))} == set(WHOLE)


def test_later_stages_match_patterns_in_replies_alone():
    assert {path for path, module in _modules(*LATER).items() for node in ast.walk(module)
            if isinstance(node, ast.Import) and "re" in [each.name for each in node.names]} \
        == set(PATTERNS)
