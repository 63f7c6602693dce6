"""False versions of true replies: the same words with one thing changed.

A value is swapped for another of its kind from the same graph, an entity for another one or for one
that does not exist, and "free" becomes "not free". What is put in is never what a fact about the
entities that are talked about has, so that the new reply is false or rests on nothing. What is
denied of a value is not swapped: it may well be so of another.
"""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum

from frontdesk.agent.evaluation.measured_values import Context, GraphValues, NamedValue, Value
from frontdesk.data.invented.invented_names import FEMALE, MALE
from frontdesk.generation.checks.action_claims import ACTION, DEED
from frontdesk.generation.voice.negation import is_denied
from frontdesk.generation.voice.pointer.values import ValueKind, find_values, forms, time_value
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.facts import Fact

_TRIES = 12
_DAYS = ("today", "tomorrow")
#: Said to be so, or said not to be.
_STATE = re.compile(
    r"\b(?P<be>is|are|am|will be|will|be)(?P<not>\s+not|n['’]t)?\s+(?P<between>(?:also|currently|"
    r"going to)\s+)?(?=(?:free|available|busy|occupied|rain|snow|hail|rainy|snowy|sunny|clear|"
    r"cloudy|foggy|windy|stormy|warm|cold|hot|dry|humid)\b)", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.?!]+(?:[.?!](?=\S)[^.?!]*)*[.?!]*")
_FAMILY_NAMES = ("Quimbleton", "Ferrowby", "Astrantia", "Dunmarrow", "Wexcombe", "Tollivant")
_INVENTED = {EntityType.ROOM: ("Saltmarsh", "Copperfield", "room 9417", "Nightjar"),
             EntityType.GROUP: ("Falconry", "Volcanology", "Bookbinding")}
_INVENTED_OTHER = ("Thistledown", "Marrowgate", "Pepperholm", "Quillstone")


def claims_of(reply: str) -> str:
    """What a reply claims: without its questions and without what it says was or will be done."""
    return " ".join(sentence for sentence in _SENTENCE.findall(reply)
                    if not sentence.rstrip().endswith("?")
                    and not ACTION.search(sentence) and not DEED.search(sentence))


class Corruption(StrEnum):
    """What was changed."""

    VALUE = "value"                # a time, a number, an address
    ENTITY = "entity"              # a person, a room, a place
    AVAILABILITY = "availability"  # free or not, rain or no rain
    MADE_UP = "made-up"            # a name that the graph does not have


@dataclass(frozen=True)
class FalseReply:
    """A reply in which one thing is false.

    Args:
        true: What stood there.
    """

    text: str
    kind: Corruption
    true: str
    false: str


class Corrupter:
    """Makes false versions of replies over one graph.

    Args:
        values: Of the graph's facts, stored and derived.
    """

    def __init__(self, values: GraphValues, rng: random.Random) -> None:
        self._values, self._rng = values, rng
        self._facts: Sequence[Fact] = list(values.of)

    def corrupt(self, reply: str, named: Sequence[NamedValue], context: Context
                ) -> Iterator[FalseReply]:
        """False versions, one of each kind that the reply has something for.

        Args:
            named: Its values that a fact about what is talked about has.
        """
        claimed = claims_of(reply)
        there = [each for each in named if reply.count(each.text) == 1
                 and each.text in claimed and self._is_told(each, context)]
        values = (None, *self._values.schema.value_types)
        entities = [each for each in there if self._type(each) not in values]
        others = [each for each in there if self._type(each) in values
                  and not _denied(reply, reply.index(each.text))]
        known = context.before | context.beside
        for kind, chosen, swap in (
                (Corruption.VALUE, others, self._other_value),
                (Corruption.ENTITY, entities, self._other_entity),
                (Corruption.MADE_UP, entities, self._made_up)):
            for each in self._rng.sample(chosen, len(chosen)):
                false = swap(each, known)
                if false:
                    yield FalseReply(reply.replace(each.text, false), kind, each.text, false)
                    break
        states = [state for state in _STATE.finditer(reply)
                  if claims_of(reply[state.start():]).startswith(state[0])
                  and (state["not"] or not _denied(reply, state.start()))]
        if states:
            yield _negated(reply, self._rng.choice(states))

    def _is_told(self, value: NamedValue, context: Context) -> bool:
        """Whether a fact connects a value with something else that is talked about."""
        own = {form for kind, form in value.forms if kind == "entity"}
        known = (context.before | context.beside) - own
        return any(value.forms & self._values.of[fact] and not known.isdisjoint(fact.entities())
                   for fact in self._facts)

    def _type(self, value: NamedValue) -> EntityType | None:
        """What an entity is; None for a value that is none."""
        ids = sorted(form for kind, form in value.forms if kind == "entity")
        return self._values.kb.entity(ids[0]).type if ids else None

    def _other_entity(self, value: NamedValue, known: Set[str]) -> str:
        """The name of another entity of the type, of which nothing has been said."""
        kb = self._values.kb
        kind = self._type(value)
        beside = {form for each in self._facts for kind, form in self._values.of[each]
                  if kind == "entity" and not known.isdisjoint(each.entities())}
        others = [each.name for each in kb.entities() if each.type == kind
                  and each.id not in known and each.id not in beside
                  and each.name.casefold() != value.text.casefold()]
        return self._rng.choice(others) if others else ""

    def _made_up(self, value: NamedValue, _: Set[str]) -> str:
        kb = self._values.kb
        kind = self._type(value)
        for _try in range(_TRIES):
            if kind is EntityType.PERSON:
                name = f"{self._rng.choice(FEMALE + MALE)} {self._rng.choice(_FAMILY_NAMES)}"
            elif kind is EntityType.EVENT:
                words = value.text.split()
                name = " ".join([self._rng.choice(_INVENTED_OTHER).lower(), *words[1:]]) \
                    if len(words) > 1 else self._rng.choice(_INVENTED_OTHER)
            else:
                name = self._rng.choice(_INVENTED.get(kind, _INVENTED_OTHER) if kind
                                        else _INVENTED_OTHER)
            if not kb.named(name):
                return name
        return ""

    def _other_value(self, value: NamedValue, known: Set[str]) -> str:
        """Another value of the kind, which no fact about what is talked about has."""
        if self._type(value) is not None:
            return self._other_entity(value, known)
        forms_there = {form for fact in self._facts if not known.isdisjoint(fact.entities())
                       for form in self._values.of[fact]}
        [(kind, text)] = list(value.forms)[:1]
        pool = sorted({form for fact in self._facts for form in self._values.of[fact]
                       if form[0] == kind and form not in forms_there and form[1] != text
                       and any(fact.predicate == other.predicate for other in self._having(value))
                       })
        self._rng.shuffle(pool)
        for form in pool:
            said = self._say(value.text, form)
            if said and said.casefold() != value.text.casefold():
                return said
        return ""

    def _having(self, value: NamedValue) -> list[Fact]:
        return [fact for fact in self._facts if value.forms & self._values.of[fact]]

    def _say(self, as_here: str, form: Value) -> str:
        """Another value as the one there is said; empty where it cannot be."""
        kind, text = form
        if kind == "text":
            return text
        if kind == "number":
            return text if as_here.isdigit() else ""
        if kind == "date":
            day = as_here.casefold()
            return _DAYS[1 - _DAYS.index(day)] if day in _DAYS else ""
        found = list(find_values(as_here))
        if len(found) != 1 or found[0][2].kind is not ValueKind.TIME:
            return ""
        start, end, said = found[0]
        form_name = next((name for name, words in forms(said).items()
                          if name and words == said.text), "")
        hour, minute = map(int, text.split(":"))
        other = forms(time_value(dt.time(hour, minute))).get(form_name, "")
        return as_here[:start] + other + as_here[end:] if other else ""


def _denied(reply: str, start: int) -> bool:
    """Whether what stands at a place is denied in its sentence."""
    since = max(reply.rfind(end, 0, start) for end in ".?!") + 1
    return is_denied(reply[since:], start - since)


def _negated(reply: str, state: re.Match[str]) -> FalseReply:
    """A reply that says the contrary of a state."""
    start, end = state.span()
    be, between = state["be"], state["between"] or ""
    put = f"{be} {between}" if state["not"] else f"{be} not {between}"
    return FalseReply(reply[:start] + put + reply[end:], Corruption.AVAILABILITY,
                      reply[start:end].strip(), put.strip())
