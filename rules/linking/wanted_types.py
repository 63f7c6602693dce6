"""Of which type the entities of a form can be, by its place in what is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.logical_forms import Form, Sort
from frontdesk.kg.graph.schema import Schema

P, G, R, E = EntityType.PERSON, EntityType.GROUP, EntityType.ROOM, EntityType.EVENT
Types = frozenset[EntityType]
ANY: Types = frozenset()
_ONE_OF = {EntityType.PEOPLE: P, EntityType.ROOMS: R, EntityType.EVENTS: E}
_WHO: Types = frozenset({P, G})
#: Who takes part in what: in an event, or in a group; which of both an anaphor means tells which.
_TAKING_PART = frozenset({"attends", "attendees", "member_of", "members"})
#: What heads of every domain take.
_TAKEN: Mapping[str, Types] = {
    **dict.fromkeys(("when", "starts", "ends", "lasts", "at", "before", "after", "straight_after",
                     "until", "from", "change", "cancel", "swap", "accept", "decline", "again"),
                    frozenset({E})),
    **dict.fromkeys(("free", "busy"), frozenset({P, G, R})), "present": frozenset({P}),
    "attendee": _WHO, "host": _WHO, "tell": _WHO, "venue": frozenset({R}),
    "where": frozenset({P, R, E})}


def wanted_types(form: Form, schema: Schema) -> dict[Form, Types]:
    """By each form within a form, the types that its entities can be of.

    Args:
        form: Any form.

    Returns:
        Types; none where anything fits. A form that stands in two places is as in the first.
    """
    found: dict[Form, Types] = {}
    _walk(form, ANY, "", schema, found)
    return found


def _walk(form: Form, wanted: Types, of: str, schema: Schema, found: dict[Form, Types]) -> None:
    """Note a form and those in it; ``of`` is the type of the set that it is a condition of."""
    inner = form.inner()
    if form.head in ("among", "answers", "those", "that"):
        wanted = wanted or _of_conditions(inner, schema)
    found.setdefault(form, wanted)
    own = form.head if form.head in (P, G, R, E) else ""
    for place, each in enumerate(inner):
        if own and each.head == "except":
            taken = frozenset({EntityType(own)})
        elif form.head == "is" and any(each.is_of(Sort.TIME) for each in inner):
            taken = frozenset({E})
        elif form.head in ("or", "and", "among", "each", "except", "not", "is"):
            taken = wanted
        elif form.head in schema:
            taken = _of_predicate(schema[form.head].arguments, place, len(inner), of)
            if form.head in _TAKING_PART and of != E and each.head in ("that", "those") \
                    and taken <= {G, E}:
                taken = frozenset({G, E})
        else:
            taken = _TAKEN.get(form.head, ANY)
        _walk(each, taken, own or (of if form.head in ("not", "among") else ""), schema, found)


def _of_conditions(inner: Sequence[Form], schema: Schema) -> Types:
    """Of what the conditions of a set can hold: only people are members."""
    for each in inner:
        if each.head == "is_present":
            return frozenset({P})
        if each.head in schema:
            return frozenset({_ONE_OF.get(kind, kind) for kind in schema[each.head].arguments[:1]}
                             ) & frozenset({P, G, R, E})
    return ANY


def _of_predicate(arguments: Sequence[EntityType], place: int, number: int, of: str) -> Types:
    """What a predicate takes: one argument beside a set is the other of both."""
    types = [_ONE_OF.get(each, each) for each in arguments[:2]]
    if types[1:] in ([], [EntityType.WINDOW]):
        return frozenset(types[:1])
    if of:
        return frozenset(each for each in types if each != of) or frozenset(types)
    if number == 1:  # the floor of an event is that of its room
        return frozenset({types[0]}) | {R: frozenset({P, E}), E: frozenset({P})}.get(
            types[0], frozenset(types[1:]) & {E})
    first = frozenset({types[0]}) | (_WHO if types == [P, E] else
                                     frozenset({P}) if types == [E, R] else ANY)
    return first if place == 0 else frozenset({types[1]})
