"""What is done next about an action, as ``actions.pl`` decides."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from frontdesk.agent.acting.plan import Plan
from frontdesk.kg.graph.changes import Conflict, new_conflicts
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction, Slot
from frontdesk.rules.engine.inference import FactSlice, PlainFact, shipped_program

RULES = "actions.pl"
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class Step(StrEnum):
    """What can be done next; the names are predicates of the rules."""

    ASK = "asks_first"
    REFUSE = "refused"
    OFFER = "offers"
    CONFIRM = "confirms"
    DO = "does"


@dataclass(frozen=True)
class Decision:
    """What is done next.

    Args:
        step: That.
        probability: In (0, 1], that it is right by what was understood.
        slot: What to ask for.
        reason: Why it is refused: ``not_yours``, ``over``, ``no_member`` or ``past``.
        event: Id of the event because of which it is refused; empty when none is.
        obstacles: What stands in the way.
    """

    step: Step
    probability: float
    slot: str = ""
    reason: str = ""
    event: str = ""
    obstacles: tuple[Conflict, ...] = ()

    @property
    def rule(self) -> str:
        """The rule that decided, ``file.pl:predicate/arity``."""
        return f"{RULES}:{self.step}/1"


class Policy:
    """Decides by the rules.

    Args:
        kb: The organisation.
        now: Zone-aware present.
        assistants: Ids of those who may change every event.
    """

    def __init__(self, kb: KnowledgeBase, now: dt.datetime,
                 assistants: Collection[str] = ()) -> None:
        self.kb, self.now, self.assistants = kb, now, frozenset(assistants)

    def decide(self, action: PendingAction, plan: Plan, known: dict[str, float], *,
               confirmed: bool) -> Decision:
        """What is done next.

        Args:
            action: What is wanted.
            plan: What would become of the calendar.
            known: Slots that are known, each with a probability in (0, 1].
            confirmed: The user has just confirmed it.
        """
        names = _Names()
        facts = FactSlice(shipped_program(RULES))
        facts.add(self._facts(action, plan, known, names, confirmed=confirmed))
        answers = facts.ask_all([(step, (_ACTION,)) for step in Step])
        found = {step: own[0][1] for step, own in zip(Step, answers, strict=True) if own}
        step = max(found, key=lambda each: found[each])
        decision = Decision(step, found[step])
        if step is Step.ASK:
            asked = facts.ask("asks", (_ACTION, None))
            slot = max(asked, key=lambda each: each[1])[0][0]
            return Decision(step, found[step], slot=str(slot))
        if step is Step.REFUSE:
            (reason, about), _ = facts.ask("refuses", (_ACTION, None, None))[0]
            return Decision(step, found[step], reason=str(reason),
                            event=names.known(str(about)))
        if step is Step.OFFER:
            taken = {(names.known(str(subject)), names.known(str(event)))
                     for (subject, event), _ in facts.ask("in_the_way", (_ACTION, None, None))}
            return Decision(step, found[step], obstacles=tuple(
                each for each in new_conflicts(self.kb, plan.changes)
                if (each.subject, each.other.id) in taken))
        return decision

    def changeable(self, by: str, events: Sequence[str]) -> tuple[str, ...]:
        """Those of some events that somebody may change, by their ids."""
        names = _Names()
        who, facts = names.of(by), FactSlice(shipped_program(RULES))
        facts.add([("assistant", (who,), 1.0)] if by in self.assistants else [])
        facts.add([fact for each in events for fact in self._event(self.kb.events[each], names)])
        return tuple(each for each in events if facts.ask("may_change", (who, names.of(each))))

    def _facts(self, action: PendingAction, plan: Plan, known: dict[str, float],
               names: _Names, *, confirmed: bool) -> list[PlainFact]:
        found: list[PlainFact] = [
            ("action", (_ACTION, str(action.kind)), 1.0),
            ("now", (_minutes(self.now),), 1.0)]
        found += [("has", (_ACTION, slot), probability) for slot, probability in known.items()]
        if action.by:
            by = names.of(action.by)
            found.append(("by", (_ACTION, by), 1.0))
            if action.by in self.kb.people:
                found.append(("member", (by,), 1.0))
            if action.by in self.assistants:
                found.append(("assistant", (by,), 1.0))
        if confirmed:
            found.append(("confirmed", (_ACTION,), 1.0))
        if Slot.EVENT in known and action.kind in (ActionKind.CHANGE, ActionKind.CANCEL):
            for event_id in action.events:
                found += self._event(self.kb.events[event_id], names)
        found += [("begins", (_ACTION, _minutes(start)), 1.0) for start in _new_starts(plan)]
        for conflict in new_conflicts(self.kb, plan.changes):
            subject = names.of(conflict.subject)
            found += [
                ("takes", (_ACTION, subject, *_span(conflict.event)), 1.0),
                ("engaged", (subject, names.of(conflict.other.id), *_span(conflict.other)), 1.0)]
        return list(dict.fromkeys(found))

    def _event(self, event: Event, names: _Names) -> list[PlainFact]:
        name = names.of(event.id)
        found: list[PlainFact] = [("about", (_ACTION, name), 1.0)]
        if event.organizer:
            found.append(("organizer", (name, names.of(event.organizer)), 1.0))
        found += [("attendee", (name, names.of(each)), 1.0) for each in event.attendees]
        if self.kb.is_recurring(event):
            found.append(("recurring", (name,), 1.0))
        if event.end <= self.now:
            found.append(("over", (name,), 1.0))
        return found


def _new_starts(plan: Plan) -> list[dt.datetime]:
    """When events are to begin that are new or began at another time; of whole days the end."""
    return [each.after.end if each.after.all_day else each.after.start for each in plan.changes
            if each.after is not None
            and (each.before is None or each.before.start != each.after.start)]


def _span(event: Event) -> tuple[int, int]:
    return _minutes(event.start), _minutes(event.end)


def _minutes(at: dt.datetime) -> int:
    return int((at - _EPOCH).total_seconds()) // 60


_ACTION = "a"


class _Names:
    """Constants for ids: no text of a user or a calendar enters a program."""

    def __init__(self) -> None:
        self._of: dict[str, str] = {}
        self._ids: dict[str, str] = {}

    def of(self, entity: str) -> str:
        if entity not in self._of:
            self._of[entity] = f"x{len(self._of)}"
            self._ids[self._of[entity]] = entity
        return self._of[entity]

    def known(self, name: str) -> str:
        """The id of a constant; empty when it is none."""
        return self._ids.get(name, "")
