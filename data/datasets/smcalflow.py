"""SMCalFlow: people asking a calendar assistant, each turn with its program.

Reads ``{"dialogue_id", "turns": [{"lispress", "user_utterance": {"original_text"},
"agent_utterance": {"original_text"}}]}``, a dialogue a line. Source: Semantic Machines et al.,
*Task-Oriented Dialogue as Dataflow Synthesis*, TACL 2020.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from frontdesk.data.datasets.defects import Defect
from frontdesk.data.datasets.lispress import Call, read_lispress
from frontdesk.data.datasets.parsed_turns import (
    Context,
    NotConvertedError,
    ParsedTurn,
    Reason,
    checked,
    load_lines,
    make,
)
from frontdesk.data.datasets.smcalflow_forms import Program
from frontdesk.data.datasets.utterance_spans import join_times
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import Form

#: What of a program is spoken of elsewhere: the weather, places, what makes no sense.
_ELSEWHERE = re.compile(r"Fence(?:Weather|Places|Navigation|TriviaQa|Gibberish|SwitchTabs)\w*"
                        r"|\w*Weather\w*|Will(?:Rain|Snow|Sleet)|FindPlace\w*|Place\.\w+"
                        r"|PlaceHasFeature|temperature|AtPlace")
_ATTRIBUTES = {"Event.start": "when", "Event.end": "ends", "Event.duration": "lasts",
               "Event.location": "where", "Event.subject": "which", "DateTime.date": "when",
               "DateTime.dayOfWeek": "when", "Person.phoneNumber": "phone",
               "Person.emailAddress": "email", "Person.officeLocation": "office",
               "PersonFromRecipient": "about", "Event.organizer": "organizer"}
_BOUNDS = {"Event.start": "starts", "Event.end": "ends"}
#: What the agent says where it offers several times, and where it shows what it would do.
_OFFERS = re.compile(r"\b(?:one of these|which of these|some times)\b", re.IGNORECASE)
_SHOWS = re.compile(r"(?:^|[.!] |__BREAK )(?:is (?:this|that)|how|does this|should I)\b[^.!]*\?"
                    r"\s*$", re.IGNORECASE)
_INDIFFERENT = re.compile(r"\b(?:any|either|both|whichever|whatever|matter)\b", re.IGNORECASE)
_SETS = ("FindEventWrapperWithDefaults", "FindNumNextEvent", "FindLastEvent", "singleton",
         "QueryEventResponse.results", "Event.attendees", "AttendeesWithResponse", "FindManager",
         "FindTeamOf", "FindReports", "Execute", "CurrentUser")


#: Functions that turn a meaning round, each with the heads of which one must say so.
_MARKS: Mapping[str, frozenset[str]] = {
    "negate": frozenset({"not", "except", "unwanted", "drop", "untrue"}),
    "FindNumNextEvent": frozenset({"next", "nth"}),
    "AttendeesWithResponse": frozenset(), "AttendeesWithNotResponse": frozenset()}


def load_smcalflow(path: str | Path) -> tuple[list[ParsedTurn], list[Defect]]:
    """The turns of a file with their forms, and what is wrong with the others.

    Args:
        path: JSON lines, plain or compressed with gzip.

    Raises:
        FormatError: There is no such file, or it has no dialogue.
    """
    return load_lines(path, _dialogue, what="dialogue",
                      remedy="Name an official file of SMCalFlow")


def _dialogue(entry: Mapping[str, Any], line: int) -> Iterator[ParsedTurn]:
    name = str(entry.get("dialogue_id", f"line-{line}"))
    context, arranging = Context(), False
    for number, turn in enumerate(entry["turns"], start=1):
        utterance, program = str(turn["user_utterance"]["original_text"]), str(turn["lispress"])
        forms: tuple[Form, ...] = ()
        try:
            root = read_lispress(program)
            forms = checked([join_times(each, utterance)
                             for each in _Turn(root, utterance, arranging).forms()])
            yield ParsedTurn(name, number, utterance, context, forms)
        except FormatError as error:
            yield ParsedTurn(name, number, utterance, context, (), Reason.UNREADABLE,
                             error.message)
        except NotConvertedError as error:
            yield ParsedTurn(name, number, utterance, context, (), error.reason, error.detail)
        arranging = _arranges(program, arranging)
        context = Context(forms, _asked(turn.get("agent_utterance")))


def _asked(reply: Mapping[str, Any] | None) -> str:
    """What the agent asks for in its reply; empty where it asks for nothing."""
    text = str((reply or {}).get("original_text", ""))
    return "choice" if _OFFERS.search(text) else "confirm" if _SHOWS.search(text) else ""


def _arranges(program: str, before: bool) -> bool:
    """Whether something is being arranged after a program, and not only asked."""
    if "CommitEventWrapper" in program or "EventAttendance" in program:
        return True
    return before and "Find" not in program


def _require_marks(root: Call, forms: Sequence[Form]) -> None:
    """See that what turns a meaning round stands in the forms, too.

    Raises:
        NotConvertedError: It does not.
    """
    heads = {part.head for form in forms for part in form.walk()}
    for call in root.walk():
        if call.function in _MARKS and heads.isdisjoint(_MARKS[call.function]):
            raise NotConvertedError(Reason.UNKNOWN, call.function)


class _Turn:
    """The acts of one program."""

    def __init__(self, root: Call, utterance: str, arranging: bool) -> None:
        self.root, self.utterance, self.arranging = root, utterance, arranging

    def forms(self) -> list[Form]:
        steps = self.root.calls() if self.root.function == "do" else (self.root,)
        for call in self.root.walk():
            if call.function.startswith("Fence") and not _ELSEWHERE.fullmatch(call.function):
                raise NotConvertedError(Reason.REFUSED, call.function)
        if all(any(_ELSEWHERE.fullmatch(each.function) for each in step.walk())
               for step in steps):
            return [make("unsupported")]
        own = [each for each in steps
               if not any(_ELSEWHERE.fullmatch(part.function) for part in each.walk())]
        self.program = Program(Call("do", tuple(own)), self.utterance)
        found = [form for step in self.program.root.calls() for form in self._acts(step)]
        _require_marks(self.program.root, found)
        return found + [make("unsupported")] * (len(own) < len(steps))

    def _acts(self, step: Call) -> list[Form]:
        name = step.function
        if "Pleasantry" in name:  # of which kind, the program does not tell
            raise NotConvertedError(Reason.NOT_ANNOTATED, name)
        if name in _PLAIN:
            return [make(_PLAIN[name])]
        if name in ("Yield", "Execute"):
            inner = step.call(0)
            done = inner.call(0) if inner.function == "Execute" else inner
            return self._acts(done) if done.function in _ACTS or done.function in _PLAIN \
                else [make("ask", self.query(inner))]
        if name in _ACTS:
            return _ACTS[name](self, step)
        raise NotConvertedError(Reason.UNKNOWN, name)

    def query(self, call: Call) -> Form:
        """What a program asks for."""
        entities = self.program.entities
        if call.function == ">" and call.call(0).function == "size" and call.arguments[1:] == (0,):
            return make("exists", entities(call.call(0).call(0)))
        if call.function == "size":
            return make("count", entities(call.call(0)))
        if call.function == "DateTime.time" and call.call(0).function in _BOUNDS:
            return make(_BOUNDS[call.call(0).function], entities(call.call(0).call(0)))
        if call.function.startswith("DateTime.") and call.call(0).function in _ATTRIBUTES:
            return self.query(call.call(0))
        if call.function in _ATTRIBUTES:
            return make(_ATTRIBUTES[call.function], entities(call.call(0)))
        if call.function in _SETS:
            return make("which", entities(call))
        raise NotConvertedError(Reason.UNKNOWN, call.function)

    # -- requests, choices and revisions --------------------------------------------------------

    def create(self, step: Call) -> list[Form]:
        preflight = step.call(0)
        return [make("request", make("create", *self.program.roles(preflight.call(0))))]

    def cancel(self, step: Call) -> list[Form]:
        return [make("request", make("cancel", self._event(step.call(0))))]

    def change(self, step: Call) -> list[Form]:
        preflight = step.call(0)
        return [make("request", make("change", self._event(preflight),
                                     *self.program.roles(preflight.call(1))))]

    def _event(self, preflight: Call) -> Form:
        identity = preflight.call(0)
        return self.program.entities(identity.call(0)
                                     if identity.function == "Event.id" else identity)

    def attend(self, step: Call) -> list[Form]:
        comments = [each for each in step.calls() if each.function == "RespondComment.apply"]
        status = next((each.function for each in step.calls()
                       if each.function.startswith("ResponseStatusType")), "")
        act = {"ResponseStatusType.Accepted": "accept",
               "ResponseStatusType.Declined": "decline"}.get(status)
        event = next((each for each in step.calls() if each.function in (
            "singleton", "Execute", "FindNumNextEvent", "FindLastEvent")), None)
        if act is None or event is None:
            raise NotConvertedError(Reason.UNKNOWN, status or step.function)
        return [make("request", make(act, self.program.entities(event))),
                *(make("request", make("tell", self.program.name(each))) for each in comments)]

    def choose(self, step: Call) -> list[Form]:
        which = step.arguments[0]
        if isinstance(which, int):
            return [make("choose", make("answers", make("one_of", which)))]
        if isinstance(which, str):
            raise NotConvertedError(Reason.UNKNOWN, which)
        if which.function in ("Latest", "Earliest"):
            return [make("choose", make("answers", make("nth", -1 if which.function == "Latest"
                                                        else 1)))]
        if which.function == "EmptyStructConstraint":
            # Where one is offered its program is the same as where the user does not mind which.
            return [make("any" if _INDIFFERENT.search(self.utterance) else "confirm")]
        return [make("choose", make("answers", *self.program.conditions(which)))]

    def revise(self, step: Call) -> list[Form]:
        return [make("revise", *self._changes(step.call(-1)))]

    def confirm_and_revise(self, step: Call) -> list[Form]:
        return [make("confirm"), make("revise", *self._changes(step.call(-1)))]

    def _changes(self, constraint: Call) -> list[Form]:
        if self.arranging:
            return [make("set", role) for role in self.program.roles(constraint)]
        return [make("add", form) for form in self.program.conditions(constraint)]

    def clobber(self, step: Call) -> list[Form]:
        new = step.call(-1)
        if new.function != "intension" or step.call(0).function != "refer":
            raise NotConvertedError(Reason.UNKNOWN, step.function)
        value = new.call(0)
        if value.function == "time":
            return [make("revise", make("retime", *self.program.times(value)))]
        return [make("revise", make("replace", self.program.entities(value)))]


_ACTS: Mapping[str, Callable[[_Turn, Call], list[Form]]] = {
    "CreateCommitEventWrapper": _Turn.create, "DeleteCommitEventWrapper": _Turn.cancel,
    "UpdateCommitEventWrapper": _Turn.change, "EventAttendance": _Turn.attend,
    "ChooseCreateEvent": _Turn.choose, "ChooseUpdateEvent": _Turn.choose,
    "ChooseCreateEventFromConstraint": _Turn.choose,
    "ChooseUpdateEventFromConstraint": _Turn.choose,
    "ReviseConstraint": _Turn.revise, "NewClobber": _Turn.clobber,
    "ConfirmUpdateAndReturnActionIntension": _Turn.confirm_and_revise,
    "ConfirmCreateAndReturnActionIntension": _Turn.confirm_and_revise}
_PLAIN = {"ConfirmAndReturnAction": "confirm", "DoNotConfirm": "deny",
          "UserPauseResponse": "slower", "RepeatAgent": "repeat", "DoNothing": "deny",
          "RepeatAgentDescription": "repeat", "Cancel": "abandon"}
