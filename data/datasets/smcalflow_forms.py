"""Programs of SMCalFlow as logical forms, function by function.

A program says which event, person and time it is about as constraints; the same ones are conditions
of a set of events or roles of a request. Names and times are the words of the utterance that say
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from frontdesk.data.datasets.lispress import Call
from frontdesk.data.datasets.parsed_turns import NotConvertedError, Reason, make
from frontdesk.data.datasets.utterance_spans import (
    Wanted,
    find_wanted,
    length_span,
    name_span,
    time_forms,
)
from frontdesk.kg.graph.logical_forms import CORE, Form, Sort, Span

_EVENT_TIME = re.compile(r"Event(?:On|During|AllDay|Before|After|Between|Spanning)\w*")
#: Words for what programs write as a number or otherwise than people say it.
_SAID = {"Noon": ("12", "noon"), "Midnight": ("12", "midnight"), "NumberWeekFromNow": ("week",),
         "NextWeekList": ("next", "week"), "Lunch": ("lunch",), "toMinutes": ("minute", "min"),
         "toHours": ("hour", "hr"), "toDays": ("day",), "toWeeks": ("week",),
         "ThisWeekend": ("weekend",), "Night": ("night",), "EndOfWorkDay": ("end", "day")}
#: Words in the names of functions that say nothing of which time.
_STRUCTURE = frozenset((
    "add", "adjust", "after", "am", "and", "apply", "at", "before", "by", "closest",
    "constraint", "d", "date", "day", "dayofweek", "days", "defaults", "dow", "duration",
    "durations", "during", "dynamic", "empty", "end", "event", "execute", "extension", "for",
    "from", "full", "hour", "hours", "in", "last", "list", "m", "minute", "minutes", "month",
    "negate", "next", "number", "o", "of", "on", "p", "path", "period", "pm", "query",
    "range", "response", "results", "role", "singleton", "start", "struct", "this", "time",
    "to", "until", "w", "week", "with", "year"))
_RELATIONS = {"FindManager": r"managers?|boss(?:es)?|supervisors?|superiors?|skip",
              "FindTeamOf": r"teams?|team ?mates?|co-?workers?|colleagues?|department|group",
              "FindReports": r"(?:direct )?reports?|subordinates?|reportees?|employees"}
_ORDER = {name: number for number, name in enumerate(
    name for name, head in CORE.items() if head.sort in (Sort.ROLE, Sort.TIME, Sort.ORDER))}


class Program:
    """Turns the parts of one program into forms."""

    def __init__(self, root: Call, utterance: str) -> None:
        self.root, self.utterance = normal(root), utterance
        self.wanted: dict[Call, Wanted] = {}
        self._find()

    # -- entities -------------------------------------------------------------------------------

    def entities(self, node: Call) -> Form:
        """A set of entities: events, people, what was spoken of."""
        match node.function, node.arguments:
            case "singleton" | "Execute" | "QueryEventResponse.results" | "toRecipient" | "?=" \
                    | "PersonFromRecipient" | "AttendeeFromEvent", [Call() as inner, *_]:
                return self.entities(inner)
            case "FindEventWrapperWithDefaults", [Call() as constraint]:
                return self.events(constraint)
            case "FindNumNextEvent", [Call() as constraint, int(number)]:
                return self.events(constraint,
                                   make("next", *([number] if number > 1 else [])))
            case "FindLastEvent", [Call() as constraint]:
                return self.events(constraint, make("previous"))
            case "refer", [Call() as what]:
                return self._referred(what)
            case "RecipientWithNameLike" | "extensionConstraint", _:
                return self._referred(node)
            case "CurrentUser", _:
                return make("me")
            case "item" | "ConfirmAndReturnAction", _:
                return make("that")
            case "FindManager", [Call("FindManager", (Call() as whose,))] \
                    if len(re.findall(_RELATIONS["FindManager"], self.utterance)) == 1:
                # The "skip" of somebody: one word for the manager's manager.
                return make("person", make("related", self._word(_RELATIONS["FindManager"]),
                                           self.entities(whose)))
            case ("FindManager" | "FindTeamOf" | "FindReports") as relation, [Call() as whose]:
                return make("person", make("related", self._word(_RELATIONS[relation]),
                                           self.entities(whose)))
            case "Event.organizer", [Call() as event]:
                return make("person", make("organises", self.entities(event)))
            case "Event.attendees", [Call() as event]:
                return make("person", make("attends", self.entities(event)))
            case "Event.location", [Call() as event]:
                return make("room", make("location", self.entities(event)))
            case "AttendeesWithResponse", [Call() as attendees, *_]:
                return self.entities(attendees)
        raise NotConvertedError(Reason.UNKNOWN, node.function)

    def events(self, constraint: Call, *order: Form) -> Form:
        """The events for which a constraint holds."""
        title = next((each for each in _parts(constraint) if each.function == "Event.subject_?"
                      and _texts(each) and not _negated(each)), None)
        parts: list[Form | Span] = list(dict.fromkeys(
            form for each in _parts(constraint) if each is not title
            for form in self._condition(each)))
        span = [name_span(self.utterance, _texts(title)[0])] if title else []
        own = [make("attends", make("me"))] if self._own(span) else []
        return make("event", *span, *own, *sorted(parts, key=_place), *order)

    def conditions(self, constraint: Call) -> list[Form]:
        """What a constraint demands of each event of a set."""
        found = [form for part in _parts(constraint) for form in self._condition(part)]
        return sorted(dict.fromkeys(found), key=_place)

    def name(self, call: Call) -> Span:
        """The words that say the text of a call."""
        return name_span(self.utterance, _texts(call)[0])

    def _own(self, title: Sequence[Span]) -> bool:
        """Whether the speaker says that it is theirs."""
        before = self.utterance[:title[0].start] if title else self.utterance
        pattern = r"\bmy (?:\w+ ){0,2}$" if title else r"\b(?:my|(?:do|am|will|did|have) i)\b"
        return re.search(pattern, before, re.IGNORECASE) is not None

    def _condition(self, part: Call) -> Iterator[Form]:
        match part.function:
            case "EmptyStructConstraint" | "whole_day":
                return
            case "Event.subject_?":
                for text in _texts(part):
                    like = make("like", name_span(self.utterance, text))
                    yield make("not", like) if _negated(part) else like
            case "Event.attendees_?":
                for sign, person in self._people(part):
                    form = make("attends", person)
                    yield make("not", form) if sign < 0 else form
            case "Event.location_?":
                yield make("location", self._place(part))
            case "Event.organizer_?":
                yield make("organizer", self.entities(part.call(0)))
            case "Event.id_?" if _negated(part):
                yield make("except", make("that"))
            case "Event.start_?" | "Event.end_?" | "time":
                yield from self.times(part)
            case "Event.duration_?":
                yield make("long", self._length(part))
            case _:
                raise NotConvertedError(Reason.UNKNOWN, part.function)

    def _referred(self, what: Call) -> Form:
        names = [_texts(each)[0] for each in what.walk()
                 if each.function == "PersonName.apply" and _texts(each)]
        if names:
            return make("person", name_span(self.utterance, names[0]))
        titles = [each for each in what.walk() if each.function.startswith("Event.")
                  or _EVENT_TIME.fullmatch(each.function)]
        if titles:
            return self.events(titles[0])
        return make("that")

    def _people(self, part: Call) -> Iterator[tuple[int, Form]]:
        """The people of a constraint on attendees; -1 where they are left out."""
        for each in _parts(part.call(0)):
            if not re.fullmatch(r"AttendeeList\w+", each.function) or not each.calls():
                raise NotConvertedError(Reason.UNKNOWN, each.function)
            yield -1 if "Excludes" in each.function else 1, self.entities(each.call(0))

    def _place(self, part: Call) -> Form:
        texts = [text for each in part.walk() for text in _texts(each)]
        if texts:
            return make("thing", name_span(self.utterance, texts[0]))
        if any(each.function == "roomRequest" for each in part.walk()):
            return make("room")
        if any(each.function in ("refer", "Event.location", "item") for each in part.walk()):
            return make("that")
        raise NotConvertedError(Reason.UNKNOWN, part.function)

    def _word(self, pattern: str) -> Span:
        found = re.search(rf"\b(?:{pattern})\b", self.utterance, re.IGNORECASE)
        if found is None:
            raise NotConvertedError(Reason.WORD_NOT_SAID, pattern)
        return Span(found[0], found.start(), found.end())

    # -- roles ----------------------------------------------------------------------------------

    def roles(self, constraint: Call) -> list[Form]:
        """What a request wants of an event, in the order of the language."""
        found = [form for part in _parts(constraint) for form in self._role(part)]
        return sorted(dict.fromkeys(found), key=_place)

    def _role(self, part: Call) -> Iterator[Form]:
        match part.function:
            case "EmptyStructConstraint":
                return
            case "Event.subject_?":
                for text in _texts(part):
                    yield make("title", name_span(self.utterance, text))
            case "Event.attendees_?":
                for sign, person in self._people(part):
                    form = make("attendee", person)
                    yield make("unwanted", form) if sign < 0 else form
            case "Event.location_?":
                yield make("venue", self._place(part))
            case "Event.start_?" | "Event.end_?" | "time":
                yield from self._time_role(part)
            case "Event.duration_?":
                moved = any(each.function == "addDurations" for each in part.walk())
                yield make("lengthen" if moved else "duration", self._length(part))
            case "whole_day":
                yield make("whole_day")
            case _:
                raise NotConvertedError(Reason.UNKNOWN, part.function)

    def _time_role(self, part: Call) -> Iterator[Form]:
        if any(each.function.startswith("adjustBy") for each in part.walk()) \
                and self.wanted[part].length:
            yield make("shift", self._length(part))
            return
        both = any(each.kind in ("range", "days") for each in self.wanted[part].found)
        role = "end" if part.function == "Event.end_?" and not both else "time"
        for time in self.times(part):
            yield make(role, time)

    # -- times ----------------------------------------------------------------------------------

    def times(self, part: Call) -> list[Form]:
        """When something is, as the utterance says it."""
        wanted = self.wanted[part]
        event = next((each for each in part.walk()
                      if each.function in ("Event.start", "Event.end")), None)
        if not wanted.evidence and not wanted.found:
            if event is None:
                return [make("then")]
            inner = event.call(0)
            head = "after" if event.function == "Event.end" else "at"
            return [make(head, self.entities(inner))]
        return time_forms(self.utterance, wanted)

    def _length(self, part: Call) -> Span:
        return length_span(self.utterance, self.wanted[part])

    def _find(self) -> None:
        """Find the words for all times and lengths of the program."""
        parts = [each for each in self.root.walk()
                 if each.function in ("Event.start_?", "Event.end_?", "time", "Event.duration_?")]
        for part in parts:
            adjusted = part.function != "Event.duration_?" and any(
                each.function.startswith("adjustBy") for each in part.walk())
            self.wanted.setdefault(part, Wanted(
                _evidence(part), part.function == "Event.duration_?" or adjusted))
        names = []
        for text in {text for call in self.root.walk() for text in _texts(call)} - {"output"}:
            try:
                names.append(name_span(self.utterance, text))
            except NotConvertedError:
                continue
        find_wanted(self.utterance, [each for each in self.wanted.values()
                                     if each.evidence], names)


def normal(call: Call) -> Call:
    """A program whose events have their times as conditions among others, ``time``."""
    if call.function == "intension" and call.calls() and _is_time(call.call(0)):
        return Call("intension", (Call("time", call.arguments),))
    inner = tuple(normal(each) if isinstance(each, Call) else each for each in call.arguments)
    if not _EVENT_TIME.fullmatch(call.function):
        return Call(call.function, inner, call.type)
    calls = [each for each in inner if isinstance(each, Call)]
    joined = [each for each in calls if _of_events(each)]
    rest = [each for each in calls if each not in joined]
    lengths = [each for each in rest if "AllDay" in call.function
               and re.fullmatch(r"to\w+s|PeriodDuration.apply", each.function)]
    joined += [Call("Event.duration_?", (each,)) for each in lengths]
    times = tuple(each for each in rest if each not in lengths)
    joined += [Call("time", times)] if times else []
    joined += [Call("whole_day")] if "AllDay" in call.function else []
    return Call("&", tuple(joined))


def _is_time(call: Call) -> bool:
    return re.match(r"DateTime|\?=|Date|Next|TimeAfter", call.function) is not None


def _of_events(call: Call) -> bool:
    """Whether a constraint is on events, not on times."""
    if call.function == "&":
        return all(map(_of_events, call.calls()))
    return call.function in ("time", "whole_day") or call.type == "Event" \
        or (call.function.startswith("Event.") and call.function.endswith("_?"))


def _parts(constraint: Call) -> list[Call]:
    """The conditions that a constraint joins."""
    if constraint.function == "&":
        return [part for each in constraint.calls() for part in _parts(each)]
    return [constraint]


def _texts(call: Call) -> list[str]:
    return [each for inner in call.walk() for each in inner.arguments if isinstance(each, str)]


def _negated(call: Call) -> bool:
    return any(each.function == "negate" for each in call.walk())


def _place(form: Form | Span) -> int:
    """Where a role or condition stands among others."""
    head = form.head if isinstance(form, Form) else ""
    if head == "unwanted" and isinstance(form, Form):
        return _place(form.arguments[0]) if isinstance(form.arguments[0], Form) else 0
    return _ORDER.get(head, -1)


def _evidence(part: Call) -> frozenset[str]:
    """Words and numbers that may say a time of a program; none of the events it refers to."""
    found: set[str] = set()
    left: list[Call] = [part]
    while left:
        call = left.pop()
        if call.function in ("Event.start", "Event.end", "Event.duration", "refer", "item"):
            continue
        found.update(str(each) for each in call.arguments if isinstance(each, int))
        found.update(_SAID.get(call.function, ()) or (
            word.casefold() for word in re.findall(r"[A-Z]?[a-z]+", call.function)
            if word.casefold() not in _STRUCTURE))
        left += call.calls()[1 if call.function == "TimeAfterDateTime" else 0:]
    return frozenset(found)
