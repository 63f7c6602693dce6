"""Proofs of derived facts in words and as data."""

from __future__ import annotations

import datetime as dt
from typing import Any

from frontdesk.kg.english.phrases import say_count
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.rules.engine.proofs import Argument, Expression, Proof, Variable

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
#: Programs count moments in minutes since 1970. No floor, group or duration comes near 1980.
_FIRST_MOMENT = 10 * 365 * 24 * 60
_INDENT = "  "
_OPERATORS = {"=<": "≤", ">=": "≥", "=:=": "=", "==": "=", "=\\=": "≠", "\\==": "≠", "\\=": "≠"}
#: Lines of one proof that people are shown.
MOST_LINES = 40


def proof_lines(proof: Proof, kb: KnowledgeGraph) -> list[str]:
    """A proof for people: one line a step, indented below what it proves."""
    lines = _lines(proof, _Namer(kb), "")
    if len(lines) <= MOST_LINES:
        return lines
    return [*lines[:MOST_LINES], f"… and {len(lines) - MOST_LINES} more lines; JSON has them all"]


def proof_data(proof: Proof, kb: KnowledgeGraph) -> dict[str, Any]:
    """A proof as plain data, ready for JSON.

    Returns:
        ``fact`` (with names and times), ``predicate``, ``arguments`` (ids and numbers as the
        program has them), ``rule`` and ``line`` (null for what no rule derives), ``stored``,
        ``negated``, ``probability``, ``strength`` (of the rule itself), ``others`` (how many more
        reasons there are), ``cut`` (it rests on more than is said) and ``because``, a list of the
        same form.
    """
    return _data(proof, _Namer(kb))


def _lines(proof: Proof, say: _Namer, indent: str) -> list[str]:
    if proof.negated:
        return [f"{indent}no {_denied(proof, say)}"]
    lines = [indent + say.atom(proof) + _source(proof)]
    for child in proof.children:
        lines += _lines(child, say, indent + _INDENT)
    if proof.cut:
        lines.append(f"{indent}{_INDENT}…")
    return lines


def _denied(proof: Proof, say: _Namer) -> str:
    """What was not found; of several conditions together no case in which all hold."""
    together = " with ".join(map(say.atom, proof.children)) if proof.goal == "," else ""
    return f"{together or say.atom(proof)} found"


def _source(proof: Proof) -> str:
    """The rule that something follows by, or that it is stored."""
    if proof.rule is None:
        return ""
    parts = [f" by {proof.rule}, line {proof.line}" if proof.rule else " is stored"]
    if proof.strength < 1:
        parts.append(f"a rule of {proof.strength:.2f}")
    if proof.probability < 1:
        parts.append(f"p={proof.probability:.2f}")
    if proof.others:
        parts.append(f"for {say_count(proof.others, 'other reason')} too")
    return ", ".join(parts)


def _data(proof: Proof, say: _Namer) -> dict[str, Any]:
    return {"fact": say.atom(proof), "predicate": proof.goal,
            "arguments": [_plain(each) for each in proof.arguments],
            "rule": proof.rule or None, "line": proof.line or None, "stored": proof.rule == "",
            "negated": proof.negated, "probability": round(proof.probability, 6),
            "strength": round(proof.strength, 6), "others": proof.others, "cut": proof.cut,
            "because": [_data(child, say) for child in proof.children]}


def _plain(value: Argument) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Variable):
        return {"variable": value.name}
    if isinstance(value, Expression):
        return {"operator": value.operator, "arguments": [_plain(each) for each in
                                                          value.arguments]}
    return value


class _Namer:
    """Says atoms: entities by their names, moments in the organisation's time zone."""

    def __init__(self, kb: KnowledgeGraph) -> None:
        self.kb = kb

    def atom(self, proof: Proof) -> str:
        """``person_busy(Ines Okafor, …)``; a comparison as ``a < b``."""
        values = [self.value(each) for each in proof.arguments]
        if len(values) == 2 and not proof.goal[:1].isalpha():
            return f"{values[0]} {_OPERATORS.get(proof.goal, proof.goal)} {values[1]}"
        if len(values) == 2 and proof.goal == "is":
            return f"{values[0]} = {values[1]}"
        return f"{proof.goal}({', '.join(values)})" if values else proof.goal

    def value(self, value: Argument) -> str:
        """One argument."""
        if isinstance(value, tuple):
            return f"[{', '.join(map(self.value, value))}]"
        if isinstance(value, Variable):
            return value.name
        if isinstance(value, Expression):
            return f" {value.operator} ".join(map(self.value, value.arguments))
        if isinstance(value, str) and value in self.kb:
            return self.kb.entity(value).name
        if isinstance(value, int) and value >= _FIRST_MOMENT:
            moment = (_EPOCH + dt.timedelta(minutes=value)).astimezone(self.kb.timezone)
            return f"{moment:%Y-%m-%d %H:%M}"
        return str(value)
