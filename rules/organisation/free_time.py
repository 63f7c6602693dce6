"""Who and what is free: people, rooms, the members of a group, and when on a day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import replace

from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.organisation.calendar_slice import MOST_LISTED, CalendarSlice, Chosen
from frontdesk.rules.organisation.turn_facts import DAYS, Query, TurnFacts


class FreeTime(TurnFacts):
    """Facts about who and what is free."""

    def _availability(self, kind: str, entity: str, window: Window) -> None:
        """Free, not free, or free at times within what is left of a window."""
        rest = self._rest(window)
        facts = self._busy_slice(kind, (entity,), rest, all_of_it=self._has_slots(window))
        certainty = self._derived_if(facts, f"{kind}_available", (entity, rest),
                                     (entity, window))
        if certainty == 1.0:
            return
        free = self._free_slots(facts, kind, entity, window)
        if certainty == 0.0 and not free:
            self._list(f"{kind}_busy", f"{kind}_busy", (entity, window), (entity, rest),
                       self._listing(kind, entity, rest))

    def _busy_slice(self, kind: str, entities: Sequence[str], window: Window, *, all_of_it: bool
                    ) -> CalendarSlice:
        """The facts by which some people or rooms are free or not in a window."""
        facts = self._slice(entities if kind == "person" else ())
        facts.add_window(window)
        if kind == "room":
            for room in entities:
                facts.add("room", room)
        facts.add_events(event for entity in entities for event in self.choose.taking_up(
            entity, window, all_of_it=all_of_it))
        return facts

    def _has_slots(self, window: Window) -> bool:
        return window.kind in DAYS and within_a_day(window)

    def _free_slots(self, facts: CalendarSlice, kind: str, entity: str, window: Window,
                    link: str = "") -> bool:
        """The free stretches of what is left of a window, a day's within office hours."""
        slots = self._slots(facts, entity, window)
        certain = tuple(slot for slot, (certainty, _) in slots.items() if certainty == 1.0)
        said = [(certain, *slots[certain[0]])] if certain else []
        said += [((slot,), *found) for slot, found in slots.items() if found[0] < 1.0]
        for each, certainty, proof in said:
            self._derived(f"{kind}_free_slots", (entity, window, each), rule=proof.predicate,
                          link=link, certainty=certainty, proof=proof)
        return bool(said)

    def _slots(self, facts: CalendarSlice, entity: str, window: Window
               ) -> dict[Window, tuple[float, Query]]:
        """When somebody or something is free, by start: how certainly, and what proves it."""
        if not self._has_slots(window):
            return {}
        rest = self._rest(window)
        solutions = facts.ask("free_slot", entity, rest, None, None)
        found = sorted((int(start), int(end)) for solution in solutions
                       for start, end in [solution.values])
        slots = {slot: (1.0, Query(facts, "free_slot", (entity, rest, start, end)))
                 for start, end in found
                 for slot in self._hours(Window(self._time(start), self._time(end)), window)}
        if all(solution.probability == 1.0 for solution in solutions):
            return slots
        # Whether a slot ends where it does depends on events that are not certain. That somebody
        # is free throughout it is more probable than that it is a whole slot.
        for slot in slots:
            facts.add_window(slot)
        free = {slot: (solution.probability, Query(facts, "free_throughout", (entity, slot)))
                for slot in slots for solution in facts.ask("free_throughout", entity, slot)}
        sure = [slot for slot, (certainty, _) in free.items() if certainty == 1.0]
        return {slot: each for slot, each in free.items()
                if not any(other != slot and other.start <= slot.start and slot.end <= other.end
                           for other in sure)}

    def _hours(self, stretch: Window, window: Window) -> list[Window]:
        return _office_hours(stretch) if window.kind is WindowKind.DAY else [stretch]

    def _listing(self, kind: str, owner: str, window: Window,
                 most: int = MOST_LISTED) -> tuple[CalendarSlice, Chosen]:
        """The first events of a person, room or group in a window."""
        chosen = self.choose.listed(owner, window, most)
        facts = self._slice((owner,) if kind == "person" else ())
        facts.add_window(window)
        if kind != "person":
            facts.add(kind, owner)
        facts.add_events(chosen.events)
        return facts, chosen

    def _free_of(self, facts: CalendarSlice, predicate: str,
                 query: tuple[str | Window | None, ...]) -> list[tuple[tuple[str, ...], float]]:
        """Who is free for certain, all in one, and each of the others, with its probability."""
        found = self._ids(facts.ask(predicate, *query))
        certain = self._by_name(each for each, certainty in found if certainty == 1.0)
        others = [((each,), certainty) for each, certainty in found if certainty < 1.0]
        return ([(certain, 1.0)] if certain else []) + others

    def _free_at_times(self, kind: str, entities: Iterable[str], window: Window,
                       link: str = "") -> bool:
        """Whether some are free for a part of a window that none is free throughout."""
        if not self._has_slots(window):
            return False
        some = False
        for entity in self._by_name(entities):
            facts = self._busy_slice(kind, (entity,), self._rest(window), all_of_it=True)
            if entity not in self.goal.entities:
                some |= self._free_slots(facts, kind, entity, window, link)
            else:
                some = some or bool(self._slots(facts, entity, window))
        return some

    def _available_members(self, group: str, window: Window) -> None:
        members = [person.id for person in self.kb.members(group)]
        rest = self._rest(window)
        facts = self._group_slice(
            self._busy_slice("person", members, rest, all_of_it=False), group)
        free = self._free_of(facts, "available_member", (group, rest, None))
        for people, certainty in free:
            self._derived("available_members", (people[:MOST_LISTED], group, window),
                          rule="available_member", certainty=certainty,
                          omitted=len(people[MOST_LISTED:]),
                          proof=Query(facts, "available_member", (group, rest, people[0])))
        if any(certainty == 1.0 for _, certainty in free):
            return
        if not self._free_at_times("person", members, window, link=group) and is_settled(window):
            self._derived_if(facts, "no_available_member", (group, rest), (group, window),
                             fact="no_members_available")

    def _group_slice(self, facts: CalendarSlice, group: str) -> CalendarSlice:
        facts.add("group", group)
        for member in self.kb.members(group):
            facts.add("member_of", member.id, group)
        return facts

    def _available_rooms(self, window: Window) -> None:
        rooms = [room.id for room in self.kb.bookable_rooms()]
        rest = self._rest(window)
        facts = self._busy_slice("room", rooms, rest, all_of_it=False)
        for room in rooms:
            facts.add("bookable", room)
        free = self._free_of(facts, "available_room", (rest, None))
        for found, certainty in free:
            self._derived("available_rooms", (found[:MOST_LISTED], window),
                          rule="available_room", certainty=certainty,
                          omitted=len(found[MOST_LISTED:]),
                          proof=Query(facts, "available_room", (rest, found[0])))
        if not free and rooms and not self._free_at_times("room", rooms, window) \
                and is_settled(window):
            self._derived_if(facts, "no_available_room", (rest,), (window,),
                             fact="no_rooms_available")


def within_a_day(window: Window) -> bool:
    """Whether a window ends on the day on which it starts.

    Free slots are said without a day, so they are given within one only.
    """
    return (window.end - dt.timedelta(microseconds=1)).date() == window.date


def is_settled(window: Window) -> bool:
    """Whether nobody being free throughout and at times means that nobody is free."""
    return window.kind not in DAYS or within_a_day(window)


def _office_hours(slot: Window) -> list[Window]:
    """A free slot of a day, cut to the hours in which people meet (8 to 18)."""
    day = slot.start.replace(hour=0, minute=0)
    start = max(slot.start, day.replace(hour=8))
    end = min(slot.end, day.replace(hour=18))
    return [replace(slot, start=start, end=end)] if start < end else []
