"""What a user leaves to the receptionist: a time, a room, members of a group."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from enum import StrEnum

from frontdesk.agent.acting.plan import STEP, Plan, Planner
from frontdesk.kg.graph.changes import EventChange, new_conflicts
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.pending_action import ActionKind, GroupWish, PendingAction, Slot
from frontdesk.kg.times.other_times import OtherTime
from frontdesk.kg.times.time_readings import TimeReading


class Lack(StrEnum):
    """What cannot be found."""

    MEMBERS = "members"     # enough people of a group who are free
    GROUP = "group"         # anybody in a group
    ROOM = "room"           # a room that is free at the time
    TIME = "time"           # a time at which everybody, and a room if one is wanted, is free


@dataclass(frozen=True)
class Chosen:
    """An action with what was left open chosen.

    Args:
        action: The action.
        lack: What could not be chosen; None when all could be.
        group: Id of the group that ``lack`` is about.
        start: For a lack of a room: a start at which one is free; None when there is none.
    """

    action: PendingAction
    lack: Lack | None = None
    group: str = ""
    start: dt.datetime | None = None


class Chooser:
    """Chooses what is left open, so that it conflicts with nothing.

    Args:
        kb: The organisation.
        planner: Works out what an action would make of the calendar.
        seen: The organisation as the user may know it: who is in a group is taken from it.
    """

    def __init__(self, kb: KnowledgeBase, planner: Planner, seen: KnowledgeBase) -> None:
        self.kb, self.planner, self.seen = kb, planner, seen

    def chosen(self, action: PendingAction) -> Chosen:
        """The action with everything chosen that can be chosen now."""
        if action.occurrences == "all":
            action = replace(action, events=self._series(action))
        found = self._whole_groups(action)
        for choose in (self._some_time, self._members, self._some_room):
            if found.lack is not None:
                return found
            found = choose(found.action)
        return found

    def other_start(self, action: PendingAction, offered: dt.datetime, other: OtherTime
                    ) -> dt.datetime | None:
        """A start at which everything is free, in place of the one that was offered.

        Args:
            action: What it is for; on its day, unless another one is wanted.
            offered: What is turned down.
            other: What is wanted instead.

        Returns:
            The one that is nearest to what was offered; on another day the one that is nearest to
            its time of day, on the first that has any; None when there is none.
        """
        time = action.time
        if other is OtherTime.ANOTHER_DAY:
            time = replace(time, day=None, until_day=None)
        open_time = replace(action, time=time)
        starts = [slot.start for slot in self.planner.slots(open_time)
                  if slot.start is not None and self._has_room(open_time, slot)]
        if other is OtherTime.EARLIER:
            return max((each for each in starts if each < offered), default=None)
        if other is OtherTime.ANOTHER_DAY:
            day = min((each.date() for each in starts if each.date() > offered.date()),
                      default=None)
            return min((each for each in starts if each.date() == day), default=None, key=lambda
                       each: abs(each - offered.replace(year=each.year, month=each.month,
                                                        day=each.day)))
        return min((each for each in starts if each > offered), default=None)

    def free_part(self, action: PendingAction) -> PendingAction | None:
        """The user's own time from one hour to another, as much of it at a stretch as is free.

        Args:
            action: What would keep it, of which only other events of the user are in the way.

        Returns:
            None where it is not the user's own time, or nothing of it is free.
        """
        time, times = action.time, self.planner.times(action.time)
        if action.kind is not ActionKind.CREATE or times is None or time.end is None \
                or time.minutes or action.people or action.room or action.wants_room:
            return None
        free_from, end = times
        stretches = []
        taken = sorted((each.start, each.end) for each in self.kb.events_of(action.by)
                       if each.start < end and each.end > free_from)
        for begins, ends in (*taken, (end, end)):
            stretches.append((begins - free_from, free_from, begins))
            free_from = max(free_from, ends)
        length, start, end = max(stretches, key=lambda each: each[0])
        if length < STEP or start.date() != end.date() or (start, end) == times:
            return None
        return replace(action, time=replace(time, day=start.date(), start=start.time(),
                                            end=end.time(), part=None))

    def _whole_groups(self, action: PendingAction) -> Chosen:
        for wish in [each for each in action.wishes if each.number == 0]:
            members = [each.id for each in self.seen.members(wish.group)
                       if each.id != action.by and each.id not in action.removed]
            if not members:
                return Chosen(action, Lack.GROUP, wish.group)
            action = self._with_people(action, wish, members)
        return Chosen(action)

    def _some_time(self, action: PendingAction) -> Chosen:
        """The action at the first time that suits, where the user leaves that open."""
        if self._leaves_time_open(action):
            timed = self._with_time(action)
            return Chosen(timed, Lack.TIME if timed == action else None)
        if action.kind is ActionKind.CHANGE and len(action.events) > 1 \
                and self.planner.moves(action):
            return Chosen(self._with_own_starts(action))
        return Chosen(action)

    @staticmethod
    def _leaves_time_open(action: PendingAction) -> bool:
        time = action.time
        if time.start is not None or not (time.part or Slot.START in action.left_open):
            return False
        if action.kind is ActionKind.CREATE:
            return time.end is None
        return action.kind is ActionKind.CHANGE and len(action.events) == 1 \
            and time.shift is None

    def _has_time(self, action: PendingAction) -> bool:
        return self.planner.plan(action).start is not None or action.kind is ActionKind.CHANGE

    def _members(self, action: PendingAction) -> Chosen:
        """The action with so many members of groups as are wanted, of those who are free."""
        for wish in action.wishes if self._has_time(action) else ():
            there = 0 if wish.further else sum(
                self.seen.people[each].group == wish.group for each in action.people)
            missing = max(0, wish.number - there)
            free = self._free_members(action, wish)
            if len(free) < missing:
                return Chosen(action, Lack.MEMBERS, wish.group)
            action = self._with_people(action, wish, free[:missing])
        return Chosen(action)

    def _some_room(self, action: PendingAction) -> Chosen:
        if not action.wants_room or not self._has_time(action):
            return Chosen(action)
        if action.room and self._is_free(action.room, action):
            return Chosen(action)  # the one that was chosen before
        room = self.free_room(replace(action, room=""))
        if room:
            return Chosen(replace(action, room=room))
        action = replace(action, room="")
        slot = next((each for each in self.planner.slots(action)
                     if self._has_room(action, each)), None)
        return Chosen(action, Lack.ROOM, start=slot.start if slot else None)

    def free_room(self, action: PendingAction) -> str:
        """Id of a meeting room in which an action would conflict with nothing; empty if none."""
        return next((room.id for room in self.kb.bookable_rooms()
                     if room.id not in action.avoided and self._is_free(room.id, action)), "")

    def _is_free(self, room: str, action: PendingAction) -> bool:
        """Whether an action would conflict with nothing in a room."""
        changes = self.planner.plan(replace(action, room=room)).changes
        return bool(changes) and not any(each.subject == room
                                         for each in new_conflicts(self.kb, changes))

    def _with_time(self, action: PendingAction) -> PendingAction:
        slot = next((each for each in self.planner.slots(action) if self._has_room(action, each)),
                    None)
        if slot is None or slot.start is None:
            return action
        return replace(action, time=replace(
            TimeReading(), day=slot.start.date(), start=slot.start.time(),
            minutes=action.time.minutes))

    def _with_own_starts(self, action: PendingAction) -> PendingAction:
        """Several events moved at once, each that would collide at the nearest free time."""
        made: list[EventChange] = []
        starts: dict[str, str] = {}
        for change in self.planner.plan(replace(action, starts=())).changes:
            if change.after is not None and new_conflicts(self.kb, [*made, change]):
                alone = replace(action, events=(change.event.id,), starts=(), time=replace(
                    TimeReading(), day=change.after.start.date(), start=change.after.start.time(),
                    minutes=int((change.after.end - change.after.start).total_seconds()) // 60))
                slot = next((each for each in self.planner.slots(alone)
                             if not new_conflicts(self.kb, [*made, *each.changes])), None)
                if slot is not None and slot.start is not None:
                    starts[change.event.id] = slot.start.isoformat()
                    made += slot.changes
                    continue
            made.append(change)
        return replace(action, starts=tuple(starts.items()))

    def _has_room(self, action: PendingAction, plan: Plan) -> bool:
        if not action.wants_room:
            return True
        change = plan.changes[0]
        return any(change.after is not None and not new_conflicts(self.kb, [EventChange(
            change.before, replace(change.after, location=room.id, also_in=()))])
            for room in self.kb.bookable_rooms() if room.id not in action.avoided)

    def _free_members(self, action: PendingAction, wish: GroupWish) -> list[str]:
        """Members who could come, by name."""
        found = []
        for person in self.seen.members(wish.group):
            if person.id == action.by or person.id in (*action.people, *action.removed):
                continue
            changes = self.planner.plan(replace(
                action, people=(*action.people, person.id))).changes
            if changes and not any(each.subject == person.id
                                   for each in new_conflicts(self.kb, changes)):
                found.append(person.id)
        return found

    @staticmethod
    def _with_people(action: PendingAction, wish: GroupWish,
                     people: list[str]) -> PendingAction:
        return replace(
            action, people=tuple(dict.fromkeys((*action.people, *people))),
            wishes=tuple(each for each in action.wishes if each != wish))

    def _series(self, action: PendingAction) -> tuple[str, ...]:
        """All coming occurrences of the series of the events of an action."""
        series = {self.kb.events[each].series for each in action.events
                  if each in self.kb.events} - {""}
        found = [event.id for event in self.kb.events.values()
                 if event.series in series and event.start > self.planner.now]
        return tuple(dict.fromkeys((*found, *(each for each in action.events if each in
                                              self.kb.events and not self.kb.events[each].series))))
