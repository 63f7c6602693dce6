"""Whether, when and what overlaps, in words."""

from __future__ import annotations

from frontdesk.generation.answers.answer_details import AnswerDetails
from frontdesk.generation.answers.answer_phrases import CERTAIN, AnswerPhrases, templates
from frontdesk.generation.answers.asked_sets import AskedSet, SetPhrases, number_word, read_set
from frontdesk.generation.answers.overlaps import Pair, say_event, say_pairs
from frontdesk.generation.answers.state_answers import verdict
from frontdesk.kg.english import phrases
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.logical_forms import Form, Sort, Span
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_times import AHEAD


class ClashAnswers:
    """Words what overlaps, in sentences without an end."""

    def __init__(self, said: AnswerPhrases) -> None:
        self.said, self.details = said, AnswerDetails(said)

    def word(self, statement: Form, holds: float) -> str:
        """Whether something overlaps, and what."""
        events, pairs = self.said.kb.events, dict[frozenset[str], tuple[Pair, float]]()
        certain = holds >= CERTAIN
        for each in self.said.answer.items:
            pair = events[str(each.value)], events[each.of]
            pairs.setdefault(frozenset(one.id for one in pair), (
                pair, each.probability if certain else 1.0))
        said = say_pairs(self.details, list(pairs.values()))
        if certain and said:
            return f"Yes: {said}"
        return verdict(holds, lambda: said, lambda: (
            f"not all of them: {said}" if said else self.nothing(statement)))

    def when(self, statement: Form) -> str:
        """When events overlap, and which."""
        said = []
        for each in self.said.answer.items:
            names = [self.said.name(event.id) for event in self.details.events_in(each.facts)]
            if isinstance(each.value, Window):
                perhaps = "" if each.probability >= CERTAIN else "perhaps "
                said.append(f"{perhaps}{self.said.verbaliser.window(each.value)}: "
                            f"{phrases.say_list(names)}")
        return "; ".join(said) or self.nothing(statement)

    def nothing(self, statement: Form) -> str:
        """That nothing overlaps, of those who are asked about or with an event."""
        subjects = [each for each in statement.inner() if not each.is_of(Sort.TIME)]
        times = [each for each in statement.inner() if each.is_of(Sort.TIME)]
        time = SetPhrases(AskedSet(), self.said, times).time()
        meant = [self._events(each) for each in subjects]
        named = [say_event(self.details, each[0], with_day=True) for each in meant if each]
        if len(meant) == 1 and len(meant[0]) > 1:
            return f"they do not overlap {time}".strip()
        if len(named) == 2:
            pair = meant[0][0], meant[1][0]
            return f"{say_pairs(self.details, [(pair, 1.0)])} do not overlap"
        of = "".join(map(self._of, [form for form, events in zip(subjects, meant, strict=True)
                                    if not events][:1]))
        if named:
            return f"nothing{of} overlaps with {named[0]}"
        return f"nothing{of} overlaps {time or f'in the next {number_word(AHEAD.days)} days'}"

    # --- pieces

    def _events(self, form: Form) -> list[Event]:
        """The events that a form names or refers to."""
        if form.head == "event" and not any(isinstance(each, Span) or (
                isinstance(each, Form) and each.head == "like") for each in form.arguments):
            return []  # it describes them
        return [self.said.kb.events[each] for each in self.said.meant(form)
                if each in self.said.kb.events]

    def _of(self, form: Form) -> str:
        """Whose events are spoken of: " of yours", " in Maple"."""
        asked = read_set(form)
        owner = SetPhrases(asked, self.said).owner()
        form = next(iter(owner.inner()), form) if owner is not None else form
        meant = self.said.meant(form)
        if not meant or (asked.kind == "event" and owner is None):
            return ""
        kb = self.said.kb
        if all(each in kb.rooms for each in meant):
            return f" in {self.said.listed([self.said.name(each) for each in meant])}"
        whose = self.said.phrase_of(meant).forms["possessive"]
        return f" of {templates()['own'].get(whose, whose)}"
