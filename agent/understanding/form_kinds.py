"""Of which kind the forms of a query are."""

from __future__ import annotations

from collections.abc import Callable

from frontdesk.kg.graph.logical_forms import Argument, Form, Language, Sort, Span

#: Pronouns for people; "it", "that" and "there" stand for anything.
_PEOPLE = frozenset({"he", "she", "they", "him", "her", "them", "his", "hers", "their", "me", "us",
                     "you"})


class FormKinds:
    """Tells of which kind forms are."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def of(self, form: Argument, *sorts: Sort) -> bool:
        """Whether a form is of one of some sorts."""
        return isinstance(form, Form) and not self.language.sorts(form).isdisjoint(sorts)

    def is_entities(self, form: Argument) -> bool:
        """Whether a form stands for entities and for nothing else."""
        return isinstance(form, Form) and self.language.sorts(form) == {Sort.ENTITIES}

    def type_of(self, form: Form) -> str:
        """The type of the entities of a form; empty where it does not tell."""
        if form.head in self.language.types:
            return form.head
        if form.head in ("me", "us", "you"):
            return "person"
        if form.head in ("that", "those"):
            return next((self._spoken_type(part) for part in form.inner() if part.head == "type"),
                        "")
        inner = [each for each in form.arguments if self.is_entities(each)]
        types = {self.type_of(each) for each in inner if isinstance(each, Form)}
        return types.pop() if len(types) == 1 else ""

    def _spoken_type(self, form: Form) -> str:
        words = [span.text.casefold() for span in form.spans()]
        if words and words[0] in _PEOPLE:
            return "person"
        return words[0] if words and words[0] in self.language.types else ""

    def names_nobody(self, form: Form) -> bool:
        """Whether a form describes what is asked for, and names nobody."""
        return form.head in self.language.types and not any(
            isinstance(each, Span) for each in form.arguments) and bool(form.arguments) \
            and not any(each.head in ("like", "member_of", "related") for each in form.inner())


def mapped(form: Form, change: Callable[[Form], Form | None]) -> Form:
    """A form with its parts changed, the outer before the inner."""
    new = change(form)
    if new is not None:
        return new
    return Form(form.head, tuple(mapped(each, change) if isinstance(each, Form) else each
                                 for each in form.arguments))


def without(form: Form, head: str) -> Form:
    """A form without its parts of a head."""
    return Form(form.head, tuple(
        without(each, head) if isinstance(each, Form) else each for each in form.arguments
        if not (isinstance(each, Form) and each.head == head)))
