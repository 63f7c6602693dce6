"""Reads what an utterance asks to be done, or says of it, from its logical forms."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from frontdesk.agent.settings.settings import ActionSettings
from frontdesk.agent.understanding.references import ANAPHORS, MeantPeople, References
from frontdesk.agent.understanding.request import Request, UnclearName
from frontdesk.agent.understanding.role_times import TIME_ROLES, RoleTimes, TimeSituation
from frontdesk.kg.english.phrases import QUOTES, without_article
from frontdesk.kg.graph.entities import Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import CORE, Form, Sort, Span
from frontdesk.kg.graph.pending_action import (
    ActionKind,
    GroupWish,
    PendingAction,
    Slot,
    offered_start,
)
from frontdesk.kg.graph.windows import Window
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
#: Acts that say one thing alone.
_ACTS: Mapping[str, Mapping[str, Any]] = {
    "confirm": {"confirms": True}, "deny": {"denies": True}, "any": {"leaves_open": True},
    "abandon": {"abandons": True}, "redo": {"redoes": True}, "ask": {"asks": True},
    "thank": {"greets": True}, "goodbye": {"greets": True}}
#: When was said last.
_THEN = Form("time", (Form("then"),))


@dataclass(frozen=True)
class Said:
    """An utterance and the dialogue before it.

    Args:
        text: Its words, for what is passed on as it is.
        forms: What it means.
        references: What its references mean.
        last: The action that is open or was last done; None when there was none.
        among: Tells which of some ids a form can mean.
        settings: Office hours and the usual length of a meeting.
        focus: Days talked about before, the latest first.
        spoken: The time that was spoken of last, of the clock or a day; None when none was.
        timezone: Of whoever speaks; the organisation's when None.
        occurrences: Whether it speaks of ``one`` or ``all`` of several; empty when of neither.
    """

    text: str
    forms: Sequence[Form]
    references: References
    last: PendingAction | None
    among: Callable[[Form, Sequence[str]], Sequence[str]]
    settings: ActionSettings
    focus: Sequence[dt.date] = ()
    spoken: Window | None = None
    timezone: dt.tzinfo | None = None
    occurrences: str = ""

    @property
    def asked(self) -> str:
        """What was asked for before it; empty when nothing is awaited."""
        return self.last.asked if self.last is not None and self.last.is_open else ""

    @property
    def kb(self) -> KnowledgeBase:
        """The organisation as the user may know it."""
        return self.references.kb


def read_request(said: Said) -> Request:
    """What an utterance asks to be done."""
    return _Reader(said).read()


class _Reader:
    """One utterance on its way to a request."""

    def __init__(self, said: Said) -> None:
        self.said, self.references, self.kb = said, said.references, said.kb
        self.request = Request(occurrences=said.occurrences)
        self.times: list[Form] = []
        self.then = Form("then")

    def read(self) -> Request:
        for form in self.said.forms:
            if form.head in _ACTS:
                self._set(**_ACTS[form.head])
                # What is said "then" after a question is at the time of the question.
                self.then = next((each for each in form.walk() if _is(each, Sort.TIME)), self.then)
            elif form.head == "undo":
                self._set(undoes=next((n for n in form.arguments if isinstance(n, int)), 1))
            elif form.head in _READERS and form.arguments:
                _READERS[form.head](self, form)
        self._read_times()
        if self.said.asked == Slot.MESSAGE and not self.request.message \
                and self.request.begins in (None, ActionKind.MESSAGE) and not (
                    self.request.abandons or self.request.undoes or self.request.asks
                    or self.request.denies):
            self._set(message=self.said.text.strip(), begins=None, comes=None)
        return self.request

    def _set(self, **values: Any) -> None:
        self.request = replace(self.request, **values)

    def _add(self, name: str, values: Sequence[Any]) -> None:
        self._set(**{name: tuple(dict.fromkeys((*getattr(self.request, name), *values)))})

    # --- acts

    def _requested(self, form: Form) -> None:
        wish = _inner(form)[0]
        targets = [each for each in _inner(wish) if not _is(each, Sort.ROLE)]
        self._set(begins=self.request.begins or BEGINS[wish.head])
        if targets and wish.head not in ("tell", "again", "swap"):
            self._event(targets[0])
        for each in _inner(wish):
            if _is(each, Sort.ROLE):
                self._role(each)
        last = self.said.last
        alone = not self.said.asked or (last is not None and last.interrupted)
        if wish.head == "create" and not self.times and alone and any(
                each.head in ("that", "those", "answers") for each in wish.walk()):
            self._role(_THEN)  # what was asked about is wanted as it was asked about
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

    def _answered(self, form: Form) -> None:
        argument = form.arguments[0]
        if isinstance(argument, Span):
            last = self.said.last
            tells = last is not None and last.is_open and last.kind is ActionKind.MESSAGE
            if tells:
                self._set(message=argument.text)
            else:
                self._title(form)
        elif isinstance(argument, Form) and _is(argument, Sort.ROLE):
            words = next((each.text for each in argument.spans()), "")
            rooms = [each.id for each in self.kb.named(words) if isinstance(each, Room)]
            if argument.head == "title" and len(rooms) == 1:  # that is where it is to be
                self._set(room=rooms[0])
            else:
                self._role(argument)
        elif isinstance(argument, Form) and _is(argument, Sort.TIME):
            self.times.append(Form("time", (argument,)))
        elif isinstance(argument, Form):
            self._entities(argument)

    def _chose(self, form: Form) -> None:
        argument, last = form.arguments[0], self.said.last
        offered = last.offered if last is not None and last.is_open else ()
        if not isinstance(argument, Form):
            return
        places = [each for each in argument.walk() if each.head in ("one_of", "nth")]
        bounds = [each for each in _inner(argument) if _is(each, Sort.TIME)]
        known = [each for each in offered if each in self.kb]
        if bounds and bounds[0].head in _BESIDE and not known:
            self._set(other_time=_BESIDE[bounds[0].head])
        elif bounds and not known:
            self.times += [Form("time", (each,)) for each in bounds]
        elif not offered:
            if not any(argument.spans()) and not places:
                self._set(confirms=True)
            else:
                self._entities(argument)
        elif places and not known:
            number = next((n for n in places[0].arguments if isinstance(n, int)), 1)
            place = number - 1 if number > 0 else len(offered) + number
            if len(offered) == 1 and number != 1:  # there is no other, so another is wanted
                self._set(other_time=OtherTime.LATER)
            else:
                self._set(taken=tuple(offered[place:place + 1]) if place >= 0 else ())
        elif not any(argument.spans()) and not places:
            self._set(confirms=True)
        else:
            among = tuple(self.said.among(argument, known))
            rest = set(among) <= self.kb.events.keys() and any(
                each.head in ("except", "not") for each in argument.walk())
            self._set(taken=among if len(among) == 1 or rest else ())
            if not among:
                self._entities(argument)

    def _revised(self, form: Form) -> None:
        self._set(corrects=form.head == "correct" or self.request.corrects)
        for change in _inner(form):
            arguments = _inner(change)
            if change.head == "set":
                self._wanted_so(arguments[0])
            elif change.head == "retime":
                for each in arguments:
                    self._wanted_so(Form("time", (each,)))
            elif change.head == "replace":
                self._entities(arguments[0])
                if len(arguments) == 1:
                    self._set(replaced=True)
                elif arguments[1].head != "event":  # another event is meant, none is left out
                    role = "venue" if arguments[1].head == "room" else "attendee"
                    self._role(Form("unwanted", (Form(role, (arguments[1],)),)))
            elif change.head in ("add", "drop"):
                self._condition(arguments[0], wanted=change.head == "add")

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
        if _is(form, Sort.TIME):
            role = Form("time", (form,)) if form.head != "lasting" \
                else Form("duration", form.arguments)
        elif form.head in ("except", "not"):
            for each in _inner(form):
                self._condition(each, wanted=not wanted)
            return
        else:
            name = "attendee" if form.head in ("attends", "person", "group") else \
                "venue" if form.head in ("location", "room") else ""
            one = form if form.head in ("person", "group", "room") else next(
                (each for each in _inner(form) if not _is(each, Sort.TIME)), None)
            if not name or one is None:
                return
            role = Form(name, (one,))
        self._role(role if wanted else Form("unwanted", (role,)))

    def _entities(self, form: Form) -> None:
        """Entities that are named alone, by what was asked for or else by what they are."""
        last, asked = self.said.last, self.said.asked
        kind = last.kind if last is not None else None
        if asked in (Slot.SPEAKER, Slot.OCCURRENCES):
            return
        if asked == Slot.PLACE or form.head == "room":
            self._role(Form("venue", (form,)))
        elif form.head == "event" and kind is ActionKind.CREATE and asked != Slot.EVENT:
            self._title(form)  # "no, supplier chat": what is arranged is in no calendar yet
        elif asked == Slot.EVENT or form.head == "event":
            self._event(form)
        elif kind is ActionKind.MESSAGE or asked == Slot.RECIPIENT:
            self._recipient(form)
        elif asked == Slot.ATTENDEES and form.head in ("me", "us"):
            self._set(alone=True)
        elif kind is not ActionKind.CANCEL:
            self._role(Form("attendee", (form,)))

    # --- which events

    def _event(self, form: Form) -> None:
        found = self.references.events(form)
        self._set(events=found.events, options=found.options, names_event=found.named,
                  misnamed=found.misnamed)

    def _swapped(self, forms: Sequence[Form]) -> None:
        found = [self.references.events(each) for each in forms]
        options = next((each.options for each in found if each.options), ())
        misnamed = next((each.misnamed for each in found if each.misnamed), "")
        self._set(names_event=True, options=options, misnamed=misnamed)
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
            return
        event = self.kb.events[found.events[0]]
        others = [each for each in event.participants() if each != self.references.user]
        self._set(title=self.request.title or event.name)
        if event.private and self.request.private is None:
            self._set(private=True)
        self._add("invited", [each for each in others if each not in self.request.removed])
        if not (self.request.room or self.request.no_room or self.request.wants_room):
            self._set(room=event.location or "")
        length = int((event.end - event.start).total_seconds()) // 60
        self._read_times(TimeReading(start=event.start.time(), minutes=length),
                         day=event.start.date())

    # --- roles

    def _role(self, role: Form) -> None:
        if role.head in TIME_ROLES:
            self.times.append(Form(role.head, (self.then,)) if role == _THEN else role)
        elif role.head == "title" or (role.head == "note" and not self.request.title):
            self._title(role)
        elif role.head in ("attendee", "host"):
            self._attendee(_inner(role)[0])
            if role.head == "host":
                self._host(_inner(role)[0])
        elif role.head == "venue":
            self._venue(_inner(role)[0])
        elif role.head == "private":
            self._set(private=True)
        elif role.head == "online":
            self._set(no_room=True)
        elif role.head == "recurs":
            self._set(repeated=True, occurrences="all")
        elif role.head == "unwanted":
            self._unwanted(_inner(role)[0])
        elif role.head == "instead":
            wanted, unwanted = _inner(role)
            if wanted == unwanted and wanted.head == "attendee":
                return  # who comes for whom is not clear
            self._role(wanted)
            if unwanted.head == "attendee":
                self._unwanted(unwanted)

    def _title(self, form: Form) -> None:
        """What an event is to be called: an article that is not written as a part of it is none."""
        said, text = next(form.spans(), Span("")), self.said.text
        quoted = said.start > 0 and text[said.start - 1] in QUOTES
        self._set(title=said.text if quoted else without_article(
            said.text, begins=said.start == len(text) - len(text.lstrip())))

    def _unwanted(self, role: Form) -> None:
        if role.head == "attendee":
            for each in self.references.people(_inner(role)[0]):
                self._add("removed", [*each.people, *self._members(each)])
                self._unclear(each, unwanted=True)
            if _inner(role)[0].head == "me" and self.references.user is not None:
                self._add("removed", [self.references.user])
        elif role.head == "venue":
            last = self.said.last
            books = last is not None and last.is_open and last.kind is ActionKind.CREATE
            rooms = self._rooms_not_wanted(_inner(role)[0])
            unknown = next((each.text for each in role.spans()), "") if not rooms else ""
            changed = [self.kb.events[each].location for each in self.request.events]
            if rooms and (books or self.request.begins is ActionKind.CREATE):
                self._add("avoided", rooms)
            elif unknown:
                self._set(room_unclear=unknown)
            elif not rooms or not changed or any(each in rooms for each in changed):
                self._set(no_room=True)
        elif role.head == "private":
            self._set(private=False)
        elif role.head in TIME_ROLES:
            self.times.append(Form("unwanted", (role,)))

    def _rooms_not_wanted(self, form: Form) -> tuple[str, ...]:
        """Ids of the rooms that are not wanted; "that" is the one that was proposed."""
        last = self.said.last
        if form.head == "that" and last is not None and last.is_open:
            return tuple(each for each in (last.room, *last.offered) if each in self.kb.rooms)
        return self.references.rooms(form) if form.arguments else ()

    def _attendee(self, form: Form) -> None:
        for each in self.references.people(form):
            self._add("invited", each.people)
            if each.excepted:
                self._add("invited", self._members(each))
            else:
                self._add("wishes", [GroupWish(group) for group in each.groups])
            self._add("wishes", [GroupWish(group, 1) for group in each.some])
            self._unclear(each)

    def _host(self, form: Form) -> None:
        meant = [person for each in self.references.people(form) for person in each.people]
        if form.head == "me":
            meant = [self.references.user or form.head]
        self._set(hosted=True, host=meant[0] if len(meant) == 1 else "")

    def _recipient(self, form: Form) -> None:
        for each in self.references.people(form):
            self._add("recipients", [*each.people, *self._members(each)])
            self._unclear(each)

    def _members(self, meant: MeantPeople) -> list[str]:
        """Ids of the members of groups, without those who are left out and the user."""
        return [person.id for group in meant.groups for person in self.kb.members(group)
                if person.id not in (self.references.user, *meant.excepted)]

    def _unclear(self, meant: MeantPeople, *, unwanted: bool = False) -> None:
        if meant.said or meant.options:
            self._add("unclear", [UnclearName(meant.said, meant.options, meant.known,
                                              meant.a_group, unwanted)])

    def _venue(self, form: Form) -> None:
        # That it is to be free at the time of the event goes without saying.
        form = Form(form.head, tuple(each for each in form.arguments if not (
            isinstance(each, Form) and each.head == "is_free")))
        if form.head == "room" and not form.arguments:
            return self._set(wants_room=True)
        rooms = self.references.rooms(form)
        bookable = [each.id for each in self.kb.bookable_rooms()]
        if len(rooms) == 1:
            return self._set(room=rooms[0])
        if any(each in bookable for each in rooms):
            self._add("avoided", [each for each in bookable if each not in rooms])
            return self._set(wants_room=True)
        words = [each.text for each in form.spans()]
        if form.head == "that" or (form.head in ANAPHORS and not form.arguments):
            return None  # what was spoken of is no room
        return self._set(room_unclear=words[0]) if words else self._set(wants_room=True)

    # --- times

    def _read_times(self, base: TimeReading | None = None, day: dt.date | None = None) -> None:
        """Read the times that were collected; on top of what is done once more, if it is."""
        roles = self.times
        self.times = []
        if not roles:
            return
        unwanted = [each for each in roles if each.head == "unwanted"]
        situation = self._situation()
        if base is not None:
            situation = replace(situation, proposed=None)
        times = RoleTimes(situation, self._events_in(roles), self.request.finds_time)
        if base is not None:
            times.readings = [base]
        for role in roles:
            if role not in unwanted:
                times.add(role)
        spoken = self.said.spoken
        if self.request.begins is ActionKind.CREATE and not self.said.asked and spoken is not None \
                and spoken.date >= self.references.now.date():
            # "Is Bo free tomorrow at ten?" "Then book him at eleven."
            times.readings = [replace(each, day=spoken.date, day_presumed=True)
                              if each.day is None and each.start is not None else each
                              for each in times.readings]
        if base is not None and day is not None:
            times.readings = [_on_weekday(each, day) for each in times.readings]
        if self.request.blocks:
            times.kept()
        self._set(times=tuple(times.readings), no_day=times.no_day,
                  other_time=times.other or self.request.other_time)
        if unwanted and not times.readings:
            self._set(denies=True)
            if self._is_proposed(unwanted):
                self._set(other_time=OtherTime.ANOTHER_TIME)

    def _is_proposed(self, unwanted: Sequence[Form]) -> bool:
        """Whether what was proposed is at a time that is not wanted: "not at ten"."""
        times, proposed = RoleTimes(self._situation(), {}), self._situation().proposed
        for each in unwanted:
            times.add(_inner(each)[0])
        return proposed is not None and any(
            each.start == proposed.time() and each.day in (None, proposed.date())
            for each in times.readings)

    def _situation(self) -> TimeSituation:
        said = self.said
        last = said.last if said.last is not None and self._is_of(said.last) else None
        ids = self.request.events or (said.last.events if said.last is not None else ())
        event = self.kb.events.get(ids[0]) if len(ids) == 1 else None
        about = None if event is None or self.kb.is_recurring(event) or (
            self.request.begins is ActionKind.CREATE) else (event.start, event.end)
        return TimeSituation(
            self.references.now, (said.settings.opens, said.settings.closes),
            said.settings.minutes, said.focus, said.spoken, said.timezone,
            last.time if last is not None else TimeReading(), about,
            self._proposed(last) if last is not None else None)

    def _is_of(self, last: PendingAction) -> bool:
        """Whether what is said is of what is pending, not of another event."""
        if not self.said.asked:
            return False
        return set(self.request.events) <= set(last.events) or (
            not last.events and self.request.begins in (None, last.kind))

    def _proposed(self, last: PendingAction) -> dt.datetime | None:
        """The start that was offered, or is to be confirmed."""
        offered = offered_start(last.offered[0]) if len(last.offered) == 1 else None
        if offered is not None or last.time.start is None or last.time.day is None:
            return offered
        return dt.datetime.combine(last.time.day, last.time.start, self.kb.timezone)

    def _events_in(self, roles: Sequence[Form]) -> dict[Form, tuple[dt.datetime, dt.datetime]]:
        """Start and end of the events that times refer to; of one alone that is clear."""
        found = {}
        for time in (part for role in roles for part in role.walk()):
            first = time.arguments[0] if time.arguments else None
            if isinstance(first, Form) and _is(time, Sort.TIME):
                meant = self.references.events(first)
                if len(meant.events) == 1:
                    event = self.kb.events[meant.events[0]]
                    found[first] = event.start, event.end
        return found


_READERS: Mapping[str, Callable[[_Reader, Form], None]] = {
    "request": _Reader._requested, "answer": _Reader._answered, "choose": _Reader._chose,
    "revise": _Reader._revised, "correct": _Reader._revised}


def _inner(form: Form) -> list[Form]:
    return [each for each in form.arguments if isinstance(each, Form)]


def _is(form: Form, sort: Sort) -> bool:
    return form.head in CORE and CORE[form.head].sort is sort


def _on_weekday(reading: TimeReading, day: dt.date) -> TimeReading:
    """A stretch of days as the day in it on which it was before."""
    if reading.day is None or reading.until_day is None:
        return reading
    span = (reading.until_day - reading.day).days
    days = [reading.day + dt.timedelta(days=each) for each in range(span + 1)]
    same = next((each for each in days if each.weekday() == day.weekday()), reading.day)
    return replace(reading, day=same, until_day=None)
