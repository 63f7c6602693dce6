"""What an utterance asks to be done, or says of what is being arranged, in the dialogue so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.spoken_before import SpokenBefore
from frontdesk.agent.acting.undo import takes_back
from frontdesk.agent.acting.update import begun, other_cancellation, same_wish, updated
from frontdesk.agent.understanding.offices import with_owned_offices
from frontdesk.agent.understanding.open_choice import as_choice
from frontdesk.agent.understanding.read_request import read_request
from frontdesk.agent.understanding.references import ANAPHORS, References
from frontdesk.agent.understanding.request import Request
from frontdesk.agent.understanding.request_times import THEN_HEADS
from frontdesk.agent.understanding.said import Said
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.kg.graph.logical_forms import Form, Span, read_form
from frontdesk.kg.graph.pending_action import ActionKind, ActionStatus, PendingAction, Slot

_BOOK_IT = read_form("(request (create (time (then))))")
_BOOK_THAT = read_form("(request (create))")
_THAT = read_form("(answer (that))")


@dataclass(frozen=True)
class FurtherRequest:
    """What a request is beside a yes to what is being arranged.

    Args:
        names_nothing: It is of the same kind, for what there is not: an event of another name, a
            day that does not exist, a time that is left open.
        repeats: It asks for what is being arranged once more, and for nothing else.
        joins: It cancels another event along with the one that is to be cancelled.
    """

    names_nothing: bool = False
    repeats: bool = False
    joins: bool = False


@dataclass(frozen=True)
class TaskReader:
    """Reads what a turn says of something that is to be done.

    Args:
        here: The turn.
    """

    here: ActionContext

    @property
    def before(self) -> SpokenBefore:
        """What was spoken of before the turn."""
        return SpokenBefore(self.here)

    def begun(self) -> Request | None:
        """What the utterance asks for where nothing is pending; None if nothing is to be done."""
        last = self.here.graph.last_action()
        cues, forms = self.here.cues, self.here.deed.forms
        request = self._changes_that(last) or self.read(last)
        if cues.tells_what_not and not cues.may_ask(forms) and (
                request.begins is not None or begun(request, last) is not None):
            return replace(request, abandons=True)  # "don't book anything"
        if request.begins is not None and not cues.may_ask(forms):
            return None
        if request.comes is not None and len(request.events) != 1:
            return None
        if request.corrects and request.begins is None and self.before.last_asked()[1] \
                and not (last is not None and self.before.is_spoken_of(last)):
            return None  # it is the answer that is put right
        left = last is not None and last.kind is ActionKind.MESSAGE \
            and last.status is ActionStatus.DONE  # which nothing takes back
        if takes_back(request) and not left and (
                not cues.may_undo or request.begins is not None or cues.contradicted):
            return Request(abandons=True)
        if takes_back(request) or request.abandons or begun(request, last) is not None:
            return request
        return None

    def further(self) -> FurtherRequest:
        """What the utterance is beside a yes to what is being arranged."""
        last = self.here.graph.last_action()
        if last is None:
            return FurtherRequest()
        request = self.read(last)
        alike = request.begins is last.kind
        names_nothing = alike and bool(
            request.misnamed or request.no_day or request.other_time
            or (request.names_event and request.begins is not ActionKind.CREATE
                and not (request.events or request.options)))
        unclear = request.unclear or request.room_unclear or request.options or request.denies
        repeats = alike and not unclear and not names_nothing \
            and (not request.names_event or set(request.events) == set(last.events)) \
            and same_wish(updated(last, request, self.here), last)
        return FurtherRequest(names_nothing, repeats,
                              other_cancellation(last, request, self.here) is not None)

    def read(self, last: PendingAction | None) -> Request:
        """What the utterance says after an action that is open or was done; None for none."""
        here, before = self.here, self.before
        answering = here.visible.domain.queries
        if answering is None:
            return Request()
        forms = tuple(as_choice(with_owned_offices(each)) for each in here.deed.forms)
        if forms and self._books_what_was_asked(last, forms):
            chooses = any(each.head == "choose" for each in forms)
            forms = (*forms, _BOOK_THAT if chooses else _BOOK_IT)
        if last is not None and last.is_open and last.asked == Slot.EVENT:
            forms = tuple(map(_as_event, forms))
        # "After that" may be after the event that was spoken of.
        pointed = (_THAT,) if any(part.head in THEN_HEADS for form in forms
                                  for part in form.walk()) else ()
        references = References(
            here.seen, answering.meant((*forms, *pointed), here.graph, now=here.now), here.user,
            here.now, last.events if last is not None and self.before.is_spoken_of(last) else (),
            tuple(dict.fromkeys(self._acted_on())), before.arranged_with(last))
        request = read_request(Said(
            here.cues, forms, references, last,
            partial(answering.meant_among, now=here.now), here.components.settings.actions,
            here.focus, before.time_spoken_of(last), before.arranged(last), before.in_play(),
            last is not None and last == here.graph.action_after(here.graph.turns[-1]),
            here.timezone,
            before.asked_about, before.found_free, before.answered_times, before.picked_time))
        # What one may not know of nobody changes at one's word.
        events, options = (tuple(each for each in ids if each in here.kb.events)
                           for ids in (request.events, request.options))
        request = replace(request, events=events, options=options,
                          starts=request.starts if len(events) > 1 else ())
        return replace(request, confirms=request.confirms and self.agrees(
            last, here.deed.repeated))

    def takes_up(self, aside: PendingAction) -> bool:
        """Whether the utterance gives values for what was left aside, not for what was asked since.
        """
        turn, queries, _ = self.before.last_asked()
        heads = {each.head for each in self.here.deed.forms}
        if queries and not (heads == {"answer"} and self.here.graph.action_after(turn) == aside):
            return False
        request = self.read(replace(aside, status=ActionStatus.OPEN))
        return heads <= {"answer", "revise"} and bool(request.gives_values or request.events)

    def _changes_that(self, last: PendingAction | None) -> Request | None:
        """What an utterance sets of the only event that is spoken of, where it is not the one that
        something was just done about: "invite Bo as well"; what puts something right is of what
        was done. None for anything else."""
        deed = self.here.deed
        forms = tuple(map(_of_that, deed.forms))
        if forms == deed.forms or (last is not None and last.events
                                   and self.before.is_spoken_of(last)):
            return None
        request = TaskReader(replace(self.here, deed=replace(deed, forms=forms))).read(last)
        done = last.events if last is not None and last.status is ActionStatus.DONE else ()
        corrects = any(each.head == "correct" for each in deed.forms)
        return request if len(request.events) == 1 and (
            not corrects or {*request.events} <= {*done}) else None

    def agrees(self, last: PendingAction | None, repeated: Sequence[Form]) -> bool:
        """Whether the utterance may be a yes, some of whose forms say once more what to."""
        here = self.here
        return not here.cues.contradicted and here.cues.may_agree_to(
            here.agent_said, repeated, here.deed.after,
            plainly=last is not None and last.interrupted)

    def is_besides(self, pending: PendingAction, request: Request) -> bool:
        """Whether a new event is asked for besides the one that is being arranged: of another name,
        or of none at another time."""
        said, known = request.times[0] if request.times else None, pending.time
        if said is None or (said.day, said.start) == (None, None) or pending.interrupted \
                or {request.begins, pending.kind} != {ActionKind.CREATE} \
                or any((request.denies, request.abandons, request.corrects, request.confirms,
                        request.asks)) \
                or any(each.head in ANAPHORS for form in self.here.deed.forms
                       for each in form.walk()):
            return False
        if request.title and pending.title:
            return normalise_name(request.title) != normalise_name(pending.title)
        return None not in (known.start, said.start) \
            and (said.start, said.day or known.day) != (known.start, known.day)

    def _acted_on(self) -> Iterator[str]:
        """Ids of the events that were acted on since something was asked."""
        graph = self.here.graph
        for turn in reversed(graph.turns):
            if graph.about(turn) or graph.forms(turn)[1]:
                return
            action = graph.action_after(turn)
            if action is not None and (action.is_open or action.status is ActionStatus.DONE):
                yield from (each for each in (*action.events, *action.done_before)
                            if each in self.here.kb.events)

    def _books_what_was_asked(self, last: PendingAction | None, forms: Sequence[Form]) -> bool:
        """Whether what was found to be free is booked: "yes, book it", "book the second", "the
        second one, for an hour"."""
        heads = {each.head for each in forms}
        chooses = "choose" in heads
        if (last is not None and last.is_open) or not heads - {"choose"} <= {
                "confirm", "thank", "acknowledge", "revise"}:
            return False
        if "revise" in heads:
            return chooses and all(map(_only_sets, forms)) and bool(
                self.before.answered_times() or self.before.found_free())
        return "confirm" in heads and self.here.cues.names_deed and bool(
            self.before.answered_times() if chooses else self.before.asked_about())


def _as_event(form: Form) -> Form:
    """What a user who was asked which event they mean calls it, as an event of that name."""
    words = form.arguments[0] if form.head == "answer" else None
    if isinstance(words, Form) and words.head == "title":
        words = words.arguments[0]
    return Form("answer", (Form("event", (words,)),)) if isinstance(words, Span) else form


def _only_sets(form: Form) -> bool:
    """Whether a revision only says how something is wanted, or for how long; other acts do."""
    return form.head not in ("revise", "correct") or all(
        isinstance(change, Form) and (change.head == "set" or any(
            part.head == "lasting" for part in change.walk())) for change in form.arguments)


def _of_that(form: Form) -> Form:
    """What is only set of something, as a change of what is spoken of."""
    roles = [role for change in form.arguments if isinstance(change, Form)
             and change.head == "set" for role in change.arguments]
    if form.head not in ("revise", "correct") or len(roles) != len(form.arguments):
        return form
    return Form("request", (Form("change", (Form("that"), *roles)),))
