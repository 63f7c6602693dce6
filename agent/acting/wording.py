"""What the receptionist says about an action: questions, offers and refusals.

The words follow the state of the action and of the calendar alone, so that they claim nothing else.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import replace

from frontdesk.agent.acting.change_wording import ChangeWording
from frontdesk.agent.acting.choices import Chosen, Lack
from frontdesk.agent.understanding.request import UnclearName
from frontdesk.kg.english import phrases
from frontdesk.kg.english.verbalise import event_window
from frontdesk.kg.graph.changes import Conflict, EventChange
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction, Slot, offered_start
from frontdesk.kg.graph.windows import day_window, part_window
from frontdesk.kg.times.other_times import OtherTime
from frontdesk.kg.times.time_readings import TimeReading

#: What a user is told to say to go on with what was left aside.
GO_ON = "go on"
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


class Wording(ChangeWording):
    """Words replies about actions."""

    # --- questions

    def ask(self, slot: str, action: PendingAction) -> str:
        """The question for what is missing."""
        if slot == Slot.START and action.kind is ActionKind.CHANGE:
            return f"When would you like {self._it(action)} to be?"
        if slot == Slot.START:
            return f"At what time would you like {self._it(action)} to be{self._day(action.time)}?"
        question = _QUESTIONS[Slot(slot)]
        if "{" not in question:
            return question
        event = self.kb.events[action.events[0]]
        return phrases.capitalise(question.format(
            event=self.name(event), when=f"the one {self.when(event)}"))

    def ask_stranger(self, name: str, question: str) -> str:
        """That nobody has the name that the speaker gave, and what can be done, with a question."""
        return (f"I don't know anyone called “{name}”. I can only book for people of "
                f"{self.kb.name}, or leave a message for somebody. {question}")

    def unsure(self, kinds: Sequence[ActionKind], events: Sequence[str]) -> str:
        """The question what is to be done, of several things that may be meant."""
        name = self.name(self.kb.events[events[0]]) if events else "a meeting"
        actions = {ActionKind.CREATE: "book something new", ActionKind.CHANGE: f"change {name}",
                   ActionKind.CANCEL: f"cancel {name}", ActionKind.MESSAGE: "pass on a message"}
        choice = _alternatives([actions[each] for each in kinds])
        return f"I am not sure what to do. Should I {choice}?"

    def which_event(self, events: Sequence[str], *, both: bool = False) -> str:
        """The question which of several events is meant, or which two."""
        said = [self.name_and_time(self.kb.events[each]) for each in events]
        return f"Which two do you mean: {_alternatives(said)}?" if both else \
            f"Which one do you mean: {_alternatives([*said, 'all of them'])}?"

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
        if name.unwanted and not name.said:
            return f"Who is not to come: {_alternatives(options)}?"
        if name.known or not name.said:
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

    def not_taken(self, left_out: Sequence[str]) -> str:
        """That nothing is made of some words, or of something that has none."""
        words = [f"“{each}”" for each in dict.fromkeys(left_out) if each]
        if not words:
            return "I did not take into account all that you said."
        return f"I did not take {phrases.say_list(words)} into account" + (
            ", nor all else that you said." if "" in left_out else ".")

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

    def lacking(self, chosen: Chosen, days: int) -> str:
        """What cannot be found within so many days, and what could be done instead."""
        group = self.verbaliser.name(chosen.group) if chosen.group else ""
        if chosen.lack is Lack.GROUP:
            return f"I know of nobody else in {group}. Whom would you like to invite?"
        if chosen.lack is Lack.MEMBERS:
            return f"Not enough people of {group} are free then. Whom would you like to invite?"
        if chosen.lack is Lack.TIME:
            who = "everybody and a meeting room are" if chosen.action.wants_room \
                else "everybody is"
            searched = self._searched(chosen.action.time, days)
            return (f"I'm sorry, I found no time{searched} at which {who} free. "
                    "Which other day would suit you?")
        if chosen.start is None:
            searched = self._searched(chosen.action.time, days)
            return (f"I'm sorry, no meeting room is free then, nor at another time{searched} that "
                    "suits. Which other day would suit you?")
        return "No meeting room is free then."

    def told(self, people: Sequence[str], others: Collection[str] | None) -> str:
        """Who will be told of a change.

        Args:
            people: Ids of those.
            others: Ids of all who take part, the user aside; None where that is not known yet.
        """
        if others is None or people:
            return f"{phrases.capitalise(self.people(people)) or 'Who takes part'} will be told."
        return "Nobody else will be told." if others else "Nobody else takes part."

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

    # --- what is in the way

    def booked_already(self, event: Event) -> str:
        """That an event is in the calendar as it is wanted."""
        return f"That is booked already: {self.new_event(event)}."

    def in_the_way(self, obstacles: Sequence[Conflict]) -> str:
        """Who and what is not free, and for which events; of each that of the first."""
        first = {each.subject: each.other for each in reversed(obstacles)}
        subjects: dict[str, list[str]] = {}
        for each in dict.fromkeys(each.subject for each in obstacles):
            subjects.setdefault(first[each].id, []).append(each)
        reasons = []
        for those in subjects.values():
            other = first[those[0]]
            plural = len(those) > 1 or those[0] == self.verbaliser.speaker
            reasons.append(f"{self.people(those)} {'are' if plural else 'is'} not free: "
                           f"{self.undated(other)} is {self.when(other)}")
        return phrases.capitalise("; ".join(reasons)) + "."

    def free(self, found: dt.datetime | str, changes: Sequence[EventChange]) -> str:
        """That everything is free at a time, or that a room is, as far as that is certain.

        Args:
            found: The time, or the id of the room.
            changes: What would be made of it.
        """
        after = [each.after for each in changes if each.after is not None]
        if isinstance(found, str):
            said = f"{self.verbaliser.name(found)} is free"
            said += f" {phrases.say_hours(after[0].start, after[0].end)}" if after else ""
        else:
            # Of who speaks nothing is known until they have told their name.
            free = "everything" if any(each.organizer for each in after) else phrases.say_list(
                [self.verbaliser.name(each) for event in after
                 for each in (*event.attendees, *event.rooms)]) or "everything"
            said = (f"at {phrases.say_time(found)} {phrases.say_on(found.date(), self.today)} "
                    f"{free} would be free")
        changed = {each.id for each in after}
        condition = self.verbaliser.if_zones((
            other for event in after for other in self.verbaliser.uncertain_in(
                [event_window(event)], (found,) if isinstance(found, str)
                else (*event.participants(), *event.rooms))
            if other.id not in changed), said)
        return f"{phrases.capitalise(', '.join(filter(None, (said, condition))))}."

    def no_other(self, other: OtherTime, time: TimeReading, days: int) -> str:
        """That nothing is free at another time than the one that was offered.

        Args:
            other: Which was looked for.
            time: Within what.
            days: So many it was looked for where another day was wanted.
        """
        words = {OtherTime.LATER: "later time that day", OtherTime.EARLIER: "earlier time that day",
                 OtherTime.ANOTHER_DAY: f"other day within {days} days",
                 OtherTime.ANOTHER_TIME: "other time that day"}
        hours = phrases.capitalise(self._hours(time))
        return f"{hours} I find no {words[other]} at which everything is free."

    def no_other_instead(self, time: TimeReading, days: int) -> str:
        """That nothing is free at another time than the one that is taken."""
        return f"I found no other time{self._searched(time, days)} that suits everybody."

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
        actions = {ActionKind.CREATE: "book nothing", ActionKind.MESSAGE: "pass nothing on"}
        return f"All right, I {actions.get(kind, 'leave it as it is')}."

    def aside(self, action: PendingAction) -> str:
        """That something is left until the user goes on with it."""
        new = action.kind in (ActionKind.CREATE, ActionKind.MESSAGE)
        return f"I leave {self._it(action)} {'aside' if new else 'as it is'} for now. " \
            f"Say “{GO_ON}” if I should go on with it."

    def way_back(self, action: PendingAction) -> str:
        """How the user goes on with what was left aside."""
        named = f"{self._it(action)} “{action.title}”" \
            if action.kind is ActionKind.CREATE and action.title else self._it(action)
        if action.kind in (ActionKind.CANCEL, ActionKind.CHANGE) and not action.events:
            named = f"the {'cancellation' if action.kind is ActionKind.CANCEL else 'change'} " \
                "that you began"
        return f"Say “{GO_ON}” if I should go on with {named}."

    def later(self, action: PendingAction) -> str:
        """What new event comes after the one that is being arranged."""
        time, named = action.time, f"“{action.title}”"
        if not action.title:
            named = "the meeting" + (f" with {self.people(action.people)}" if action.people else "")
            named += f" at {phrases.say_time(time.start)}" if time.start else self._day(time)
        return f"I come to {named} next."

    def _it(self, action: PendingAction) -> str:
        if action.kind in (ActionKind.CREATE, ActionKind.MESSAGE):
            return "your message" if action.kind is ActionKind.MESSAGE else "your meeting"
        there = [self.kb.events[each] for each in action.events if each in self.kb.events]
        return self.name(there[0]) if there else "it"

    def _day(self, time: TimeReading) -> str:
        """The day, or the days, of a time, with a blank before."""
        if time.day is None:
            return ""
        zone = self.kb.timezone
        if time.part is not None and time.until_day in (None, time.day):
            window = part_window(time.day, time.part, zone)
        else:
            last = day_window(time.until_day or time.day, zone)
            window = replace(last, start=day_window(time.day, zone).start)
        return " " + phrases.say_window(window, self.today)

    def _searched(self, time: TimeReading, days: int) -> str:
        """On which days and at what hours a time was looked for, with a blank before.

        Args:
            time: Within which.
            days: So many it was looked for where it says no day.
        """
        return (self._day(time) or f" in the next {days} days") + (
            "" if time.part and time.day and not time.until_day else f" {self._hours(time)}")

    @staticmethod
    def _hours(time: TimeReading) -> str:
        said = [f"in the {time.part}" if time.part else "",
                f"from {phrases.say_time(time.earliest)}" if time.earliest else "",
                f"until {phrases.say_time(time.latest)}" if time.latest
                else "on" if time.earliest else ""]
        return " ".join(filter(None, said)) or "in office hours"


def _alternatives(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
