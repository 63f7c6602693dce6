"""Whether a reply gives an answer that is proved: by what the answer must say.

The core of an answer has its values, and whether it affirms. A reply must say these, in sentences,
with their days, and no other time. Of other values it may say only those that the answer's facts
have; where several answer, none but theirs, as a detail of one could be said of another. The graph
check judges the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from frontdesk.generation.checks.reply_wording import wording_fault
from frontdesk.generation.checks.said_values import (
    DENIES,
    NO,
    SENTENCE_END,
    TOPICS,
    YES,
    YES_OR_NO,
    said_values,
    times_disagreement,
)
from frontdesk.generation.voice.generator import GeneratedReply, GenerationInput
from frontdesk.generation.voice.negation import NEGATION, is_denied
from frontdesk.generation.voice.pointer.source import argument_values
from frontdesk.generation.voice.pointer.target import Renderings, Say
from frontdesk.generation.voice.pointer.values import (
    Value,
    ValueKind,
    find_values,
    number_value,
    time_value,
)
from frontdesk.kg.english.hedging import is_hedged
from frontdesk.kg.english.phrases import say_floor
from frontdesk.kg.english.verbalise import FactVerbaliser
from frontdesk.kg.english.words import singular
from frontdesk.kg.graph.facts import Argument, Fact
from frontdesk.kg.graph.schema import TYPE_NOUNS, ArgumentType
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.engine.query_answer import AnswerCore

#: More values are for the words of the answer to give: a reply would say some of them only.
_MOST_VALUES = 1
#: Whether somebody or something is free: words for it, and predicates that say so.
_STATES = ((True, re.compile(r"\b(?:free|available)\b", re.IGNORECASE)),
           (False, re.compile(r"\b(?:busy|occupied|unavailable)\b", re.IGNORECASE)))
#: Of what a state is said: "the meeting is available".
_NOUN_BEFORE = re.compile(r"(\w+)\W+(?:is|are|will be)\W+(?:\w+\W+)?$", re.IGNORECASE)
_YOU = re.compile(r"\byou\b", re.IGNORECASE)
_STATE_OF = {"available": True, "busy": False, "no_group_events": True, "group_events": False}


def can_be_worded(text: str, core: AnswerCore) -> bool:
    """Whether an answer can be given in other words, by its own and what those must say."""
    if not core.known or len(core.values) > _MOST_VALUES or is_hedged(text):
        return False
    if core.affirms is None:
        return not YES_OR_NO.match(text) and not NEGATION.search(text)
    return (YES if core.affirms else NO).match(text) is not None


def core_disagreement(reply: str, answer: GeneratedReply, request: GenerationInput,
                      verbaliser: FactVerbaliser) -> str:
    """Why a reply does not give an answer that is proved; empty when it does.

    Args:
        request: What both answer.
        verbaliser: Names entities as the knowledge does.
    """
    core = answer.core
    if core is None or not can_be_worded(answer.text, core) \
            or verbaliser.speaker in (*core.values, *core.shown):
        return "only the words of the answer will do"
    check = _CoreCheck(reply, answer, core, request, verbaliser)
    return check.polarity() or check.values() or check.subjects() or check.others() \
        or check.relation() or check.times() or check.wording()


class _CoreCheck:
    """What a reply says beside the core of an answer."""

    def __init__(self, reply: str, answer: GeneratedReply, core: AnswerCore,
                 request: GenerationInput, verbaliser: FactVerbaliser) -> None:
        self.reply, self.answer, self.core = reply, answer, core
        self.request, self.verbaliser = request, verbaliser
        self.question = request.history[-1][1]
        facts = [ranked.fact for ranked in answer.used]
        single = len({*core.values, *core.shown}) <= 1
        #: What may be spoken of.
        self.allowed: list[Argument] = [
            *core.values, *core.shown, *core.about,
            *([len(core.values)] if core.affirms and core.values else ()),  # "has 1 meeting"
            *(_arguments((*core.facts, *facts)) if single else ())]
        self.given = said_values(reply, [*map(self._values, (*core.values, *core.shown))])

    def polarity(self) -> str:
        """Whether it affirms or denies as the answer does."""
        core, reply = self.core, self.reply
        state, said = _state_of(core.facts), _state_said(reply)
        if core.affirms is None:
            if YES_OR_NO.match(reply):
                return "nothing of the kind was asked"
            if NEGATION.search(reply):
                return "it denies what is so"
        elif core.affirms:
            if NO.match(reply) or NEGATION.search(reply):
                return "it says no"
            if not YES.match(reply) and (said is None or said is not state) and (
                    not self._says_all(core.values)):
                return "it does not say yes"
            if state is not None and said is None and YES.sub("", reply, count=1).strip(" .,!"):
                return "it does not say who or what is free or busy"
        elif YES.match(reply) or not DENIES.search(reply):
            return "it says yes"
        elif state is not None and said is None and NEGATION.search(
                reply, no.end() if (no := NO.match(reply)) else 0):
            # What is denied may be what would make the answer yes: "she has no meeting".
            return "it does not say who or what is free or busy"
        return "it says the opposite of who or what is free" \
            if None not in (state, said) and state is not said else ""

    def values(self) -> str:
        """Whether it says what it must, each once and in order, and denies none of it."""
        asked = set(said_values(self.question, [*map(self._values, self.core.values)]))
        told = set(said_values(self.answer.text, [*map(self._values, self.core.values)]))
        for value in self.core.values:
            group = {each.identity for each in self._values(value)}
            if not group:
                return "only the words of the answer will do"
            if self.core.affirms is False and group.isdisjoint(told):
                continue  # what is so instead need not be said where the answer does not
            if group.isdisjoint({*self.given, *(asked if self.core.affirms is not None else ())}):
                return f"it does not say {next(iter(self._values(value))).text!r}"
        if any(before == after for before, after in pairwise(self.given)):
            return "it repeats itself"
        if self._denies_a_value():
            return "it denies what is so"
        return "" if self._in_order() else "it says when something begins and ends otherwise"

    def subjects(self) -> str:
        """Whether what is so of several is said of each, and whom it calls free or busy was asked
        about."""
        core = self.core
        if core.affirms is None:
            return ""
        said = set(said_values(self.reply, [[*self._known(core.about)]]))
        you = _YOU.search(self.reply) is not None
        told: dict[str, list[bool]] = {}
        for each in core.about:
            if (called := self.verbaliser.plain_name(each)) is not None:
                told.setdefault(called[1], []).append(
                    you if each == self.verbaliser.speaker else not said.isdisjoint(
                        value.identity for value in self._known([each])))
        if any(len(each) > 1 and not all(each) for each in told.values()):
            return "it does not speak of all who or that were asked about"
        states = [(sentence[:match.start()], match) for sentence in SENTENCE_END.split(self.reply)
                  for _, words in _STATES for match in words.finditer(sentence)]
        if any((noun := _NOUN_BEFORE.search(before)) and TYPE_NOUNS.get(singular(
                noun[1].casefold())) is ArgumentType.EVENT for before, _ in states):
            return "it says of an event that it is free or busy"
        return "it is about somebody else" if states and self.verbaliser.speaker in core.about \
            and not any(_YOU.search(before) for before, _ in states) else ""

    def others(self) -> str:
        """Whether all other values that it says are those of the answer, or times."""
        knowledge = _arguments(ranked.fact for ranked in self.request.knowledge)
        allowed = [*self._known(self.allowed), *(
            value for _, _, value in find_values(f"{self.question} {self.answer.text}")
            if value.kind in (ValueKind.TIME, ValueKind.DATE))]
        rest = " ".join(symbol.text for symbol in Renderings(allowed).read(self.reply)
                        if symbol.say is Say.WORD)
        if say_floor(0) in self.reply and number_value(0) not in allowed:
            return "it says another floor"
        strange = [value.text for _, _, value in find_values(rest)] or said_values(
            rest, [[*self._known(knowledge)]])
        return f"it says {strange[0].split(':', 1)[-1]!r}, which is no part of the answer" \
            if strange else ""

    def relation(self) -> str:
        """Whether it says how those are related whom it names beside the values."""
        if self.core.affirms is not None or not said_values(
                self.reply, [[*self._known(self.core.about)]]):
            return ""
        return "it does not say how they are related" if any(
            each.search(self.answer.text) and not each.search(self.reply)
            for each in TOPICS) else ""

    def times(self) -> str:
        """Whether all times that it says are those of the answer or of the question."""
        calendar = self.verbaliser.calendar
        if calendar is None:
            return ""
        windows = [each for each in (*self.core.values, *self.core.shown)
                   if isinstance(each, Window)]
        return times_disagreement(self.reply, self.answer.text, self.question, windows,
                                  now=calendar.now)

    def wording(self) -> str:
        """Whether it is made of sentences that have no words but those of answers."""
        calendar = self.verbaliser.calendar
        facts = (*self.core.facts, *(ranked.fact for ranked in self.answer.used))
        told = " ".join((self.answer.text, *map(self.verbaliser.say, facts)))
        return "" if calendar is None else wording_fault(
            self.reply, told, self._known(self.allowed), now=calendar.now)

    # --- values

    def _values(self, value: Argument) -> list[Value]:
        """One or more values by any of which a part of the core is said."""
        if isinstance(value, Window):
            return [time_value(value.start.time())]
        return list(argument_values(value, self.verbaliser))

    def _known(self, arguments: Iterable[Argument]) -> Iterator[Value]:
        for each in arguments:
            yield from argument_values(each, self.verbaliser)
            if isinstance(each, Window):
                yield from (time_value(each.start.time()), time_value(each.end.time()))

    def _says_all(self, values: Sequence[Argument]) -> bool:
        return bool(values) and all(
            not {each.identity for each in self._values(value)}.isdisjoint(self.given)
            for value in values)

    def _in_order(self) -> bool:
        """Whether the times of the core are said in its order, of several both ends of each."""
        spans = [each for each in self.core.values
                 if isinstance(each, Window) and each.kind is WindowKind.SPAN]
        ends = [time_value(at.time()) for each in spans for at in (each.start, each.end)]
        said, expected = said_values(self.reply, [ends]), [each.identity for each in ends]
        if len(spans) > 1:
            return said == expected
        return not spans or said in (expected, expected[:1])

    def _denies_a_value(self) -> bool:
        return any(is_denied(sentence, found.start())
                   for value in self.core.values for each in self._values(value)
                   for sentence in SENTENCE_END.split(self.reply)
                   for found in re.finditer(re.escape(each.text), sentence, re.IGNORECASE))


def _arguments(facts: Iterable[Fact]) -> list[Argument]:
    return [item for fact in facts for argument in fact.arguments
            for item in (argument if isinstance(argument, tuple) else (argument,))]


def _state_of(facts: Iterable[Fact]) -> bool | None:
    """Whether facts say that somebody or something is free; None where they speak of neither."""
    found = {state for fact in facts for name, state in _STATE_OF.items()
             if fact.predicate.endswith(name) and (name != "group_events" or
                                                   fact.predicate == name)}
    return found.pop() if len(found) == 1 else None


def _state_said(reply: str) -> bool | None:
    """Whether a reply says that somebody or something is free; None where it says neither."""
    found = {state is not is_denied(sentence, match.start())
             for sentence in SENTENCE_END.split(reply) for state, words in _STATES
             for match in words.finditer(sentence)}
    return found.pop() if len(found) == 1 else None
