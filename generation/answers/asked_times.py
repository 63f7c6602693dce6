"""The times that a question speaks of, and answers that are not about them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from frontdesk.generation.answers.answer_facts import Answer
from frontdesk.kg.english.phrases import capitalise
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.mentions import Observation
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.linking.linking import LinkedMention
from frontdesk.scoring.ranked_fact import RankedFact


class AskedTimes:
    """The times of a question, but the present.

    Args:
        observation: The question.
        verbaliser: Says times and knows the calendar.
    """

    def __init__(self, observation: Observation, verbaliser: Verbaliser) -> None:
        self.observation, self.verbaliser = observation, verbaliser
        self.windows: list[Window] = [window for window in observation.windows()
                                      if window.kind is not WindowKind.NOW]

    def beyond_calendar(self) -> str:
        """Words for where the calendar ends when all times asked of are beyond it, else empty."""
        span = self.verbaliser.kb.calendar_days()
        if span is None or not self.windows or not self.observation.asks:
            return ""
        first, last = span
        today = self.verbaliser.today
        if all(window.date > max(last, today + dt.timedelta(days=1)) for window in self.windows):
            return "I cannot say: the calendar does not go that far ahead."
        if all(window.date < min(first, today) for window in self.windows):
            return "I cannot say: the calendar does not go that far back."
        return ""

    def is_answer_of_another(self, answer: Answer, links: Sequence[LinkedMention]) -> bool:
        """Whether an answer is about an event that is neither spoken of nor at these times."""
        about = answer.facts[0].fact.arguments[0]
        event = self.verbaliser.kb.events.get(str(about))
        return event is not None and bool(self.windows) and not any(
            window.overlaps(event.start, event.end) for window in self.windows) and not any(
            link.entity == about for linked in links for link in linked.links)

    def not_then(self, answer: Answer, knowledge: Sequence[RankedFact]
                 ) -> tuple[str, RankedFact] | None:
        """Words for that an event is not at these times, with the fact when it is."""
        subject = answer.facts[0].fact.arguments[0]
        events = self.verbaliser.kb.events
        if (not self.windows or len(answer.facts) > 1 or not isinstance(subject, str)
                or subject not in events):
            return None
        event = events[subject]
        if any(window.overlaps(event.start, event.end) or window.date in event.days()
               for window in self.windows):
            return None
        when = next((fact for fact in knowledge if fact.fact.predicate == "takes_place"
                     and fact.fact.arguments[0] == subject), None)
        if when is None:
            return None
        text = (f"{capitalise(self.verbaliser.name(subject))} is not "
                f"{self.verbaliser.window(self.windows[0])}. {when.text}")
        return ("No. " if self.observation.polar else "") + text, when
