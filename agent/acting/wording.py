"""What the receptionist says about an action: questions, offers, confirmations and reports.

The words follow the state of the action and of the calendar alone, so that they claim nothing else.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

from frontdesk.agent.access.hidden_events import HIDDEN_NAME
from frontdesk.agent.acting.choices import Chosen, Lack
from frontdesk.agent.understanding.request import UnclearName
from frontdesk.kg.english import phrases
from frontdesk.kg.english.verbalise import Verbaliser, event_window
from frontdesk.kg.graph.changes import Conflict, EventChange
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction, Slot, offered_start
from frontdesk.kg.graph.windows import part_window
from frontdesk.kg.times.other_times import OtherTime
from frontdesk.kg.times.time_readings import TimeReading

_Key = TypeVar("_Key")
#: Stands for no place, where nothing is changed about the place.
_NOWHERE = "nowhere"
_QUESTIONS = {
    Slot.SPEAKER: "May I have your name, please?",
    Slot.TITLE: "What would you like to call it?",
    Slot.EVENT: "Which meeting do you mean?",
    Slot.ATTENDEES: "Whom would you like to invite?",
    Slot.PLACE: "Which room would you like?",
    Slot.CHANGE: "What would you like to change about {event}?",
    Slot.OCCURRENCES: "{event} takes place repeatedly. Do you mean only {when}, or all of them?",
    Slot.RECIPIENT: "For whom is the message?",
    Slot.MESSAGE: "What would you like me to pass on?",
}


def say_hello(name: str = "") -> str:
    """A greeting, by the first of somebody's names where they are known."""
    return f"Hello, {name.split()[0]}!" if name else "Hello!"


class Wording:
    """Words replies about actions.

    Args:
        verbaliser: Says entities and times.
        hidden: Ids of events of which the user may know no more than when they are.
    """

    def __init__(self, verbaliser: Verbaliser, hidden: Collection[str] = ()) -> None:
        self.verbaliser, self.hidden = verbaliser, hidden
        self.kb, self.today = verbaliser.kb, verbaliser.today

    # --- questions

    def ask(self, slot: str, action: PendingAction) -> str:
        """The question for what is missing."""
        if slot == Slot.START and action.kind is ActionKind.CHANGE:
            return f"When would you like {self._it(action)} to be?"
        if slot == Slot.START:
            return f"At what time would you like {self._it(action)} to be{self._day(action)}?"
        question = _QUESTIONS[Slot(slot)]
        if "{" not in question:
            return question
        event = self.kb.events[action.events[0]]
        return phrases.capitalise(question.format(
            event=self.name(event), when=f"the one {self.when(event)}"))

    def unsure(self, kinds: Sequence[ActionKind], events: Sequence[str]) -> str:
        """The question what is to be done, of several things that may be meant."""
        name = self.name(self.kb.events[events[0]]) if events else "a meeting"
        deeds = {ActionKind.CREATE: "book something new", ActionKind.CHANGE: f"change {name}",
                 ActionKind.CANCEL: f"cancel {name}", ActionKind.MESSAGE: "pass on a message"}
        choice = _alternatives([deeds[each] for each in kinds])
        return f"I am not sure what to do. Should I {choice}?"

    def which_event(self, events: Sequence[str]) -> str:
        """The question which of several events is meant."""
        said = [self.name_and_time(self.kb.events[each]) for each in events]
        return f"Which one do you mean: {_alternatives([*said, 'all of them'])}?"

    def which_time(self, offered: Sequence[str]) -> str:
        """The question which of several readings of a time is meant."""
        said = []
        for each in offered:
            if (at := offered_start(each)) is not None:
                said.append(f"{phrases.say_time(at)} {phrases.say_on(at.date(), self.today)}")
            else:
                said.append(phrases.say_on(dt.date.fromisoformat(each), self.today))
        return f"Do you mean {_alternatives(said)}?"

    def unclear(self, name: UnclearName, *, ask: str = "Whom do you mean?") -> str:
        """The question who is meant by a name; ``ask`` where nobody could be."""
        options = [self.verbaliser.name(each) for each in name.options]
        if name.known:
            return f"Whom do you mean: {_alternatives(options)}?"
        text = f"I don't know {'a group' if name.group else 'anyone'} called “{name.said}”."
        if name.group and not options:
            return f"{text} Which group do you mean?"
        return f"{text} Did you mean {_alternatives(options)}?" if options else f"{text} {ask}"

    def unknown_place(self, place: str) -> str:
        """That a place is no room of the organisation."""
        return (f"I don't know a room called “{place}”. Which room would you like, or should it "
                "have none?")

    def misnamed(self, said: str) -> str:
        """That no event has a name that one was given."""
        return f"I found no “{said}” in the calendar."

    def no_date(self, event: Event, time: TimeReading) -> str:
        """That nothing of the name of an event is at another time, with its day."""
        on = phrases.say_on(time.day, self.today) if time.day else ""
        at = f" at {time.start:%H:%M}" if time.start else ""
        return f"I found no “{event.name}” {on}{at}."

    def no_day(self, said: str) -> str:
        """That a date does not exist or is too far away."""
        return f"There is no “{said}” in my calendar. Which day would you like?"

    def not_bookable(self, room: str) -> str:
        """That a room is somebody's office or the like."""
        return (f"{phrases.capitalise(self.verbaliser.name(room))} cannot be booked for meetings. "
                "Which room would you like, or should it have none?")

    def lacking(self, chosen: Chosen) -> str:
        """What cannot be found, and what could be done instead."""
        group = self.verbaliser.name(chosen.group) if chosen.group else ""
        if chosen.lack is Lack.GROUP:
            return f"I know of nobody else in {group}. Whom would you like to invite?"
        if chosen.lack is Lack.MEMBERS:
            return f"Not enough people of {group} are free then. Whom would you like to invite?"
        if chosen.lack is Lack.TIME:
            who = "everybody and a meeting room are" if chosen.action.wants_room \
                else "everybody is"
            return (f"I'm sorry, I found no time{self._day(chosen.action)} at which {who} free. "
                    "Which other day would suit you?")
        if chosen.start is None:
            return ("I'm sorry, no meeting room is free then, nor at another time that suits. "
                    "Which other day would suit you?")
        return f"No meeting room is free then. {self.free_at(chosen.start)}"

    def organises(self, person: str = "") -> str:
        """That the user organises what they book, not somebody else."""
        invited = f", so {self.people([person])} is only invited" if person else ""
        return f"You organise what you book{invited}."

    def comes(self, event: Event, *, comes: bool) -> str:
        """The words for who organises an event, of whether somebody comes."""
        return f"I {'will' if comes else 'cannot'} come to {self.name_and_time(event)}."

    def so_far(self, event: Event) -> str:
        """What a new event is to be so far."""
        return f"So far it is {self.new_event(event)}."

    # --- before it is done

    def confirm(self, action: PendingAction, changes: Sequence[EventChange]) -> str:
        """The question whether something is to be done, with all that it will do."""
        if action.kind is ActionKind.MESSAGE:
            people = self.people(action.recipients)
            sender = f" from {action.guest}" if action.guest else ""
            return f"Shall I leave this message{sender} for {people}: “{action.message}”?"
        if action.kind is ActionKind.CREATE:
            return f"Shall I book {self.new_event(changes[0].event)}?"
        if action.kind is ActionKind.CANCEL:
            return f"Shall I cancel {self._listed([each.event for each in changes])}?"
        return f"Shall I {self.change(changes)}?"

    def new_event(self, event: Event) -> str:
        """A new event with everything that it has."""
        guests = [each for each in event.attendees if each != event.organizer]
        with_ = f" with {self.people(guests)}" if guests else ""
        if event.organizer not in (None, self.verbaliser.speaker):
            with_ += f", organised by {self.people([event.organizer])}"
        room = f" in {self.verbaliser.name(event.location)}" if event.location \
            else ", without a room"
        private = " as a private event" if event.private else ""
        return f"“{event.name}”{private} {self.when(event)}{with_}{room}"

    def change(self, changes: Sequence[EventChange], *, done: bool = False) -> str:
        """What becomes of events, as an order ("move …") or, when done, as a report.

        Args:
            changes: None of an event that is new or gone.
            done: They were made.
        """
        pairs = [(each.before, each.after) for each in changes
                 if each.before is not None and each.after is not None]
        parts: list[str] = []

        def names(those: Sequence[tuple[Event, Event]]) -> str:
            return "it" if parts and len(pairs) == 1 else self._names(those)

        def listed(those: Sequence[tuple[Event, Event]]) -> str:
            return "it" if parts and len(pairs) == 1 else self._listed([new for _, new in those])

        moved = [(old, new) for old, new in pairs
                 if not {"start", "end"}.isdisjoint(EventChange(old, new).fields())]
        if moved:
            verb = "move" if any(old.start != new.start for old, new in moved) else "change"
            parts.append(f"{_past(verb) if done else verb} {self._moves(moved)}")
        for name, those in _grouped(pairs, lambda old, new: new.name if new.name != old.name
                                    else ""):
            parts.append(f"{'renamed' if done else 'rename'} {names(those)} to “{name}”")
        for room, those in _grouped(pairs, lambda old, new: (new.location or _NOWHERE)
                                    if new.location != old.location else ""):
            rooms = dict.fromkeys(old.location for old, _ in those if old.location)
            place = f"out of {phrases.say_list([self.verbaliser.name(each) for each in rooms])}" \
                if room == _NOWHERE else f"to {self.verbaliser.name(room)}"
            parts.append(f"{'moved' if done else 'move'} {names(those)} {place}")
        for people, those in _grouped(pairs, lambda old, new: _more(old, new)):
            parts.append(f"{'invited' if done else 'invite'} {self.people(people)} to "
                         f"{listed(those)}")
        for people, those in _grouped(pairs, lambda old, new: _more(new, old)):
            parts.append(f"{'removed' if done else 'remove'} {self.people(people)} from "
                         f"{listed(those)}")
        for private, those in _grouped(pairs, lambda old, new: str(new.private)
                                       if new.private != old.private else ""):
            parts.append(f"{'made' if done else 'make'} {names(those)} "
                         f"{'private' if private == str(True) else 'public'}")
        return phrases.say_list(parts)

    def offer(self, obstacles: Sequence[Conflict], *, start: dt.datetime | None = None,
              room: str = "") -> str:
        """What stands in the way, and what could be done instead.

        Args:
            obstacles: At least one.
            start: A time at which nothing would be in the way.
            room: Id of a room that is free at the time that was wanted.
        """
        why = self.in_the_way(obstacles)
        if room:
            hours = phrases.say_hours(obstacles[0].event.start, obstacles[0].event.end)
            return f"{why} {phrases.capitalise(self.verbaliser.name(room))} is free {hours}."
        if start is not None:
            return f"{why} {self.free_at(start)}"
        return f"{why} I found no other time that suits everybody. Which time would you like?"

    def in_the_way(self, obstacles: Sequence[Conflict]) -> str:
        """Who and what is not free, and for which events; of each that of the first."""
        first = {each.subject: each.other for each in reversed(obstacles)}
        subjects: dict[str, list[str]] = {}
        for each in dict.fromkeys(each.subject for each in obstacles):
            subjects.setdefault(first[each].id, []).append(each)
        reasons = []
        for those in subjects.values():
            other, when = first[those[0]], self.when(first[those[0]])
            plural = len(those) > 1 or those[0] == self.verbaliser.speaker
            name = self.name(other).removesuffix(f" ({when})")
            reasons.append(f"{self.people(those)} {'are' if plural else 'is'} not free: "
                           f"{name} is {when}")
        return phrases.capitalise("; ".join(reasons)) + "."

    def free_at(self, start: dt.datetime) -> str:
        """That everything is free at a time."""
        on = phrases.say_on(start.date(), self.today)
        return f"At {phrases.say_time(start)} {on} everything would be free."

    def no_other(self, other: OtherTime) -> str:
        """That nothing is free at another time than the one that was offered."""
        words = {OtherTime.LATER: "later time that day", OtherTime.EARLIER: "earlier time that day",
                 OtherTime.ANOTHER_DAY: "other day", OtherTime.ANOTHER_TIME: "other time that day"}
        return f"In office hours I find no {words[other]} at which everything is free."

    def refuse(self, reason: str, event_id: str) -> str:
        """Why something is not done."""
        if reason == "past":
            return "That time is already past. Which time would you like?"
        if reason == "no_member":
            return (f"I'm sorry, I can only book for people of {self.kb.name}. I can leave a "
                    "message for somebody, though.")
        event = self.kb.events[event_id]
        if reason == "over":
            return f"I'm sorry, {self.name_and_time(event)} is already over."
        who = f", only {self.verbaliser.name(event.organizer)} can" \
            if event.organizer and event.id not in self.hidden else ""
        return (f"I'm sorry, you do not organise {self.name(event)}, so I cannot change it for "
                f"you{who}.")

    def refuse_all(self, number: int) -> str:
        """That none of many events is changed."""
        return (f"I'm sorry, of these {number} events you organise none that is still to come, so "
                "I cannot change them for you.")

    def leaves_out(self, event_id: str) -> str:
        """That one of several events is left as it is."""
        return f"I leave out {self.name(self.kb.events[event_id])}, which you do not organise."

    def left(self, kind: ActionKind) -> str:
        """That nothing is done of what was spoken of."""
        deeds = {ActionKind.CREATE: "book nothing", ActionKind.MESSAGE: "pass nothing on"}
        return f"All right, I {deeds.get(kind, 'leave it as it is')}."

    # --- after it was done

    def done(self, action: PendingAction, changes: Sequence[EventChange]) -> str:
        """What has been done."""
        if action.kind is ActionKind.MESSAGE:
            return f"I have left your message for {self.people(action.recipients)}."
        if action.kind is ActionKind.CREATE:
            return f"I have booked {self.new_event(changes[0].event)}."
        if action.kind is ActionKind.CANCEL:
            return f"I have cancelled {self._listed([each.event for each in changes])}."
        return f"I have {self.change(changes, done=True)}."

    def undone(self, changes: Sequence[EventChange]) -> str:
        """What has been taken back; ``changes`` are those that did so."""
        said = []
        for change in changes:
            if change.after is None:
                said.append(f"“{change.event.name}” is no longer booked")
            elif change.before is None:
                said.append(f"{self.name(change.after)} is in the calendar again, "
                            f"{self.when(change.after)}")
            else:
                said.append(f"{self.name(change.after)} is as it was before, "
                            f"{self.when(change.after)}")
        return phrases.capitalise(phrases.say_list(said)) + "."

    # --- phrases

    def people(self, ids: Sequence[str]) -> str:
        """People by their names."""
        return _whole_list([self.verbaliser.name(each) for each in ids])

    def name(self, event: Event) -> str:
        """An event by its name, also one that is not in the calendar yet."""
        if event.id in self.hidden or (
                event.private and self.verbaliser.speaker not in event.concerned()
                and event.id not in self.kb):
            return f"a {HIDDEN_NAME}"
        if event.id in self.kb and self.kb.entity(event.id).name == event.name:
            return self.verbaliser.name(event.id)
        return f"“{event.name}”"

    def when(self, event: Event) -> str:
        """When an event is, as an adverbial."""
        return phrases.say_window(event_window(event), self.today)

    def name_and_time(self, event: Event) -> str:
        """An event by its name and when it is; names told apart by the time have it already."""
        name, when = self.name(event), self.when(event)
        return f"{name.removesuffix(f' ({when})')} {when}"

    def to(self, event: Event) -> str:
        """When an event is moved to."""
        if event.start.date() != event.end.date() or event.all_day:
            return f"so that it is {self.when(event)}"
        on = phrases.say_on(event.start.date(), self.today)
        return (f"to {on.removeprefix('on ')} {phrases.say_hours(event.start, event.end)}")

    def _moves(self, moved: Sequence[tuple[Event, Event]]) -> str:
        """Events with where they are moved to; all dates of a series alike as one."""
        alike = {(old.series, old.start.time(), new.start.time(), new.end.time(),
                  new.start.date() - old.start.date()) for old, new in moved}
        (old, new), *more = moved
        if len(more) > 1 and len(alike) == 1 and self._is_whole_series(
                [each for each, _ in moved]):
            return f"{self._listed([each for each, _ in moved])}, " \
                f"so that each is {phrases.say_hours(new.start, new.end)}" + (
                    "" if new.start.date() == old.start.date() else
                    f", the first {phrases.say_on(new.start.date(), self.today)}")
        return _whole_list([f"{self.name(old)} {self.to(new)}" for old, new in moved])

    def _names(self, pairs: Sequence[tuple[Event, Event]]) -> str:
        """Events by what they are called so far, several also by when they are."""
        if len(pairs) == 1:
            event = pairs[0][0]
            return self.name_and_time(event) if event.series else self.name(event)
        return self._listed([old for old, _ in pairs])

    def _it(self, action: PendingAction) -> str:
        if action.kind is ActionKind.CREATE:
            return "your meeting"
        return self.name(self.kb.events[action.events[0]]) if action.events else "it"

    def _day(self, action: PendingAction) -> str:
        time = action.time
        if time.day is None:
            return ""
        if time.part is not None:
            window = part_window(time.day, time.part, self.kb.timezone)
            return " " + phrases.say_window(window, self.today)
        return " " + phrases.say_on(time.day, self.today)

    def _listed(self, events: Sequence[Event]) -> str:
        if len(events) > 2 and self._is_whole_series(events):
            first, last = (phrases.say_on(each.start.date(), self.today)
                           for each in (events[0], events[-1]))
            name = f"“{events[0].name}”" if events[0].id not in self.hidden else HIDDEN_NAME
            return (f"all {len(events)} coming dates of {name}, the first {first}, the last "
                    f"{last}")
        return _whole_list([self.name_and_time(each) for each in events])

    def _is_whole_series(self, events: Sequence[Event]) -> bool:
        """Whether events are all dates of a series from the first of them on."""
        series, first = events[0].series, min(each.start for each in events)
        coming = {each.id for each in self.kb.events.values()
                  if each.series == series and (each.start >= first
                                                or each.start.date() > self.today)}
        gone = {each.id for each in events}
        return series != "" and (coming == gone or coming.isdisjoint(gone))


def _whole_list(items: Sequence[str]) -> str:
    """All items, however many: what is to be confirmed is not cut short."""
    return phrases.say_list(items) if len(items) <= phrases.LONGEST_LIST else \
        f"{', '.join(items[:-1])} and {items[-1]}"


def _more(one: Event, other: Event) -> tuple[str, ...]:
    """Those who take part in the other event only."""
    return tuple(each for each in other.participants() if each not in one.participants())


def _grouped(pairs: Sequence[tuple[Event, Event]], key: Callable[[Event, Event], _Key],
             ) -> Iterator[tuple[_Key, list[tuple[Event, Event]]]]:
    """Events before and after by what becomes of them; those left out to which nothing does."""
    found: dict[_Key, list[tuple[Event, Event]]] = {}
    for old, new in pairs:
        found.setdefault(key(old, new), []).append((old, new))
    return ((each, those) for each, those in found.items() if each)


def _past(verb: str) -> str:
    return {"move": "moved", "change": "changed"}[verb]


def _alternatives(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
