"""Utterances to a home assistant, each of a scenario and an intent, with slots.

Reads a table with ``;`` between ``scenario``, ``intent`` and ``answer_annotation``, which has its
slots in brackets: ``set a [event_name : meeting] for [date : tuesday]``. What a receptionist does
is in ``calendar``, ``email`` and ``general``. Source: Liu et al., *Benchmarking Natural Language
Understanding Services for Building Conversational Agents*, IWSDS 2019.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from frontdesk.data.datasets.defects import Defect, DefectKind, DefectLog
from frontdesk.data.datasets.parsed_turns import (
    Context,
    NotConvertedError,
    ParsedTurn,
    Reason,
    checked,
    make,
)
from frontdesk.data.datasets.tables import Semicolons, read_rows
from frontdesk.data.datasets.utterance_spans import (
    join_spans,
    require_no_other_time,
    time_around,
    time_form,
)
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.schema import TYPE_NOUNS, ArgumentType

_COLUMNS = ("scenario", "intent", "answer_annotation")
_SLOT = re.compile(r"\[\s*(\w+)\s*:\s*([^\]]*?)\s*\]")
#: Scenarios and intents of which a receptionist may know something, and what is said as it is.
_IN_SCOPE = frozenset(("calendar query", "datetime query", "datetime convert", "email sendemail",
                       "general explain", "general praise", "general quirky",
                       "general commandstop", "general confirm", "recommendation events",
                       "recommendation locations"))
_ACTS = {"affirm": "confirm", "negate": "deny", "dontcare": "any", "repeat": "repeat"}
#: What was asked for before such an act.
_ASKED = {"general affirm": "confirm", "general dontcare": "choice"}
_TIMES = ("date", "time", "timeofday")
_TITLES = ("event_name", "meal_type")
_PEOPLE = ("person", "relation")
_PLACES = ("place_name", "business_name")
_OWNER = re.compile(r"['’]s?$")
#: What the annotation leaves out and would have to be in the form.
_LEAD_TIME = re.compile(r"\b(?:before|prior|ahead|early|earlier|until|till)\b")
#: Questions among what is to be put into a calendar.
_ASKS = re.compile(r"\b(?:show|tell|list|what|when|see if|check)\b")
#: Words beside a kind of event that ask for something else than a new one.
_NOT_NEW = re.compile(r"\b(?:remind\w*|notify|notification|alert)\b")
_COUNTED = re.compile(r"\b(?:next|first|last) (?:two|three|four|five|\d+)\b")
_ALL = re.compile(r"\b(?:all|every\w*|clear|clean|empty|wipe|whole|entire)\b")
_THIS = re.compile(r"\b(?:this|that|it)\b")
_ORDER = {"next": make("next"), "first": make("nth", 1), "last": make("nth", -1)}
_ORDERED = re.compile(r"\b(next|first|last|second|third|recurring|repeating)\b")
_MINE = re.compile(r"\b(?:my|i|me)\b")
#: Questions for a person that are not for the number or the address itself.
_OTHER_QUESTION = re.compile(r"\b(?:how|did|does|was|when|where|who|call|text|send|add|change|"
                             r"update|correct)\b|^(?:is|are)\b|\bis (?:this|that|it)\b")
_CONTACTS = (("phone", re.compile(r"\b(?:phone|cell|mobile|telephone|numbers?)\b")),
             ("email", re.compile(r"\be-?mail\b")))
_CONTACT = re.compile(r"\bcontact (?:info|details?|information)\b")


def load_nlu_home(path: str | Path) -> tuple[list[ParsedTurn], list[Defect]]:
    """The utterances of a file with their forms, and what is wrong with others.

    Args:
        path: The table, plain or compressed with gzip.

    Raises:
        FormatError: There is no such file, or it has not the columns or no utterance.
    """
    path = Path(path)
    log = DefectLog(path.name)
    turns: list[ParsedTurn] = []
    for number, row in read_rows(path, _COLUMNS, Semicolons, log):
        if any(not row.get(each) for each in _COLUMNS):
            log.note(DefectKind.UNREADABLE_RECORD, f"line {number}",
                     f"it lacks {', '.join(each for each in _COLUMNS if not row.get(each))}")
        elif row["scenario"] != "scenario":  # the title of the table may stand in it again
            turns.append(_turn(row.get("answerid") or f"line-{number}", *(
                row[each] for each in _COLUMNS)))
    if not turns:
        raise FormatError("the file holds no utterance", place=str(path),
                          remedy="Name a file with the columns " + ", ".join(_COLUMNS))
    return turns, log.found


def _turn(name: str, scenario: str, intent: str, annotation: str) -> ParsedTurn:
    said = _Said.read(annotation)
    asked = _ASKED.get(f"{scenario} {intent}", "")
    try:
        forms = checked(_forms(scenario, intent, said))
    except NotConvertedError as error:
        return ParsedTurn(name, 1, said.utterance, Context(), (), error.reason, error.detail)
    return ParsedTurn(name, 1, said.utterance, Context(asked=asked), forms)


@dataclass(frozen=True)
class _Said:
    """An utterance with the words of its slots.

    Args:
        utterance: Without brackets.
        slots: Each with its words, in order.
    """

    utterance: str
    slots: Sequence[tuple[str, Span]]

    @classmethod
    def read(cls, annotation: str) -> _Said:
        text, slots, last = "", [], 0
        for found in _SLOT.finditer(annotation):
            text += annotation[last:found.start()]
            slots.append((found[1], Span(found[2], len(text), len(text) + len(found[2]))))
            text += found[2]
            last = found.end()
        return cls(text + annotation[last:], slots)

    def of(self, names: Sequence[str]) -> list[Span]:
        """The words of some slots."""
        return [span for name, span in self.slots if name in names]

    def require_only(self, *names: str) -> None:
        """See that all slots are of some names and all times are in slots.

        Raises:
            NotConvertedError: They are not.
        """
        other = [name for name, _ in self.slots if name not in names]
        if other:
            raise NotConvertedError(Reason.UNKNOWN, other[0])
        require_no_other_time(self.utterance, [span for _, span in self.slots])


def _forms(scenario: str, intent: str, said: _Said) -> list[Form]:
    name = f"{scenario} {intent}"
    if name in _CONVERTED:
        return _CONVERTED[name](said)
    if scenario == "general" and intent in _ACTS:
        return [make(_ACTS[intent])]
    if name in _IN_SCOPE:
        raise NotConvertedError(Reason.NOT_ANNOTATED, name)
    return [make("unsupported")]


def _create(said: _Said) -> list[Form]:
    said.require_only(*_TIMES, *_TITLES, *_PEOPLE, *_PLACES, "general_frequency")
    titles, people = _titles_and_people(said)
    if other := _LEAD_TIME.search(said.utterance) or _ASKS.search(said.utterance):
        raise NotConvertedError(Reason.UNKNOWN, other[0])
    named = [each for each in titles if not _is_type(each)]
    if not titles + said.of(_TIMES) or (not named and _NOT_NEW.search(said.utterance)):
        raise NotConvertedError(Reason.NOT_ANNOTATED, "what it is")
    often = said.of(("general_frequency",))
    often += [each for each in said.of(_TIMES) if each.text.startswith(("every ", "each "))]
    times = [each for each in said.of(_TIMES) if each not in often]
    if "repeat" in said.utterance and not often:
        raise NotConvertedError(Reason.NOT_ANNOTATED, "repeat")
    roles = [*(make("title", each) for each in named), *_time_roles(said, times),
             *(make("attendee", _person(said, each)) for each in people),
             *(make("venue", make("thing", each)) for each in said.of(_PLACES)),
             *(make("recurs", each) for each in often)]
    if re.search(r"\bblock\b", said.utterance):
        return [make("request", make("block", *roles))]
    return [make("request", make("create", *roles))]


def _time_roles(said: _Said, times: Sequence[Span]) -> list[Form]:
    return [make("time", time_form(said.utterance, each)) for each in _joined(said, times)]


def _joined(said: _Said, times: Sequence[Span]) -> list[Span]:
    """The words that say times, each as long as the expression that it is of."""
    found = [_not_owner(time_around(said.utterance, _not_owner(each))) for each in times]
    return join_spans(said.utterance, found)


def _cancel(said: _Said) -> list[Form]:
    said.require_only(*_TIMES, *_TITLES, *_PEOPLE)
    titles, people = _titles_and_people(said)
    named = [each for each in titles if not _is_type(each)]
    if len(named) > 1:
        raise NotConvertedError(Reason.UNKNOWN, "two titles")
    order = [found[1] for found in _ORDERED.finditer(said.utterance)
             if all(not each.start <= found.start() < each.end for _, each in said.slots)]
    if len(order) > 1 or any(each not in _ORDER for each in order) \
            or (order and _COUNTED.search(said.utterance)):
        raise NotConvertedError(Reason.UNKNOWN, " ".join(order))
    before = said.utterance[:named[0].start] if named else said.utterance
    mine = re.search(r"\bmy (?:\w+ ){0,2}$", before) if named else _MINE.search(before)
    times = _joined(said, said.of(_TIMES))
    event = make("event", *named, *[make("attends", make("me"))] * bool(mine),
                 *(make("attends", _person(said, each)) for each in people),
                 *(time_form(said.utterance, each) for each in times),
                 *(_ORDER[each] for each in order))
    if not (named or people or times or order):
        if _THIS.search(said.utterance):
            event = make("that")
        elif not _ALL.search(said.utterance):
            raise NotConvertedError(Reason.NOT_ANNOTATED, "which")
    return [make("request", make("cancel", event))]


def _titles_and_people(said: _Said) -> tuple[list[Span], list[Span]]:
    """Titles, each with the person whose it is said to be, and the other people."""
    titles, people = said.of(_TITLES), said.of(_PEOPLE)
    for person in list(people):
        after = [each for each in titles if each.start == person.end + 1]
        if after and _OWNER.search(person.text):
            titles[titles.index(after[0])] = Span(
                said.utterance[person.start:after[0].end], person.start, after[0].end)
            people.remove(person)
    return titles, people


def _is_type(title: Span) -> bool:
    """Whether words name no event but what kind of entity it is."""
    return TYPE_NOUNS.get(title.text.casefold().removesuffix("s")) is ArgumentType.EVENT


def _contact(said: _Said) -> list[Form]:
    said.require_only("personal_info", *_PEOPLE)
    people, text = said.of(_PEOPLE), said.utterance
    asked = [name for name, words in _CONTACTS if words.search(text)] \
        or ["phone", "email"] * bool(_CONTACT.search(text))
    if len(people) != 1 or not asked:
        raise NotConvertedError(Reason.NOT_ANNOTATED, "what is asked of whom")
    if other := _OTHER_QUESTION.search(text):
        raise NotConvertedError(Reason.NOT_ANNOTATED, other[0])
    return [make("ask", make(each, _person(said, people[0]))) for each in asked]


def _not_owner(span: Span) -> Span:
    """Words without the ending of an owner."""
    text = _OWNER.sub("", span.text)
    return Span(text, span.start, span.start + len(text))


def _person(said: _Said, span: Span) -> Form:
    """The person of a name, or of what they are to somebody."""
    name = _not_owner(span)
    if span not in said.of(("relation",)):
        return make("person", name)
    if " " in name.text:  # with a name, or of something else
        raise NotConvertedError(Reason.UNKNOWN, name.text)
    return make("person", make("related", name, make("me")))


_CONVERTED: Mapping[str, Callable[[_Said], list[Form]]] = {
    "calendar set": _create, "calendar remove": _cancel, "email querycontact": _contact}
