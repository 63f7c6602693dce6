"""Which of several that were offered a form means: by name, place in the list, time, relation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from frontdesk.kg.graph.entities import EntityType, Event
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.linking.dialogue_context import DialogueContext
from frontdesk.rules.linking.form_resolution import FormResolver
from frontdesk.rules.linking.form_times import read_times_of

#: A name is meant from these log-odds on, and as well as another by so much less at most.
_MEANT, _AS_WELL = 0.0, 1.0


def meant_among(said: Form, options: Sequence[str], resolver: FormResolver, *, now: dt.datetime
                ) -> tuple[str, ...]:
    """Those of some entities that a form can mean.

    What is said of them tells them apart, whichever predicate says it: "the one in 214" has to do
    with room 214.

    Args:
        said: Of the sort ``entities``: ``(person "Holm")``, ``(answers (one_of 2))``,
            ``(group "Biology")``, ``(that (at "tomorrow"))``.
        options: Ids, in the order in which they were offered.
        resolver: Of the graph; those that it does not know are left out.
        now: Zone-aware present.

    Returns:
        Ids in that order; all of them where nothing is said of them, none where what is said means
        something else.
    """
    return tuple(_Choice(said, options, resolver, now).fitting(said))


class _Choice:
    """One choice; see :func:`meant_among`."""

    def __init__(self, said: Form, options: Sequence[str], resolver: FormResolver,
                 now: dt.datetime) -> None:
        self.options, self.resolver = options, resolver
        self.known = [each for each in options if each in resolver.kb]
        self.windows = read_times_of([said], DialogueContext({}), now=now,
                                     hours=resolver.hours).windows

    def fitting(self, form: Form) -> list[str]:
        """The options that fit a form and all forms in it."""
        if form.head in ("one_of", "nth"):
            return self._at_place(form)
        if form.head in ("and", "or"):
            each_of = [self.fitting(each) for each in form.arguments if isinstance(each, Form)]
            return [option for option in self.known if any(option in each for each in each_of)]
        if self.windows.get(form):
            return self._at(form.head, self.windows[form][0][0])
        found = list(self.known)
        for each in form.arguments:
            fits = self.known
            if isinstance(each, Span):
                fits = self._named(each.text, form.head)
            elif isinstance(each, Form):
                fits = self.fitting(each)
            found = [option for option in found if option in fits]
        if form.head in ("except", "not"):
            return [option for option in self.known if option not in found]
        return found

    def _at_place(self, form: Form) -> list[str]:
        number = next((each for each in form.arguments if isinstance(each, int)), 1)
        place = number - 1 if number > 0 else len(self.options) + number
        return [each for each in self.options[max(place, 0):place + 1] if each in self.known]

    def _at(self, relation: str, window: Window) -> list[str]:
        """The events at a time, before or after it."""
        found = {each: event for each in self.known
                 if isinstance(event := self.resolver.kb.entity(each), Event)}
        if relation in ("before", "until"):
            bound = window.start if relation == "before" else window.end
            return [each for each, event in found.items() if event.start < bound]
        if relation in ("after", "straight_after", "from"):
            bound = window.start if relation == "from" else window.end
            return [each for each, event in found.items() if event.start >= bound]
        return [each for each, event in found.items() if window.overlaps(event.start, event.end)]

    def _named(self, words: str, head: str) -> list[str]:
        """The options that words name, or that have to do with what they name."""
        kind = EntityType(head) if head in self.resolver.types else None
        for each in dict.fromkeys((kind, None)):
            matches = self.resolver.names.matches(words, each)
            meant = {entity for match in matches
                     if match.odds >= max(_MEANT, matches[0].odds - _AS_WELL)
                     for entity in match.entry.entities}
            related = {other for entity in meant for other in self.resolver.kb.referrers(entity)}
            for fits in (meant, related):
                found = [option for option in self.known if option in fits]
                if found:
                    return found
        return []
