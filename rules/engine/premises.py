"""What a derived fact names as its rule and as the stored facts it rests on, readable."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.kg.graph.facts import Argument
from frontdesk.kg.graph.knowledge_base import KnowledgeBase


def rule_name(predicate: str) -> str:
    """``commonsense.pl:person_busy`` and the like."""
    program = "conflicts.pl" if "conflict" in predicate else "commonsense.pl"
    return f"{program}:{predicate}"


def premises(kb: KnowledgeBase, arguments: Sequence[Argument]) -> tuple[str, ...]:
    """The stored facts about a derived fact's events that its rule rests on, readable."""
    found = []
    listed = [item for argument in arguments
              for item in (argument if isinstance(argument, tuple) else (argument,))]
    people = [item for item in listed if isinstance(item, str) and item in kb.people]
    for item in listed:
        if not isinstance(item, str) or item not in kb.events:
            continue
        event = kb.events[item]
        found.append(f"start({event.name}, {event.start:%Y-%m-%d %H:%M})")
        found.append(f"end({event.name}, {event.end:%Y-%m-%d %H:%M})")
        if event.location:
            found.append(f"location({event.name}, {kb.rooms[event.location].name})")
        for person in people:
            role = ("attendee" if person in event.attendees
                    else "organizer" if person == event.organizer else "")
            if role:
                found.append(f"{role}({event.name}, {kb.people[person].name})")
    return tuple(dict.fromkeys(found))
