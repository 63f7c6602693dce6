"""What is left of a calendar from which nobody can tell who or what shares a hidden event."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

#: What a hidden event is called.
HIDDEN_NAME = "private event"


def masked_events(kb: KnowledgeBase, hidden: Collection[str]) -> Iterator[Event]:
    """The events of a calendar, a hidden one as one of its own for everybody whose time it takes.

    What is not in a calendar cannot be told from it, by whatever question: that somebody comes to
    the same event, in which room it is, who holds it. Neither can it from the ids, which are made
    of whose time is taken and when.

    Args:
        hidden: Ids of events of which no more may be told than when they take whose time.
    """
    ids: set[str] = set()
    for event in kb.events.values():
        for each in _apart(event, kb) if event.id in hidden else ():
            while each.id in kb or each.id in ids:  # ids are any text
                each = replace(each, id=f"{each.id}'")
            ids.add(each.id)
            yield each
        if event.id not in hidden:
            yield event


def _apart(event: Event, kb: KnowledgeBase) -> Iterator[Event]:
    """An event for each person and each room whose time a hidden one takes."""
    # A whole day without a room of the house is leave; one with such a room takes nobody away.
    leave = event.all_day and not any(kb.rooms[each].bookable for each in event.rooms)
    bare = Event(f"from {event.start:%Y-%m-%d %H:%M} to {event.end:%Y-%m-%d %H:%M}", HIDDEN_NAME,
                 event.start, event.end, private=True, masked=True,
                 assumed_zone=event.assumed_zone)
    for person in event.participants():
        yield replace(bare, id=f"{person} {bare.id}", attendees=(person,), all_day=leave,
                      attendance=tuple(each for each in event.attendance if each[0] == person))
    for room in event.rooms:
        yield replace(bare, id=f"{room} {bare.id}", location=room, all_day=event.all_day)
