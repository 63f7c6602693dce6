"""What becomes of events, in words: proposed, done and taken back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

from frontdesk.agent.access.hidden_events import HIDDEN_NAME
from frontdesk.kg.english import phrases
from frontdesk.kg.english.verbalise import Verbaliser, event_window
from frontdesk.kg.graph.changes import EventChange
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction

_Key = TypeVar("_Key")
#: Stands for no place, where nothing is changed about the place.
_NOWHERE = "nowhere"


class ChangeWording:
    """Words changes of events.

    Args:
        verbaliser: Says entities and times.
        hidden: Ids of events of which the user may know no more than when they are.
    """

    def __init__(self, verbaliser: Verbaliser, hidden: Collection[str] = ()) -> None:
        self.verbaliser, self.hidden = verbaliser, hidden
        self.kb, self.today = verbaliser.kb, verbaliser.today

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

    # --- after it was done

    def done(self, action: PendingAction, changes: Sequence[EventChange]) -> str:
        """What has been done."""
        if action.kind is ActionKind.MESSAGE:
            return f"I have left your message for {self.people(action.recipients)}."
        return f"I have {self.change_phrase(changes)}."

    def change_phrase(self, changes: Sequence[EventChange]) -> str:
        """What has been done to events, as a participle."""
        if any(each.before is None for each in changes):
            return f"booked {_whole_list([self.new_event(each.event) for each in changes])}"
        if any(each.after is None for each in changes):
            return f"cancelled {self._listed([each.event for each in changes])}"
        return self.change(changes, done=True)

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
        """When an event is, as an adverbial, with what its hours depend on."""
        return self.verbaliser.window(event_window(event)) + self._condition(event)

    def name_and_time(self, event: Event) -> str:
        """An event by its name and when it is; names told apart by the time have it already."""
        return f"{self.undated(event)} {self.when(event)}"

    def undated(self, event: Event) -> str:
        """An event by its name, without the time by which that is told apart from others."""
        return self.name(event).removesuffix(f" ({self.verbaliser.when(event)})")

    def _condition(self, event: Event) -> str:
        """On what its hours depend, in brackets; empty where they are certain."""
        condition = self.verbaliser.if_zones([event])
        return f" ({condition})" if condition else ""

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

    def _listed(self, events: Sequence[Event]) -> str:
        if len(events) > 2 and self._is_whole_series(events):
            first, last = (phrases.say_on(each.start.date(), self.today)
                           for each in (events[0], events[-1]))
            name = f"“{events[0].name}”" if events[0].id not in self.hidden else HIDDEN_NAME
            return (f"all {len(events)} coming dates of {name}, the first {first}, the last "
                    f"{last}{self._condition(events[0])}")
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
