"""Those of a name told apart: by the group or the time that is said, or by being the other one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.linking.dialogue_context import DialogueContext

Meant = Sequence[tuple[str, float]]
#: A meaning of what is said beside a name counts from this probability on.
_TAKEN = 0.3


def told_apart(form: Form, entities: Mapping[Form, Meant], plural: Collection[Form],
               context: DialogueContext, kb: KnowledgeGraph) -> list[tuple[str, float]] | None:
    """What a form means that says a group, or leaves somebody out.

    Args:
        form: Of a type: ``(person "Ada" (member_of …))``, ``(person (except (that)))``.
        entities: What this form and those in it mean without that.
        plural: Forms that mean all of their entities.
        context: What was answered before, and among which it was asked which one is meant.
        kb: Has the groups.

    Returns:
        Ids, as probable together as before; None where nothing is told.
    """
    conditions = [each for each in form.arguments if isinstance(each, Form)
                  and each.head in ("member_of", "except")]
    named = any(isinstance(each, Span) for each in form.arguments)
    if not conditions or not (named or form in entities or _is_the_other(form)):
        return None

    def fits(entity: str) -> bool:
        return all(_fits(entity, each, entities, plural, kb) for each in conditions)

    found = entities.get(form, ())
    kept = only(found, fits)
    if kept or not all(each.head == "except" for each in conditions):
        return kept or None
    for ids in context.answered:
        others = [each for each in ids if each in kb and fits(each)
                  and kb.entity(each).type == form.head]
        if len(others) == 1 and len(ids) > 1:
            return [(others[0], 1.0)]
    return None


def at_its_time(form: Form, found: Meant, windows: Mapping[Form, Sequence[tuple[Window, float]]],
                kb: KnowledgeGraph) -> list[tuple[str, float]]:
    """Of the events that a name can mean those at the time that is said beside it.

    Args:
        form: ``(event "review" (at "today"))``.
        found: What its name can mean.
        windows: What its times mean, the likeliest first.
        kb: Has the events.

    Returns:
        Ids, as probable together as before; empty where none is then, or no time is said.
    """
    times = [windows[each][0][0] for each in form.arguments
             if isinstance(each, Form) and each.head == "at" and windows.get(each)]
    return only(found, lambda each: isinstance(event := kb.entity(each), Event) and all(
        time.overlaps(event.start, event.end) for time in times)) \
        if times and len(found) > 1 else []


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


def _fits(entity: str, condition: Form, entities: Mapping[Form, Meant],
          plural: Collection[Form], kb: KnowledgeGraph) -> bool:
    """Whether somebody is of the group of a condition, or is not left out by it."""
    ids = {each for part in condition.arguments if isinstance(part, Form)
           for each, probability in entities.get(part, ())
           if probability >= _TAKEN or part in plural}
    if condition.head == "except":
        return entity not in ids
    return any(person.id == entity for each in ids for person in kb.members(each))
