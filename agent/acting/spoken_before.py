"""What was asked, answered and arranged before a turn, which it may go on with."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.undo import transaction_made
from frontdesk.agent.acting.wording import GO_ON
from frontdesk.agent.understanding.meaning import forms_before
from frontdesk.agent.understanding.open_choice import is_order
from frontdesk.agent.understanding.surface_cues import SurfaceCues
from frontdesk.agent.understanding.wanted_before import wanted_last
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.pending_action import ActionStatus, PendingAction
from frontdesk.kg.graph.windows import CLOCK_KINDS, Window, WindowKind

#: From what probability on the answer to a question was yes.
_YES = 0.5
#: What becomes of an action in the end, done or not.
OVER = (ActionStatus.DONE, ActionStatus.REFUSED)
#: Heads of questions that ask for what could be booked.
_BOOKABLE = frozenset({"free", "is_free"})


def left_aside(graph: DialogueGraph) -> PendingAction | None:
    """What was left aside in a dialogue, and neither gone on with nor given up since."""
    since: set[str] = set()
    for action in filter(None, map(graph.action_after, reversed(graph.turns))):
        if action.status is ActionStatus.ASIDE and action.transaction not in since:
            return action
        since.add(action.transaction)
    return None


def ended_since(graph: DialogueGraph, aside: PendingAction) -> int:
    """How many actions have been done or refused since one was left aside."""
    actions = filter(None, map(graph.action_after, reversed(graph.turns)))
    return len({action.transaction for action in takewhile(
        lambda each: each.transaction != aside.transaction, actions) if action.status in OVER})


def action_before(graph: DialogueGraph, cues: SurfaceCues) -> PendingAction | None:
    """The action of a dialogue with which an utterance may go on: the last; what was left aside
    where nothing is arranged since, and that is what the user is told to say."""
    last = graph.last_action()
    aside = cues.is_phrase(GO_ON) and not (last is not None and last.is_open)
    return (left_aside(graph) if aside else None) or last


@dataclass(frozen=True)
class SpokenBefore:
    """What was spoken of before a turn.

    Args:
        here: The turn.
    """

    here: ActionContext

    def is_spoken_of(self, last: PendingAction) -> bool:
        """Whether an action is open, or was done in this turn or the one before."""
        graph = self.here.graph
        return last.is_open or last in map(graph.action_after, graph.turns[-2:])

    def asks_what_is_free(self) -> bool:
        """Whether what was asked or wanted last was what could be booked."""
        return any(each.head in _BOOKABLE
                   for form in wanted_last(forms_before(self.here.graph)[1:])
                   for each in form.walk())

    def asked_about(self) -> tuple[str, ...]:
        """Ids of whom and what the turn before asked whether they are free, the user aside, where
        they are; of one of several who is."""
        turn, queries, answers = self.last_asked()
        heads = {each.head for query in queries for each in query.walk()}
        if "free" in heads:
            answers = self.here.graph.about(turn) if self._were_free(queries) else ()
        else:
            answers = self.found_free()
            answers = answers if len(answers) == 1 else ()
        return tuple(each for each in answers if each in self.here.seen and each != self.here.user)

    def found_free(self) -> tuple[str, ...]:
        """Ids of what was found where the turn before asked who or what is free."""
        _, queries, answers = self.last_asked()
        return answers if any(each.head == "is_free" for query in queries
                              for each in query.walk()) else ()

    def _were_free(self, queries: Sequence[Form]) -> bool:
        """Whether the answer to queries of the turn before was yes, or when that is so."""
        here, answering = self.here, self.here.visible.domain.queries
        answered = answering.answer(queries, (), here.graph, now=here.now, speaker=here.user) \
            if answering is not None else None
        return answered is not None and all(
            bool(each.items) if each.holds is None else each.holds >= _YES
            for each in answered.answers)

    def answered_times(self) -> list[tuple[dt.datetime, dt.datetime]]:
        """Start and end of each time with which the turn before was answered, in order."""
        graph = self.here.graph
        return self._told_times(next((each for each in reversed(graph.turns[:-1])
                                      if graph.speaker(each) == USER), ""))

    def _told_times(self, turn: str) -> list[tuple[dt.datetime, dt.datetime]]:
        return [(each.start, each.end) for each in (self.here.graph.times(turn) if turn else ())]

    def last_asked(self) -> tuple[str, list[Form], tuple[str, ...]]:
        """The turn of the user before, its queries, and the ids of what they were answered with;
        where it only picks one of what was told, the turn and the queries that it was told to."""
        graph = self.here.graph
        turns = [each for each in graph.turns[:-1] if graph.speaker(each) == USER]
        _, *before = forms_before(graph)
        answers = graph.forms(turns[-1])[1] if turns else ()
        for turn, forms in zip(reversed(turns), before, strict=False):
            queries = [each for form in forms if form.head == "ask"
                       for each in form.arguments if isinstance(each, Form)]
            if not queries or not all(map(_picks, queries)):
                return turn, queries, answers
        return "", [], ()

    @property
    def picked_time(self) -> bool:
        """Whether the turn before picks one of the times that were told."""
        return len(self.answered_times()) == 1 and len(self._told_times(self.last_asked()[0])) > 1

    def arranged_with(self, last: PendingAction | None) -> tuple[str, ...]:
        """Ids of those with whom something is being arranged, or just was: who is to come or no
        longer, else who takes part in what is changed, the user aside."""
        if last is None or not self.is_spoken_of(last):
            return ()
        events = [self.here.kb.events[each] for each in last.events if each in self.here.kb.events]
        there = last.people or last.removed or tuple(
            each for event in events for each in event.participants())
        return tuple(dict.fromkeys(each for each in there if each != self.here.user))

    def arranged(self, last: PendingAction | None) -> Window | None:
        """When the events are, all of one day, that were last arranged, done or turned down, where
        that is still spoken of; of those that were cancelled, when they were."""
        if last is None or last.status not in (ActionStatus.DONE, ActionStatus.REFUSED) \
                or not self.is_spoken_of(last):
            return None
        made = transaction_made(self.here, last.transaction) \
            if last.status is ActionStatus.DONE else None
        changes = made.changes if made is not None else self.here.planner.plan(last).changes
        starts, ends = ([getattr(each.event, at) for each in changes] for at in ("start", "end"))
        same_day = len({each.date() for each in starts}) == 1
        return Window(min(starts), max(ends)) if same_day else None

    def in_play(self) -> Window | None:
        """The time of which, or of one event at which, the turns before spoke last."""
        graph, events = self.here.graph, self.here.seen.events
        for turn in reversed(graph.turns[-5:-1]):
            action = graph.action_after(turn)
            said = [window for each in (turn, *graph.mentions(turn))
                    if (window := graph.window(each)) is not None]
            about = {*graph.about(turn), *graph.forms(turn)[1],
                     *(action.events if action is not None else ())} & events.keys()
            if said or len(about) == 1:
                event = events[about.pop()] if about else None
                return said[0] if event is None else Window(event.start, event.end)
        return None

    def time_spoken_of(self, last: PendingAction | None) -> Window | None:
        """The time that was spoken of last in the turns before: of the clock, else a day or a part
        of one, where nothing is being arranged whose day is known."""
        taken = (CLOCK_KINDS,) if last is not None and last.is_open \
            else (CLOCK_KINDS, (WindowKind.DAY, WindowKind.PART))
        for turn in reversed(self.here.graph.turns[-5:-1]):
            said = [window for mention in reversed(self.here.graph.mentions(turn))
                    if (window := self.here.graph.window(mention)) is not None]
            for kinds in taken:
                if found := [each for each in said if each.kind in kinds]:
                    return found[0]
        return None


def _picks(query: Form) -> bool:
    """Whether a query is for one of what was told, or for when one of the times is that were."""
    asked = query.arguments[0] if len(query.arguments) == 1 else None
    return isinstance(asked, Form) and (
        (query.head == "when" and asked.head == "at") or (
            query.head == "which" and asked.head in ("answers", "among")
            and any(map(is_order, asked.arguments))))
