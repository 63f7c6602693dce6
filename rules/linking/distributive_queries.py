"""Queries of several people taken one by one: "their next meeting" need be none of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from frontdesk.kg.graph.entities import Person
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.logical_forms import Form, Sort, Span
from frontdesk.rules.engine.query_answer import Resolution

#: Of so many people at most it is asked one by one.
_MOST = 6


def distributive(query: Form, resolution: Resolution, kb: KnowledgeGraph
               ) -> tuple[Form, Resolution] | None:
    """A query for what comes first, or next, of any of the people that it speaks of together.

    Args:
        query: ``(which (event (attends (those)) (next)))``.

    Returns:
        The query with the people in the place of the reference, and what it means; None for others,
        and where two of the people have one name.
    """
    named: dict[Form, list[tuple[str, float]]] = {}
    places: dict[Form, Form] = {}
    for part in query.walk():
        if part.head != "event" or not any(each.is_of(Sort.ORDER) for each in part.inner()):
            continue
        for condition in part.arguments:
            several = condition.arguments[0] if isinstance(condition, Form) \
                and condition.head == "attends" and condition.arguments else None
            if not isinstance(several, Form) or several not in resolution.plural:
                continue
            people = [kb.entity(each) for each, _ in resolution.entities[several]]
            forms = {Form("person", (Span(each.name),)): each.id for each in people
                     if isinstance(each, Person)}
            if 1 < len(people) <= _MOST and len(forms) == len(people):
                named |= {form: [(person, 1.0)] for form, person in forms.items()}
                places[several] = Form("or", tuple(forms))
    if not places:
        return None
    return _put(query, places), replace(resolution, entities={**resolution.entities, **named})


def _put(form: Form, places: Mapping[Form, Form]) -> Form:
    return places.get(form) or Form(form.head, tuple(
        _put(each, places) if isinstance(each, Form) else each for each in form.arguments))
