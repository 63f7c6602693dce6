"""Those of a name told apart: by their group, by who takes part in them, or by being the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from frontdesk.kg.graph.entities import Entity, Event
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.linking.dialogue_context import DialogueContext

Meant = Sequence[tuple[str, float]]
#: Conditions by which those of a name are told apart: of people, and of events.
_GROUP, _HOLDS = "member_of", frozenset({"organises", "organizer"})
_PEOPLE = _HOLDS | {"attends"}
#: A meaning of what is said beside a name counts from this probability on.
_TAKEN = 0.3


def told_apart(form: Form, entities: Mapping[Form, Meant], plural: Collection[Form],
               context: DialogueContext, kb: KnowledgeGraph,
               windows: Mapping[Form, Sequence[tuple[Window, float]]]
               ) -> list[tuple[str, float]] | None:
    """What a form means that says a group or who takes part, or leaves somebody out.

    Args:
        form: Of a type: ``(person "Ada" (member_of …))``, ``(event "demo" (attends (me)))``,
            ``(person (except (that)))``.
        entities: What this form and those in it mean without that.
        plural: Forms that mean all of their entities.
        context: What was answered before, and among which it was asked which one is meant.

    Returns:
        Ids, as probable together as before; None where nothing is told. Where a time fits none of
        those that the rest fits, it is not told apart by that.
    """
    conditions = [each for each in form.inner()
                  if each.head in (_GROUP, "except", *_PEOPLE) or each in windows]
    named = any(isinstance(each, Span) for each in form.arguments)
    if not conditions or not (named or form in entities or _is_the_other(form)):
        return None

    def fits(entity: str) -> bool:
        return all(_fits(entity, each, entities, plural, kb) for each in conditions
                   if each not in windows)

    def is_then(entity: str) -> bool:
        return all(_is_at(kb.entity(entity), windows[each]) for each in conditions
                   if each in windows)

    found = only(entities.get(form, ()), fits)
    kept = only(found, is_then) or found
    if kept or not all(each.head == "except" for each in conditions):
        return kept or None
    for ids in context.answered:
        others = [each for each in ids if each in kb and fits(each)
                  and kb.entity(each).type == form.head]
        if len(others) == 1 and len(ids) > 1:
            return [(others[0], 1.0)]
    return None


def only(found: Meant, fits: Callable[[str], bool]) -> list[tuple[str, float]]:
    """Those that fit, as probable together as all were."""
    kept = [each for each in found if fits(each[0])]
    total = sum(each for _, each in kept)
    return [(entity, each * sum(one for _, one in found) / total) for entity, each in kept]


def _is_the_other(form: Form) -> bool:
    """Whether a form says of somebody only that it is not the one who was spoken of."""
    return all(isinstance(each, Form) and each.head == "except" and each.arguments
               and isinstance(each.arguments[0], Form) and each.arguments[0].head == "that"
               for each in form.arguments)


def _is_at(entity: Entity, windows: Sequence[tuple[Window, float]]) -> bool:
    return not isinstance(entity, Event) or windows[0][0].overlaps(entity.start, entity.end)


def _fits(entity: str, condition: Form, entities: Mapping[Form, Meant],
          plural: Collection[Form], kb: KnowledgeGraph) -> bool:
    """Whether somebody is of the group of a condition, or an event one of who takes part in it; or
    whether it leaves them in."""
    ids = {each for part in condition.inner()
           for each, probability in entities.get(part, ())
           if probability >= _TAKEN or part in plural}
    if condition.head == "except":
        return entity not in ids
    if condition.head in _PEOPLE:
        event = kb.entity(entity)
        return isinstance(event, Event) and not ids.isdisjoint(
            (event.group, *((event.organizer,) if condition.head in _HOLDS
                            else event.participants())))
    return any(person.id == entity for each in ids for person in kb.members(each))
