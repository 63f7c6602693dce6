"""What of an utterance is about something that is to be done: the likeliest kind of reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frontdesk.agent.understanding.open_choice import as_choice
from frontdesk.agent.understanding.read_request import BEGINS
from frontdesk.agent.understanding.surface_cues import SurfaceCues
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction
from frontdesk.kg.parser.trained_parser import ParsedForms

#: Acts that need no step of their own beside others.
_COURTESIES = frozenset({"greet", "goodbye", "thank", "apologise", "chat", "introduce",
                         "acknowledge", "inform"})
#: Acts that say something of what is being arranged.
_SAYS = frozenset({"answer", "choose", "revise", "correct"})
#: Heads of requests that name nothing of their own.
_POINTS_BACK = frozenset({"request", "create", "change", "cancel", "time", "venue", "that", "then"})
#: What else may be meant is at least so probable beside what is.
_RIVAL = 1 / 3
#: A reading that the veto allows is taken before one that it does not, if it is so probable beside
#: it.
_NEAR = 0.2
#: From this probability on a kind of reading is taken for one.
_LEAST = 0.2
#: Where nothing is being arranged a yes that is none by the veto leaves its probability to others,
#: and else to a no; what is less probable than this is still none.
_LEFT = 0.01
_GIVES_UP = frozenset({"deny", "abandon"})
#: What is done at once, without being confirmed, is surer.
_AT_ONCE = 0.5


@dataclass(frozen=True)
class Deed:
    """What an utterance says of something that is to be done.

    Args:
        forms: Its acts, in order.
        rivals: Kinds of actions that it may ask for as well, nearly as probably.
        after: What is asked for besides, to be done after it.
        repeated: What asks once more for what it agrees to.
        cues: Of its own words; None where those of the utterance count.
    """

    forms: tuple[Form, ...] = ()
    rivals: tuple[ActionKind, ...] = ()
    after: tuple[Form, ...] = ()
    repeated: tuple[Form, ...] = ()
    cues: SurfaceCues | None = None

    @property
    def kept(self) -> tuple[str, str]:
        """It as the dialogue graph keeps it until it is done: its own words, and its forms."""
        return self.cues.span.text if self.cues is not None else "", " ".join(map(str, self.forms))


def likeliest_deed(readings: Sequence[ParsedForms], cues: SurfaceCues, *, pending: bool) -> Deed:
    """The likeliest reading of the likeliest kind.

    Args:
        readings: Of an utterance, the likeliest first.
        cues: Of the utterance: what is no yes by the strict veto is not read as one.
        pending: Something is being arranged.
    """
    agrees = cues.may_agree()
    together: dict[tuple[str, ...], float] = {}
    for each in readings:
        kind = _kind(each.forms, pending=pending)
        if agrees or kind != ("confirm",):
            together[kind] = together.get(kind, 0.0) + each.probability
    if not together:
        return Deed()
    best = max(together, key=lambda kind: together[kind])
    leaves = not pending or _GIVES_UP.issuperset(best)
    if together[best] < _least(best, yes=0.0 if agrees or not leaves else sum(
            each.probability for each in readings
            if _kind(each.forms, pending=pending) == ("confirm",))):
        return Deed()
    alike = [each for each in readings if _kind(each.forms, pending=pending) == best]
    # Of readings of one kind the veto leaves those that its words allow, if they are near.
    likeliest = next((each for each in alike if each.probability > _NEAR * alike[0].probability
                      and cues.may_ask(each.forms)), alike[0])
    return Deed(likeliest.forms, _rivals(readings, pending=pending))


def _least(kind: tuple[str, ...], *, yes: float) -> float:
    """From which probability on a kind is taken for one.

    Args:
        yes: The probability of a yes that cannot be one.
    """
    if {"undo", "redo"} & set(kind):
        return _AT_ONCE
    return max(_LEFT, _LEAST * (1 - yes)) if yes else _LEAST


def tasks_in(forms: Sequence[Form], *, pending: PendingAction | None) -> list[tuple[Form, ...]]:
    """The forms of each thing that is to be done, one after the other.

    Args:
        pending: What is being arranged, of which what is said comes first; None where nothing is.
    """
    found: list[list[Form]] = []
    besides: list[Form] = []
    agrees = pending is not None and any(form.head in ("confirm", "answer") for form in forms) \
        and not (pending.interrupted and any(map(_books_what_was_asked, forms)))
    for form in forms:
        if pending is not None and _is_part_of_a_yes(form, forms, pending):
            continue
        if form.head != "request" or (agrees and _is_of_it(form)):
            (found[-1] if found and not agrees else besides).append(form)
        else:
            found.append([form])
    if not found or agrees:
        return [tuple(besides), *map(tuple, found)]
    return [(*besides, *found[0]), *map(tuple, found[1:])]


def tells_who_comes(form: Form) -> bool:
    """Whether a request wants those who take part in a change told of it, as they are anyway."""
    wish = form.arguments[0] if form.head == "request" and form.arguments else None
    return isinstance(wish, Form) and wish.head == "tell" and bool(wish.arguments) \
        and not any(wish.spans()) and all(
            each.head in ("person", "those") for each in wish.inner())


def only_tell_who_comes(forms: Sequence[Form]) -> bool:
    """Whether forms want those who take part in a change told of it, and nothing else."""
    return bool(forms) and all(map(tells_who_comes, forms))


def changes_event(form: Form) -> bool:
    """Whether a request changes the calendar."""
    return _begins(form) not in (None, ActionKind.MESSAGE)


def _kind(forms: Sequence[Form], *, pending: bool) -> tuple[str, ...]:
    """What acts do, courtesies left out."""
    found = []
    for form in forms:
        if form.head == "request":
            found.append(str(_begins(form)))
        elif form.head == "acknowledge" and pending:
            found.append("confirm")
        elif form.head in _SAYS:
            found.append("says")
        elif form.head not in _COURTESIES:
            found.append(form.head)
    return tuple(dict.fromkeys(found))


def _begins(form: Form) -> ActionKind | None:
    wish = form.arguments[0] if form.head == "request" and form.arguments else None
    return BEGINS.get(wish.head) if isinstance(wish, Form) else None


def _rivals(readings: Sequence[ParsedForms], *, pending: bool) -> tuple[ActionKind, ...]:
    """The kinds of actions that readings begin, those nearly as probable as the likeliest.

    Where nothing is pending, a revision changes what was done, unless it is of what is chosen.
    """
    kinds: dict[ActionKind, float] = {}
    for each in readings:
        kind = next(filter(None, map(_begins, sorted(each.forms, key=tells_who_comes))), None)
        heads = {as_choice(form).head for form in each.forms}
        if kind is None and not pending and "revise" in heads and "choose" not in heads:
            kind = ActionKind.CHANGE
        if kind is not None:
            kinds[kind] = kinds.get(kind, 0.0) + each.probability
    best = max(kinds.values(), default=0.0)
    return tuple(kind for kind, share in kinds.items() if share >= _RIVAL * best)


def _is_part_of_a_yes(form: Form, forms: Sequence[Form], pending: PendingAction) -> bool:
    """Whether a request beside a yes only names what is agreed to: "yes, book it"."""
    return (not pending.interrupted and any(each.head == "confirm" for each in forms)
            and form.head == "request" and _begins(form) is pending.kind
            and all(each.head in _POINTS_BACK for each in form.walk()))


def _books_what_was_asked(form: Form) -> bool:
    """Whether a request books what a question was about: "yes, book it", said after one."""
    return _begins(form) is ActionKind.CREATE and any(
        each.head in ("that", "then", "answers") for each in form.walk())


def _is_of_it(form: Form) -> bool:
    """Whether a request may be about what is being arranged: "and invite Bo", to it.

    So is whatever says neither which event it means nor when a new one is to be.
    """
    wish = form.arguments[0]
    if not isinstance(wish, Form) or wish.head not in ("change", "create", "find_time"):
        return False
    heads = {each.head for each in wish.walk()}
    return heads.isdisjoint({"time", "start"} if wish.head != "change" else {"event"})
