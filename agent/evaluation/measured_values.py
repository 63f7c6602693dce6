"""Values: what facts and replies name, in forms that can be compared.

A value is an entity, a date, a time of day, a number or a text of the graph. A reference reply's
values that a fact about what is talked about has are what retrieval should find for it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.schema import ArgumentType, Schema
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.kg.times.time_mentions import find_times

#: Kind and canonical form: ``("time", "11:30")``, ``("entity", id)``, ``("text", "foggy")``.
Value = tuple[str, str]

_TEXTS = frozenset({ArgumentType.TEXT, ArgumentType.PHONE})
#: A time of which the words say the day too.
_NAMES_DAY = re.compile(
    r"day\b|tomorrow|tonight|\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|"
    r"oct|nov|dec)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.:+-])(\d+)(?![\w:]*:\d|\d)")


@dataclass(frozen=True)
class NamedValue:
    """A value that a text names.

    Args:
        forms: What it can be: more than one where several entities share a name.
    """

    text: str
    forms: frozenset[Value]


def values_of(fact: Fact, kb: KnowledgeGraph, schema: Schema) -> frozenset[Value]:
    """The values that a fact has, as its sentence says them."""
    values: set[Value] = set()
    for kind, argument in zip(schema[fact.predicate].arguments, fact.arguments, strict=True):
        for item in argument if isinstance(argument, tuple) else (argument,):
            if isinstance(item, Window):
                values |= _window_values(item)
            elif isinstance(item, dt.date):
                values.add(("date", item.isoformat()))
            elif isinstance(item, dt.time):
                values.add(("time", f"{item:%H:%M}"))
            elif isinstance(item, int):
                values.add(("number", str(item)))
            elif kind in _TEXTS:
                values.add(("text", _plain(item)))
            else:
                values.add(("entity", item))
                event = kb.entity(item) if kind is ArgumentType.EVENTS else None
                if isinstance(event, Event):  # lists of events say when each is
                    values |= _window_values(Window(event.start, event.end, WindowKind.SPAN))
    return frozenset(values)


@dataclass(frozen=True)
class Context:
    """What a reply's values must have to do with.

    Args:
        before: Ids of the entities named before the reply; any value may be one or be of one.
        beside: Ids of those that the reply itself names; what is no entity may be of one.
    """

    before: frozenset[str]
    beside: frozenset[str] = frozenset()


class GraphValues:
    """The values of a graph's facts, found in texts by their words."""

    def __init__(self, facts: Iterable[Fact], kb: KnowledgeGraph, schema: Schema) -> None:
        self.kb, self.schema = kb, schema
        self.of: Mapping[Fact, frozenset[Value]] = {
            fact: values_of(fact, kb, schema) for fact in facts}
        self._known = {value for values in self.of.values() for value in values}
        self._words: dict[str, set[Value]] = defaultdict(set)
        for entity in kb.entities():
            self._words[_plain(entity.name)].add(("entity", entity.id))
        for kind, text in self._known:
            if kind == "text":
                self._words[text].add((kind, text))
        self._longest = max((len(words.split()) for words in self._words), default=0)

    def named_in(self, text: str, *, now: dt.datetime) -> list[NamedValue]:
        """The values that a text names, each once, longer names before those within them.

        Args:
            now: Zone-aware present; relative dates are read from it.
        """
        found: dict[frozenset[Value], NamedValue] = {}
        rest = text
        for words, start, end in self._names(text):
            value = NamedValue(text[start:end], frozenset(self._words[words]))
            found.setdefault(value.forms, value)
            rest = rest[:start] + "|" * (end - start) + rest[end:]
        for expression in find_times(rest, now=now):
            words = rest[expression.start:expression.end]
            for form in sorted(_said_values(expression.window, words)):
                found.setdefault(frozenset({form}), NamedValue(words, frozenset({form})))
            rest = rest[:expression.start] + "|" * len(words) + rest[expression.end:]
        for match in _NUMBER.finditer(rest):
            form = ("number", str(int(match[1])))
            if form in self._known:
                found.setdefault(frozenset({form}), NamedValue(match[1], frozenset({form})))
        return list(found.values())

    def has(self, fact: Fact, value: NamedValue, context: Context) -> bool:
        """Whether a fact has a value and is about what is talked about.

        Args:
            value: An entity, or what a fact says of one.
        """
        forms = self.of[fact] & value.forms
        if not forms:
            return False
        entities = {form for kind, form in value.forms if kind == "entity"}
        if entities & context.before:
            return True
        in_general = not fact.arguments or not isinstance(fact.arguments[0], str)
        about = context.before if entities else context.before | context.beside
        return in_general or not about.isdisjoint(fact.entities())

    def _names(self, text: str) -> list[tuple[str, int, int]]:
        """Names of entities and texts in a text, those inside longer ones left out."""
        tokens = [(match.start(), match.end()) for match in re.finditer(
            r"[\w.+-]+@[\w.-]+\w|\+?\d+(?: \d+)+|[^\W_]+(?:['’][^\W_]+)*", text)]
        found, position = [], 0
        while position < len(tokens):
            for length in range(min(self._longest + 3, len(tokens) - position), 0, -1):
                start, end = tokens[position][0], tokens[position + length - 1][1]
                words = _plain(text[start:end])
                bare = words.removesuffix("'s")
                known = words if words in self._words else bare if bare in self._words else ""
                if known:
                    found.append((known, start, end))
                    position += length - 1
                    break
            position += 1
        return found


def hits_at(ranked: Sequence[Fact], values: Sequence[NamedValue], graph: GraphValues,
            context: Context) -> int:
    """How many values the first ten facts have."""
    return sum(any(graph.has(fact, value, context) for fact in ranked[:10]) for value in values)


def _window_values(window: Window) -> set[Value]:
    if window.kind is WindowKind.NOW:
        return set()
    values: set[Value] = {("date", window.start.date().isoformat())}
    if window.kind in (WindowKind.INSTANT, WindowKind.SPAN):
        values |= {("time", f"{moment:%H:%M}") for moment in (window.start, window.end)}
    return values


def _said_values(window: Window, words: str) -> set[Value]:
    """What the words of a time say: its hours, and its day if that is among them."""
    values = _window_values(window)
    if window.kind in (WindowKind.INSTANT, WindowKind.SPAN) and not _NAMES_DAY.search(words):
        values = {value for value in values if value[0] == "time"}
    return values


def _plain(text: str) -> str:
    """A text for comparison: case, accents, hyphens and the blanks of numbers aside."""
    plain = re.sub(r"(?<=\d) (?=\d)", "", normalise_name(text).replace("’", "'"))
    return " ".join(re.sub(r"-", " ", plain).split()) if "@" not in plain else plain
