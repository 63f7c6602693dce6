"""Queries with the predicates that fit what their references mean.

A parser has no graph: of "who is in it" it cannot tell whether it asks who attends an event, who is
a member of a group or who is in a room.
"""

from __future__ import annotations

from frontdesk.kg.graph.entities import EntityType, Event
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.logical_forms import Form, Sort
from frontdesk.rules.engine.query_answer import Resolution
from frontdesk.rules.linking.form_resolution import words_alone

_PERSON, _GROUP, _ROOM, _EVENT = (EntityType.PERSON, EntityType.GROUP, EntityType.ROOM,
                                  EntityType.EVENT)
#: The last of some.
_LAST = Form("nth", (-1,))
#: By predicate that says who belongs to what, and the type of that, the one that fits.
_FITTING = {**{(head, _GROUP): "member_of" for head in ("attends", "attendees")},
            **{(head, _ROOM): "location" for head in ("attends", "attendees", "member_of",
                                                      "members")},
            **{(head, _EVENT): "attends" for head in ("member_of", "members", "location")}}
#: The same for what is asked of one entity alone: its list of people.
_LISTS = {("attendees", _GROUP): "members", ("members", _EVENT): "attendees"}


def with_fitting_heads(form: Form, resolution: Resolution, kb: KnowledgeGraph, of: str = ""
                       ) -> Form:
    """A query, its predicates those for the types of what it most probably speaks of.

    Args:
        of: The type of the set that it is a condition of.
    """
    own = form.head if form.head in ("person", "group", "room", "event") else \
        of if form.head in ("not", "among", "holds", "untrue", "both") else ""
    arguments = tuple(with_fitting_heads(each, resolution, kb, own) if isinstance(each, Form)
                      else each for each in form.arguments)
    head = form.head
    entities = [each for each in form.inner() if not each.is_of(Sort.TIME)]
    if form.head in ("starts", "ends") and len(entities) == 1:
        return _beginning_or_end(form.head, entities[0], _meaning(entities[0], resolution), kb)
    if of in ("", "person") and entities:
        entity = _meaning(entities[-1], resolution)
        table = _FITTING if of or len(entities) > 1 else _LISTS
        meant = kb.entity(entity) if entity in kb else None
        if meant is not None and (of or head != "location"
                                  or _type(_meaning(entities[0], resolution), kb) is _PERSON):
            head = table.get((head, meant.type), head)
        if of and head == "organises" and isinstance(meant, Event) and not meant.organizer:
            head = "attends"  # who does what nobody organises takes part in it
    elif of == "event" and head == "location" and entities and _type(
            _meaning(entities[0], resolution), kb) is _EVENT:
        arguments = tuple(Form("room", (Form("location", (each,)),)) if each is entities[0]
                          else each for each in form.arguments)  # where that event is
    return Form(head, arguments)


def _beginning_or_end(head: str, of: Form, entity: str, kb: KnowledgeGraph) -> Form:
    """When a person is in again, or what is in a room at the time spoken of begins or ends."""
    kind = _type(entity, kb) or _EVENT
    if kind is _PERSON and head == "ends":
        return Form("when", (Form("present", (of,)),))
    if head == "ends" and of.head == "event" and _LAST in of.arguments:  # the last to end
        return Form(head, (Form(of.head, tuple(
            Form("latest_end") if each == _LAST else each for each in of.arguments)),))
    if kind is _ROOM:
        return Form(head, (Form("event", (Form("location", (of,)), Form("then"))),))
    return Form(head, (of,))


def until_taken(form: Form) -> Form | None:
    """Until when a room is free, for a query when what is in it ends: nothing may be in it. None
    for other queries."""
    held = form.arguments[0] if form.head == "ends" else None
    if not isinstance(held, Form) or held.head != "event" or len(held.arguments) != 2 \
            or held.arguments[1] != Form("then"):
        return None
    place = held.inner()[0]
    return Form("when", (Form("free", place.arguments),)) if place.head == "location" else None


def _type(entity: str, kb: KnowledgeGraph) -> EntityType | None:
    return kb.entity(entity).type if entity in kb else None


def _meaning(form: Form, resolution: Resolution) -> str:
    """What a reference most probably means; empty for what is none."""
    if form.head == "each" and form.arguments:
        return _meaning(form.inner()[0], resolution)
    for key in (form, words_alone(form)):
        if resolution.entities.get(key):
            return resolution.entities[key][0][0]
    return ""
