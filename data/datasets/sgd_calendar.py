"""Schema-Guided Dialogue: users of a calendar and of other services, with acts and slots.

Reads ``{"dialogue_id", "turns": [{"speaker", "utterance", "frames": [{"service", "state",
"actions": [{"act", "slot", "values"}], "slots": [{"slot", "start", "exclusive_end"}]}]}]}``, a
dialogue a line.
``Calendar_1`` is what a receptionist does; of the other services only courtesies, answers to yes or
no and what nobody would ask a receptionist have forms. Source: Rastogi et al., *Towards Scalable
Multi-Domain Conversational Agents: The Schema-Guided Dialogue Dataset*, AAAI 2020.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frontdesk.data.datasets.defects import Defect
from frontdesk.data.datasets.parsed_turns import (
    Context,
    NotConvertedError,
    ParsedTurn,
    Reason,
    checked,
    load_lines,
    make,
)
from frontdesk.data.datasets.utterance_spans import join_spans, require_no_other_time, time_form
from frontdesk.kg.graph.logical_forms import Form, Span

_CALENDAR = "Calendar_1"
#: What a receptionist would be asked for in other words or not at all. The other intents of other
#: services (a doctor's appointment, events in a town, …) are said as a receptionist's are.
_UNSUPPORTED = frozenset(("GetRide", "FindProvider", "FindApartment", "FindAttractions",
                          "BuyEventTickets", "FindMovies", "FindRestaurants"))
#: Of what is asked of other services, slots of which a receptionist knows the like.
_KNOWN_SLOT = re.compile(r"phone|address|time|date|location|venue|name|duration")
#: What the system's acts ask for, by act or by the slot of a request.
_ASKED = {"CONFIRM": "confirm", "OFFER_INTENT": "confirm", "REQ_MORE": "confirm",
          "event_name": "title", "event_date": "time", "event_time": "time",
          "event_location": "room"}
_TIMES = ("event_date", "event_time")
_YES_OR_NO = {"AFFIRM": "confirm", "AFFIRM_INTENT": "confirm", "NEGATE": "deny",
              "NEGATE_INTENT": "deny"}
_COURTESIES = frozenset(("SELECT", "THANK_YOU", "GOODBYE", *_YES_OR_NO))
_ATTRIBUTES = {"event_location": "where", "event_time": "when", "event_date": "when",
               "event_name": "about"}
#: What the acts do not tell apart.
_THANKS = re.compile(r"\bthank", re.IGNORECASE)
_NO_THANKS = re.compile(r"(?:no|nope|nah),? thank(?:s| you)\b", re.IGNORECASE)
_LEAVES = re.compile(r"\b(?:good ?bye|bye|see you|have a|take care|talk to you)\b", re.IGNORECASE)
_SAME_DAY = re.compile(r"\b(?:that|the same|this) (?:day|date)\b", re.IGNORECASE)
_WHETHER_ANY = re.compile(r"\b(?:do i|have i|is there|are there|if i|whether i|if there)\b[^.?]*"
                          r"\b(?:any|anything|something|an?)\b", re.IGNORECASE)
_WHETHER_FREE = re.compile(r"\b(?:am i|(?:if |whether )i(?: a|'?)m) (?:\w+ )?(?:free|available)\b",
                           re.IGNORECASE)
_WHEN = re.compile(r"\b(?:when|what|times?|slots?|hours?)\b", re.IGNORECASE)
_FREE = re.compile(r"free|avail|slot|open|empty|gap|unoccupied|time|when", re.IGNORECASE)
_FOLLOWS = re.compile(r"\b(?:what about|how about|instead|try)\b", re.IGNORECASE)
#: A yes, a no or a courtesy before what else is said: a few words up to a mark.
_LEAD = re.compile(r"(?:[^\s.!,;?]+[ ]?){1,4}[.!,;]+\s+(?=\S)")
_YES = re.compile(r"(?:yes|yeah|yep|yup|sure|no|nope)\b,?", re.IGNORECASE)


def load_sgd_calendar(path: str | Path) -> tuple[list[ParsedTurn], list[Defect]]:
    """The user's turns of a file with their forms, and what is wrong with others.

    Args:
        path: JSON lines, plain or compressed with gzip.

    Raises:
        FormatError: There is no such file, or it has no dialogue.
    """
    return load_lines(path, _dialogue, what="dialogue",
                      remedy="Name a file of Schema-Guided Dialogue, a dialogue a line")


def _dialogue(entry: Mapping[str, Any], line: int) -> Iterator[ParsedTurn]:
    name = str(entry.get("dialogue_id", f"line-{line}"))
    context, asked, number = Context(), frozenset[str](), 0
    for row in entry["turns"]:
        if row["speaker"] == "SYSTEM":
            asked = _asked(row)
            context = Context(context.forms, next(iter(asked)) if len(asked) == 1 else "")
            continue
        number += 1
        utterance = str(row["utterance"])
        forms: tuple[Form, ...] = ()
        try:
            forms = checked(_Turn(row, asked).forms())
            yield ParsedTurn(name, number, utterance, context, forms)
        except NotConvertedError as error:
            yield ParsedTurn(name, number, utterance, context, (), error.reason, error.detail)
        context = Context(forms)


def _asked(row: Mapping[str, Any]) -> frozenset[str]:
    """What a turn of the system asks for."""
    acts = [(each["act"], each.get("slot", "")) for frame in row["frames"]
            for each in frame["actions"]]
    return frozenset(_ASKED[key] for act, slot in acts
                     if (key := slot if act == "REQUEST" else act) in _ASKED)


@dataclass(frozen=True)
class _Frame:
    """What a turn says to a service.

    Args:
        acts: Act → its slots, or its intents.
        spans: The words that say a slot, by slot.
        intent: That the user wants now.
    """

    service: str
    acts: Mapping[str, tuple[str, ...]]
    spans: Mapping[str, Span]
    intent: str

    @classmethod
    def read(cls, frame: Mapping[str, Any], utterance: str) -> _Frame:
        acts: dict[str, tuple[str, ...]] = {}
        for each in frame["actions"]:
            what = each["values"] if each["act"] == "INFORM_INTENT" else [each.get("slot", "")]
            acts[each["act"]] = (*acts.get(each["act"], ()), *map(str, what))
        spans = {each["slot"]: Span(utterance[each["start"]:each["exclusive_end"]],
                                    each["start"], each["exclusive_end"])
                 for each in frame["slots"]}
        return cls(str(frame["service"]), acts, spans, str(frame["state"]["active_intent"]))


class _Turn:
    """The acts of one turn."""

    def __init__(self, row: Mapping[str, Any], asked: frozenset[str]) -> None:
        self.utterance, self.asked = str(row["utterance"]), asked
        self.frames = [_Frame.read(each, self.utterance) for each in row["frames"]]
        self.acts = {act for each in self.frames for act in each.acts}
        self.spans = [span for each in self.frames for span in each.spans.values()]

    def forms(self) -> list[Form]:
        main = [form for each in sorted(self.frames, key=lambda each: each.service != _CALENDAR)
                for form in (self._own(each) if each.service == _CALENDAR else _other(each))]
        if not main:
            return self._courtesies()
        before, thanks = self._before(), _THANKS.search(self.utterance)
        lead = len(self._lead())
        if thanks and thanks.start() < lead:
            before = [make("thank"), *(each for each in before if each.head != "acknowledge")]
        return before + main + [make("thank")] * bool(thanks and thanks.start() >= lead)

    def _lead(self) -> str:
        """What stands before the rest of the utterance; empty where nothing does."""
        found = _LEAD.match(self.utterance) or _YES.match(self.utterance)
        return found[0] if found and all(each.start >= found.end() for each in self.spans) else ""

    def _before(self) -> list[Form]:
        """A yes, a no or that something has been heard, where it is said before the rest."""
        if not self._lead():
            return []
        return self._yes_or_no() or [make("acknowledge")] * ("SELECT" in self.acts)

    def _yes_or_no(self) -> list[Form]:
        return [make(form) for act, form in _YES_OR_NO.items() if act in self.acts][:1]

    def _courtesies(self) -> list[Form]:
        """The acts of a turn that has nothing else."""
        if not self.acts <= _COURTESIES:
            raise NotConvertedError(Reason.UNKNOWN, " ".join(sorted(self.acts)))
        if self.acts == {"SELECT"} and self.frames[0].service != _CALENDAR:
            raise NotConvertedError(Reason.ELSEWHERE, "SELECT")
        found, said = self._yes_or_no(), self.utterance
        if _THANKS.search(_NO_THANKS.sub("", said) if found else said):
            found.append(make("thank"))
        if _LEAVES.search(said) or ("GOODBYE" in self.acts and not found):
            found.append(make("goodbye"))
        if not found:
            found.append(make("thank" if "THANK_YOU" in self.acts else "acknowledge"))
        return found

    # -- the calendar ---------------------------------------------------------------------------

    def _own(self, frame: _Frame) -> list[Form]:
        """What a turn says to the calendar; empty where that is a courtesy, a yes or a no."""
        require_no_other_time(self.utterance, self.spans)
        intents = frame.acts.get("INFORM_INTENT", ())
        if "REQUEST" in frame.acts:
            return [make("ask", make(_ATTRIBUTES[each], make("that")))
                    for each in frame.acts["REQUEST"] if each in _ATTRIBUTES]
        if intents or ("REQUEST_ALTS" in frame.acts and "INFORM" in frame.acts):
            return [self._wanted(frame, "REQUEST_ALTS" in frame.acts)]
        if "REQUEST_ALTS" in frame.acts:
            if frame.intent != "GetEvents":  # no form says another stretch of time
                raise NotConvertedError(Reason.UNKNOWN, "REQUEST_ALTS")
            return [make("ask", make("exists", make("event", make("attends", make("me")),
                                                    make("except", make("answers")))))]
        if "INFORM" not in frame.acts:
            return []
        if "AFFIRM_INTENT" in frame.acts:
            return [self._wanted(frame, False)]
        roles = self._roles(frame)
        if self.asked & {"title", "time", "room"}:
            return [make("answer", *(each.arguments if each.head in ("time", "venue") else (each,)))
                    for each in roles]
        return [make("revise", *(make("set", each) for each in roles))]

    def _wanted(self, frame: _Frame, alternative: bool) -> Form:
        """What an intent wants of the calendar."""
        if frame.intent == "AddEvent":
            order = ("title", "time", "venue")
            roles = sorted(self._roles(frame), key=lambda each: order.index(each.head))
            return make("request", make("create", *roles, *(
                [make("time", each) for each in self._then(frame)])))
        times = [time_form(self.utterance, frame.spans[each]) for each in _TIMES
                 if each in frame.spans] or self._then(frame)
        if alternative and _FOLLOWS.search(self.utterance):
            return make("revise", make("retime", *times))
        if frame.intent == "GetAvailableTime":
            if not _FREE.search(self.utterance):
                raise NotConvertedError(Reason.WORD_NOT_SAID, frame.intent)
            free = make("free", make("me"), *times)
            whether = _WHETHER_FREE.search(self.utterance) and not _WHEN.search(self.utterance)
            return make("ask", make("holds" if whether else "when", free))
        events = make("event", make("attends", make("me")), *times)
        return make("ask", make("exists" if _WHETHER_ANY.search(self.utterance) else "which",
                                events))

    def _then(self, frame: _Frame) -> list[Form]:
        said = "event_date" not in frame.spans and _SAME_DAY.search(self.utterance)
        return [make("then")] * bool(said)

    def _roles(self, frame: _Frame) -> list[Form]:
        """The slots that a turn says, in the order in which it says them."""
        if missing := set(frame.acts.get("INFORM", ())) - set(frame.spans):
            raise NotConvertedError(Reason.WORD_NOT_SAID, " ".join(sorted(missing)))
        found = [(span.start, make("time", time_form(self.utterance, span))) for span in
                 join_spans(self.utterance, [frame.spans[each] for each in _TIMES
                                             if each in frame.spans])]
        for slot, span in frame.spans.items():
            if slot == "event_name":
                found.append((span.start, make("title", span)))
            elif slot == "event_location":
                found.append((span.start, make("venue", make("thing", span))))
        return [form for _, form in sorted(found, key=lambda each: each[0])]


def _other(frame: _Frame) -> list[Form]:
    """What a turn says to another service; empty where that is a courtesy, a yes or a no.

    Raises:
        NotConvertedError: A receptionist might be asked the same.
    """
    if set(frame.acts) <= _COURTESIES:
        return []
    intents = frame.acts.get("INFORM_INTENT", ())
    if intents and set(intents) <= _UNSUPPORTED:
        return [make("unsupported")]
    if "REQUEST" in frame.acts and "INFORM" not in frame.acts and not any(
            map(_KNOWN_SLOT.search, frame.acts["REQUEST"])):
        return [make("unsupported")]
    raise NotConvertedError(Reason.ELSEWHERE, " ".join((*frame.acts, *intents)))
