"""Reads what an utterance asks to be done, or says of it, from its logical forms."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from frontdesk.agent.understanding.references import ANAPHORS
from frontdesk.agent.understanding.request import Request, UnclearName
from frontdesk.agent.understanding.request_roles import THEN, RoleReader
from frontdesk.agent.understanding.request_times import RequestTimes
from frontdesk.agent.understanding.said import Said
from frontdesk.kg.graph.entities import Room
from frontdesk.kg.graph.logical_forms import Form, Sort, Span
from frontdesk.kg.graph.pending_action import ActionKind, GroupWish, Slot, offered_start
from frontdesk.kg.times.other_times import OtherTime
from frontdesk.kg.times.time_readings import TimeReading

#: What each request begins.
BEGINS: Mapping[str, ActionKind] = {
    "create": ActionKind.CREATE, "find_time": ActionKind.CREATE, "block": ActionKind.CREATE,
    "again": ActionKind.CREATE, "change": ActionKind.CHANGE, "swap": ActionKind.CHANGE,
    "cancel": ActionKind.CANCEL, "tell": ActionKind.MESSAGE, "accept": ActionKind.MESSAGE,
    "decline": ActionKind.MESSAGE}
#: Which time is wanted beside one that was offered.
_BESIDE: Mapping[str, OtherTime] = {"then_after": OtherTime.LATER,
                                    "then_before": OtherTime.EARLIER,
                                    "unwanted": OtherTime.ANOTHER_TIME}
#: All that were suggested: "both".
_BOTH = (Form("answers"), Form("those"))
#: Acts that say one thing alone.
_ACTS: Mapping[str, Mapping[str, Any]] = {
    "confirm": {"confirms": True}, "deny": {"denies": True}, "any": {"leaves_open": True},
    "abandon": {"abandons": True}, "redo": {"redoes": True}, "ask": {"asks": True},
    "thank": {"greets": True}, "goodbye": {"greets": True}}


def read_request(said: Said) -> Request:
    """What an utterance asks to be done."""
    return _Reader(said).read()


class _Reader(RoleReader):
    """One utterance on its way to a request."""

    #: It books what was asked about.
    books_that = False

    def read(self) -> Request:
        for form in self.said.forms:
            if form.head in _ACTS:
                self._set(**_ACTS[form.head])
                # What is said "then" after a question is at the time of the question.
                self.then = next((each for each in form.walk() if each.is_of(Sort.TIME)),
                                 self.then)
            elif form.head == "undo":
                self._set(undoes=next((n for n in form.arguments if isinstance(n, int)), 1))
            elif form.head == "unsupported":
                self._left_out(form)
            elif form.head in _READERS and form.arguments:
                _READERS[form.head](self, form)
        self._read_times()
        self._as_asked_about()
        if self.misplaced and not (self.request.room or self.request.wants_room
                                   or self.said.asked_about()):
            self._add("left_out", [""])
        no = self.request.denies and {each.head for each in self.said.forms} <= {
            "deny", "thank", "goodbye"}
        if self.said.asked == Slot.MESSAGE and not self.request.message \
                and self.request.begins in (None, ActionKind.MESSAGE) and not (
                    self.request.abandons or self.request.undoes or self.request.asks or no):
            self._set(message=self.said.cues.span.text, begins=None, comes=None)
        return self.request

    # --- acts

    def _requested(self, form: Form) -> None:
        wish = form.inner()[0]
        targets = [each for each in wish.inner() if not each.is_of(Sort.ROLE)]
        self._set(begins=self.request.begins or BEGINS[wish.head])
        if targets and wish.head not in ("tell", "again", "swap"):
            self._event(targets[0])
        self._roles([each for each in wish.inner() if each.is_of(Sort.ROLE)])
        heads = {each.head for each in wish.walk()}
        found = not {self.request.room, *self.request.invited}.isdisjoint(self.said.found_free())
        if wish.head == "create" and (len(heads) == 1 or heads & {*ANAPHORS, "then"} or found):
            self.books_that = True  # what was asked about is wanted as it was asked about
            if all(each.head == "duration" for each in self.times) and self._is_new() and (
                    heads & ANAPHORS or found or self.said.asked_about()):
                self._role(THEN)
        if wish.head == "tell":
            for each in targets:
                self._recipient(each)
            message = next((each.text for each in wish.arguments if isinstance(each, Span)), "")
            self._set(message=message)
        elif wish.head == "again":
            self._again(targets[0])
        elif wish.head == "swap":
            self._swapped(targets)
        self._set(finds_time=wish.head == "find_time", blocks=wish.head == "block")
        if wish.head in ("accept", "decline"):
            self._set(comes=wish.head == "accept")

    def _is_new(self) -> bool:
        """Whether what is said is none of what is being arranged."""
        last = self.said.last
        return not self.said.asked or (last is not None and last.interrupted)

    def _as_asked_about(self) -> None:
        """Whom and what was asked about take part where that is booked, or something at its time,
        and nothing else is said."""
        request, spoken = self.request, self.said.spoken
        then = spoken is not None and any(
            each.start == spoken.start.time() and each.day in (None, spoken.date)
            for each in request.times[:1])
        if request.begins is not ActionKind.CREATE or request.blocks or not self._is_new() \
                or not (self.books_that or then):
            return
        asked = [each for each in self.said.asked_about() if each not in request.removed]
        adds = {"choose", "revise"} <= {each.head for each in self.said.forms}
        if adds or not (request.invited or request.wishes or request.unclear):
            self._add("invited", [each for each in asked if each in self.kb.people])
            self._add("wishes", [GroupWish(each) for each in asked if each in self.kb.groups])
        rooms = [each for each in asked if each in self.kb.rooms]
        if len(rooms) == 1 and not (request.room or request.room_unclear or request.wants_room
                                    or request.no_room or request.avoided):
            self._set(room=rooms[0])

    def _read_times(self, base: TimeReading | None = None, day: dt.date | None = None) -> None:
        """Read the times that were collected; on top of what is done once more, if it is."""
        self.request = RequestTimes(self.said, self.request).read(self.times, base, day)
        self.times = []

    def _answered(self, form: Form) -> None:
        argument = form.arguments[0]
        names = isinstance(argument, Span) or argument == Form("title", tuple(form.spans()))
        if names and self.said.is_offered_times:
            return  # a name is no answer to that
        if isinstance(argument, Span):
            last = self.said.last
            tells = last is not None and last.is_open and last.kind is ActionKind.MESSAGE
            if tells:
                self._set(message=argument.text)
            else:
                self._title(form)
        elif isinstance(argument, Form) and argument.is_of(Sort.ROLE):
            words = next((each.text for each in argument.spans()), "")
            rooms = [each.id for each in self.kb.named(words) if isinstance(each, Room)]
            if argument.head == "title" and len(rooms) == 1:  # that is where it is to be
                self._set(room=rooms[0])
            else:
                self._role(argument)
        elif isinstance(argument, Form) and argument.is_of(Sort.TIME):
            self.times.append(Form("time", (argument,)))
        elif isinstance(argument, Form):
            self._entities(argument)

    def _chose(self, form: Form) -> None:
        argument, last = form.arguments[0], self.said.last
        offered = last.offered if last is not None and last.is_open else ()
        if not isinstance(argument, Form):
            return
        places = [each for each in argument.walk() if each.head in ("one_of", "nth")]
        bounds = [each for each in argument.inner() if each.is_of(Sort.TIME)]
        known = [each for each in offered if each in self.kb]
        if not known and self._other_one(argument):
            return
        if bounds and bounds[0].head in _BESIDE and not known:
            self._set(other_time=_BESIDE[bounds[0].head])
        elif bounds and not known:
            self.times += [Form("time", (each,)) for each in bounds]
        elif not offered:
            if not any(argument.spans()) and not places \
                    and not any(each.head == "except" for each in argument.walk()):
                self._set(confirms=True)
            elif places and self.said.asked != Slot.EVENT and self.said.answered_times():
                self.times.append(Form("time", (Form("at", (Form(
                    "answers", argument.arguments),)),)))
            else:
                self._entities(argument)
        elif places and not known:
            number = next((n for n in places[0].arguments if isinstance(n, int)), 1)
            place = number - 1 if number > 0 else len(offered) + number
            if len(offered) == 1 and number != 1:  # there is no other, so another is wanted
                self._set(other_time=OtherTime.LATER)
            else:
                self._set(taken=tuple(offered[place:place + 1]) if place >= 0 else ())
        elif argument in _BOTH and len(known) > 1 and {*known} <= self.kb.people.keys():
            self._set(taken=tuple(known))
        elif not any(argument.spans()) and not places:
            self._set(confirms=True)
        else:
            among = tuple(self.said.among(argument, known))
            rest = set(among) <= self.kb.events.keys() and any(
                each.head in ("except", "not", "and") for each in argument.walk())
            self._set(taken=among if len(among) == 1 or rest else ())
            if not among:
                self._entities(argument)

    def _other_one(self, form: Form) -> bool:
        """Take who was suggested with the one who was chosen, in their place: "the other one"; of
        a time that is offered, another."""
        last = self.said.last
        if last is None or not last.is_open or any(form.spans()) \
                or not any(each.head == "except" for each in form.walk()):
            return False
        if last.offered:
            return self._other_time(
                len(last.offered) == 1 and offered_start(last.offered[0]) is not None)
        chosen = [each for each in last.chosen_from if each in last.people]
        others = tuple(each for each in last.chosen_from if each not in last.people)
        if not chosen or not others:
            return self._other_time(last.asked == Slot.CONFIRMATION and last.kind in (
                ActionKind.CREATE, ActionKind.CHANGE))
        self._add("removed", chosen)
        if len(others) == 1:
            self._add("invited", others)
        else:
            self._add("unclear", [UnclearName("", others, known=True)])
        return True

    def _other_time(self, timed: bool) -> bool:
        """Want another time where it is one that is turned down; whether it is."""
        if timed:
            self._set(other_time=OtherTime.ANOTHER_TIME)
        return timed

    def _revised(self, form: Form) -> None:
        self._set(corrects=form.head == "correct" or self.request.corrects)
        for change in form.inner():
            arguments = change.inner()
            if change.head == "set":
                self._wanted_so(arguments[0])
            elif change.head == "retime":
                for each in arguments:
                    self._wanted_so(Form("time", (each,)))
            elif change.head == "replace" and self._other_one(arguments[0]):
                continue
            elif change.head == "replace":
                if len(arguments) == 1:
                    self._put_right(arguments[0])
                    continue
                self._entities(arguments[0])
                if arguments[1].head != "event":  # another event is meant, none is left out
                    role = "venue" if arguments[1].head == "room" else "attendee"
                    self._role(Form("unwanted", (Form(role, (arguments[1],)),)))
            elif change.head == "add" and arguments[0].head == "except" \
                    and (both := self._only_or_not(arguments[0])):
                self._add("unclear", [UnclearName("", both, known=True, unwanted=True)])
            elif change.head in ("add", "drop"):
                self._condition(arguments[0], wanted=change.head == "add")

    def _only_or_not(self, form: Form) -> tuple[str, ...]:
        """Ids of those proposed to come, where some of them are to come alone or not at all:
        that they are added, but excepted, says neither.
        """
        last = self.said.last
        if last is None or self.said.asked != Slot.CONFIRMATION:
            return ()
        named = {person for part in form.inner() for meant in self.references.people(part)
                 for person in meant.people}
        return last.people if named and named < set(last.people) else ()

    def _put_right(self, form: Form) -> None:
        """Take who is named in place of as many of those who were named before, the last of them;
        of those whom the same utterance wants at once. One of these, said once more, is the only
        one."""
        before = len(self.named)
        self._entities(form)
        if not before:
            return self._set(replaced=self.request.begins is None)
        old, new = self.named[:before], self.named[before:]
        if new:
            again = {each.meant for each in new} <= {each.meant for each in old}
            self._take_back(0 if again else max(0, before - len(new)))
            self._entities(form)
        return None

    def _wanted_so(self, role: Form) -> None:
        """What a revision sets; a time beside the one that was proposed is not read as one."""
        *_, time = role.walk()
        beside = _BESIDE.get(role.head if time.head == "then" else time.head)
        if beside is not None and self.said.asked in (Slot.CHOICE, Slot.CONFIRMATION):
            self._set(other_time=beside)
        else:
            self._role(role)

    def _condition(self, form: Form, *, wanted: bool) -> None:
        """What an event is to fulfil, or no longer."""
        if form.is_of(Sort.TIME):
            role = Form("time", (form,)) if form.head != "lasting" \
                else Form("duration", form.arguments)
        elif form.head in ("except", "not"):
            for each in form.inner():
                self._condition(each, wanted=not wanted)
            return
        else:
            somebody = form.head in ("person", "group") or (
                form.head in ANAPHORS and bool(self.references.people(form)))
            name = "attendee" if somebody or form.head == "attends" else \
                "venue" if form.head in ("location", "room") else ""
            one = form if somebody or form.head == "room" else next(
                (each for each in form.inner() if not each.is_of(Sort.TIME)), None)
            if not name or one is None:
                return
            role = Form(name, (one,))
        self._role(role if wanted else Form("unwanted", (role,)))

    def _entities(self, form: Form) -> None:
        """Entities that are named alone, by what was asked for or else by what they are."""
        last, asked = self.said.last, self.said.asked
        kind = self.request.begins or (last.kind if last is not None else None)
        if asked == Slot.OCCURRENCES:
            self.times += [Form("time", (each,)) for each in form.inner() if each.is_of(Sort.TIME)]
        if asked in (Slot.SPEAKER, Slot.OCCURRENCES):
            return
        if asked == Slot.PLACE or form.head == "room" \
                or (form.head == "answers" and self.references.rooms(form)):
            self._role(Form("venue", (form,)))
        elif form.head == "event" and kind is ActionKind.CREATE and asked != Slot.EVENT:
            self._title(form)  # "no, supplier chat": what is arranged is in no calendar yet
        elif asked == Slot.EVENT or form.head == "event" or (
                kind is ActionKind.CANCEL and form.head in ANAPHORS):
            self._event(form)
        elif kind is ActionKind.MESSAGE or asked == Slot.RECIPIENT:
            self._recipient(form)
        elif asked == Slot.ATTENDEES and form.head in ("me", "us"):
            self._set(alone=True)
        elif kind is not ActionKind.CANCEL:
            self._role(Form("attendee", (form,)))

    # --- which events

    def _swapped(self, forms: Sequence[Form]) -> None:
        found = [self.references.events(each) for each in forms]
        options = next((each.options for each in found if each.options), ())
        misnamed = next((each.misnamed for each in found if each.misnamed), "")
        self._set(names_event=True, options=options, misnamed=misnamed)
        if options:
            self._clear_left_out(forms)
        ids = {each.events[0] for each in found if len(each.events) == 1}
        if not options and len(ids) == 2:
            one, other = (self.kb.events[each.events[0]] for each in found)
            self._set(events=(one.id, other.id), starts=(
                (one.id, other.start.isoformat()), (other.id, one.start.isoformat())))

    def _again(self, form: Form) -> None:
        """What takes place already, once more."""
        found = self.references.events(form)
        self._set(options=found.options, names_event=True, misnamed=found.misnamed)
        if len(found.events) != 1:
            self._left_out(form)
            return
        event = self.kb.events[found.events[0]]
        others = [each for each in event.participants() if each != self.references.user]
        self._set(title=self.request.title or event.name)
        if event.private and self.request.private is None:
            self._set(private=True)
        self._add("invited", [each for each in others if each not in self.request.removed])
        if not (self.request.room or self.request.room_unclear or self.request.no_room
                or self.request.wants_room):
            self._set(room=event.location or "")
        length = int((event.end - event.start).total_seconds()) // 60
        self._read_times(TimeReading(start=event.start.time(), minutes=length), event.start.date())

_READERS: Mapping[str, Callable[[_Reader, Form], None]] = {
    "request": _Reader._requested, "answer": _Reader._answered, "choose": _Reader._chose,
    "revise": _Reader._revised, "correct": _Reader._revised}
