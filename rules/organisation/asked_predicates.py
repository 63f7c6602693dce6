"""Which predicates of an organisation's schema tell what forms ask, and of what type that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from frontdesk.kg.graph.entities import Type
from frontdesk.kg.graph.logical_forms import ENTITY_TYPES, Form, Sort, Span
from frontdesk.kg.graph.mentions import AskedFor
from frontdesk.kg.graph.schema import Schema

_NOW = ("located_now", "in_event_now", "office_now")
_SLOTS = ("person_free_slots", "room_free_slots")
_CONFLICTS = ("conflict", "no_conflicts")
_FREE = ("person_available", "person_busy", "room_available", "room_busy", "available_members",
         "no_members_available", *_SLOTS)
#: By heads of the language, the predicates that tell what they ask, beside one of that name.
_TOLD_BY = {
    "when": ("takes_place", *_SLOTS), "slot": _SLOTS, "starts": ("start_time", "takes_place"),
    "ends": ("end_time", "takes_place"), "lasts": ("duration",),
    "where": ("location", "office", "floor", *_NOW),
    "about": ("location", "organizer", "takes_place", "office", "member_of", "members"),
    "count": ("group_size", "event_size"), "free": _FREE, "busy": _FREE, "present": _NOW,
    **dict.fromkeys(("is_free", "is_busy"), (*_FREE, "available_rooms", "no_rooms_available")),
    "clash": _CONFLICTS, "attends": ("does_not_attend", "attendees"), "floor": ("office_floor",),
    "attendee": _FREE, "venue": ("room_available", "room_busy", "available_rooms")}
#: By the type of a set and a head in its conditions, those that tell what is in it; by the empty
#: head where there is none of the others.
_OF_SET: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "event": {
        "attends": ("person_events", "no_person_events", "shared_events", "no_shared_events"),
        "organizer": ("organises", "organises_nothing"),
        "location": ("room_events", "no_room_events"),
        "held_by": ("group_events", "no_group_events"),
        "next": ("next_event", "no_next_event"), "clashes": _CONFLICTS,
        "": ("events_during", "no_events_during")},
    "person": {
        "attends": ("attendees",), "member_of": ("members",), "office": ("office_of",),
        "clashes": _CONFLICTS,
        "is_free": ("available_members", "no_members_available"),
        "is_busy": ("available_members", "no_members_available")},
    "room": {
        "is_free": ("available_rooms", "no_rooms_available"),
        "is_busy": ("available_rooms", "no_rooms_available"), "floor": ("floor",)},
    "group": {"held_by": ("held_by",), "members": ("member_of",), "member_of": ("member_of",)}}
#: By the query, which of the schema's :attr:`~frontdesk.kg.graph.schema.Schema.answer_types` it
#: asks for; sets of people and rooms ask for who and where.
_WORDS = {"when": "when", "starts": "when", "ends": "when", "where": "where",
          "count": "how much", "lasts": "how much", "person": "who", "group": "who",
          "room": "where"}


def asked_for(forms: Sequence[Form], schema: Schema) -> AskedFor:
    """The predicates that tell what forms ask, and the types of the answers.

    Args:
        schema: Of the organisation, with the predicates of its house rules.
    """
    return AskedFor({name: 1.0 for form in forms for name in _told_by(form, schema)
                     if name in schema}, tuple(_answer_types(forms, schema)),
                    tuple(dict.fromkeys(each for form in forms for each in _restrictions(form))))


def _told_by(form: Form, schema: Schema) -> Iterator[str]:
    if form.head in ENTITY_TYPES:
        if not any(isinstance(each, Span) for each in form.arguments):
            told_by, heads = _OF_SET[form.head], set(_conditions(form))
            yield from heads - told_by.keys()
            yield from (name for head in (heads & told_by.keys() or {""})
                        for name in told_by.get(head, ()))
        return
    inner = form.inner()
    if form.head == "when" and all(each.is_of(Sort.TIME) for each in inner):
        yield from ("today", "time_now")
        return
    yield from (form.head, *_TOLD_BY.get(form.head, ()))
    for each in inner:
        if not each.is_of(Sort.TIME):
            yield from _told_by(each, schema)


def _conditions(form: Form) -> Iterator[str]:
    """The heads of the conditions and orders of a set, those that do not hold among them."""
    for each in form.arguments:
        if isinstance(each, Form) and each.head == "not":
            yield from _conditions(each)
        elif isinstance(each, Form):
            yield each.head


def _restrictions(form: Form) -> Iterator[tuple[int, int]]:
    """Where the names in the conditions of what has a name of its own stand."""
    for each in form.walk():
        if any(isinstance(argument, Span) for argument in each.arguments):
            yield from ((span.start, span.end) for argument in each.inner()
                        if not argument.is_of(Sort.TIME)
                        for span in argument.spans() if span.start < span.end)


def _answer_types(forms: Sequence[Form], schema: Schema) -> Iterator[frozenset[Type]]:
    for form in forms:
        if form.head in schema:
            others = frozenset(schema[form.head].arguments[1:])
            yield from (types for types in schema.answer_types.values() if types & others)
            continue
        first = form.arguments[0] if form.arguments else None
        asked = first.head if form.head == "which" and isinstance(first, Form) else form.head
        if asked in _WORDS:
            yield schema.answer_types[_WORDS[asked]]
