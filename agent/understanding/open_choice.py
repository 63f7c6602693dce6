"""What an answer has asked back, "Do you mean Ana or Ben?", and how an utterance settles it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from frontdesk.agent.understanding.form_kinds import mapped
from frontdesk.agent.understanding.revised_query import ONE_OF_TOLD, Revisions
from frontdesk.agent.understanding.wanted_before import TURNS_BACK
from frontdesk.kg.graph.dialogue_graph import USER, AskedBack, DialogueGraph
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import CORE, Form, Sort, Span, read_form, read_forms

#: Tells which of some entities, by their ids, a form can mean.
Among = Callable[[Form, Sequence[str]], Sequence[str]]
#: Acts that may take up a question back.
_TAKES_UP = frozenset({"choose", "answer", "confirm", "any"})
_SUGGESTED = Form("answers")


@dataclass(frozen=True)
class SettledChoice:
    """What was asked, as an utterance settles it.

    Args:
        queries: Those that waited, in full.
        chosen: Ids by the references that mean them; none where another one was named.
        asked: The question back with what was chosen; another may still be meant.
        visits: What people are told of that waited.
    """

    queries: tuple[Form, ...]
    chosen: Mapping[Form, str] = field(default_factory=dict)
    further: tuple[Form, ...] = ()
    asked: AskedBack | None = None
    visits: tuple[Form, ...] = ()


@dataclass(frozen=True)
class OpenChoice:
    """A reference whose meaning is left to the user.

    Args:
        reference: ``(person "Anna")``.
        options: Ids of what it may mean, in the order in which they were offered.
        taken: The option that was taken; empty where it was asked.
        among: Tells which of the options a form can mean.
        visits: Acts that people are told of, which wait for it.
    """

    reference: Form
    options: tuple[str, ...]
    queries: tuple[Form, ...]
    taken: str
    among: Among
    visits: tuple[Form, ...] = ()

    def settled(self, forms: Sequence[Form], revisions: Revisions) -> SettledChoice | None:
        """What the forms of an utterance make of it; None where they do not settle it.

        Args:
            revisions: Put another name in the place of the reference.
        """
        for form in forms:
            said = self._said(form)
            if said is None:
                continue
            further = tuple(each for each in forms if each is not form)
            meant = self._meant(said)
            if len(meant) == 1:
                return SettledChoice(self.queries, {self.reference: meant[0]}, further, AskedBack(
                    str(self.reference), self.options, " ".join(map(str, self.queries)), meant[0]),
                    self.visits)
            if len(meant) > 1 and any(said.spans()):  # some of them: which is asked once more
                return SettledChoice(self.queries, {}, further)
            if len(meant) > 1:  # whichever: it is told of each that was offered
                return SettledChoice(self._put(_SUGGESTED, revisions), {}, further)
            if not meant and self._may_be_meant(said):
                return SettledChoice(self._put(said, revisions), {}, further,
                                     visits=self._visits_to(said))
        return None

    def _visits_to(self, said: Form) -> tuple[Form, ...]:
        """What people are told of, with something else in the place of the reference."""
        return tuple(mapped(each, lambda part: said if part == self.reference else None)
                     for each in self.visits)

    def _put(self, said: Form, revisions: Revisions) -> tuple[Form, ...]:
        """The queries with something else in the place of the reference."""
        return tuple(filter(None, (revisions.revise(query, Form("replace", (said, self.reference)))
                                   for query in self.queries)))

    def _meant(self, said: Form) -> Sequence[str]:
        """The options that a form can mean; the one that was taken is spoken of last."""
        if self.taken and said == _SUGGESTED:
            return (self.taken,)
        if self.taken and any(part.head == "except" and not any(part.spans())
                              for part in said.walk()):
            return [each for each in self.options if each != self.taken]
        return self.among(said, self.options)

    def is_taken_up(self, forms: Sequence[Form]) -> bool:
        """Whether a reading answers the question back, though it may choose nothing."""
        return bool(forms) and all(form.head in _TAKES_UP or (
            (said := self._said(form)) is not None and not any(said.spans())) for form in forms)

    def _said(self, form: Form) -> Form | None:
        """What an act says of what is meant; None of one that says nothing of it."""
        if form.head in ("confirm", "any"):
            return _SUGGESTED
        argument = form.arguments[0] if len(form.arguments) == 1 else None
        if form.head in ("choose", "answer") and argument is not None:
            if isinstance(argument, Span):
                return Form("thing", (argument,))
            if isinstance(argument, Form) and argument.is_of(Sort.TIME):
                return Form("answers", (argument,))
            return argument if isinstance(argument, Form) else None
        if form.head in ("revise", "correct") and isinstance(argument, Form):
            if argument.head in ("replace", "add") and isinstance(argument.arguments[0], Form):
                return argument.arguments[0]
            if argument.head == "retime":
                return Form("answers", argument.arguments)
        return None

    def _may_be_meant(self, said: Form) -> bool:
        """Whether a form names something of the type of the reference."""
        return any(isinstance(each, Span) for each in said.arguments) and (
            said.head == self.reference.head or "thing" in (said.head, self.reference.head))


def as_choice(form: Form) -> Form:
    """An act that picks one of several by its place, however it is put, as a choice among them."""
    said = form.arguments[0] if len(form.arguments) == 1 else None
    if form.head in ("revise", "correct") and isinstance(said, Form) \
            and said.head in ("replace", "add") and len(said.arguments) == 1:
        said = said.arguments[0]
    elif form.head not in ("choose", "answer"):
        return form
    if is_order(said):
        return Form("choose", (Form("answers", (said,)),))
    picks = isinstance(said, Form) and said.head in ONE_OF_TOLD \
        and len(said.arguments) == 1 and is_order(said.arguments[0])
    return Form("choose", (Form("answers", said.arguments),)) \
        if picks and isinstance(said, Form) else form


def is_order(part: object) -> TypeGuard[Form]:
    """Whether a part of a form tells a place in an order."""
    return isinstance(part, Form) and part.head in CORE and CORE[part.head].sort is Sort.ORDER


def choice_left_open(dialogue: DialogueGraph, among: Among) -> OpenChoice | None:
    """What the answer to the last utterance of the user has asked back; None where nothing.

    Args:
        among: Tells which of the options a form can mean.

    Returns:
        None, too, where it has been asked twice and not been chosen from.
    """
    turns = [turn for turn in reversed(dialogue.turns) if dialogue.speaker(turn) == USER]
    asked, *before = [*map(dialogue.asked_back, turns[:2]), None]
    action = dialogue.last_action()
    if asked is None or not asked.options or (action is not None and action.is_open):
        return None
    if asked in before and not asked.taken:  # asked twice, and in vain
        return None
    try:
        reference = read_form(asked.form)
        visits = tuple(each for each in read_forms(dialogue.visits(turns[0]))
                       if reference in each.walk())
        return OpenChoice(reference, asked.options, read_forms(asked.queries), asked.taken, among,
                          visits)
    except FormatError:  # of another version
        return None


def chosen_before(dialogue: DialogueGraph) -> dict[Form, str]:
    """Ids of what the user chose for references in the last turns."""
    found: dict[Form, str] = {}
    turns = [turn for turn in dialogue.turns if dialogue.speaker(turn) == USER]
    for turn in turns[-TURNS_BACK:]:
        for form, entity in dialogue.chosen(turn).items():
            try:
                found[read_form(form)] = entity
            except FormatError:  # of another version
                continue
    return found
