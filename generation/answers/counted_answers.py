"""What orders count, and numbers of each of several, in words."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.generation.answers.answer_phrases import AnswerPhrases, templates
from frontdesk.generation.answers.asked_sets import AskedSet, SetPhrases, number_word
from frontdesk.kg.english import phrases
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_answer import AnswerItem


class CountedAnswers:
    """Words the entities or days with the most or the fewest of something, and how many each of
    several has, in sentences without an end."""

    def __init__(self, said: AnswerPhrases, asked: AskedSet, words: SetPhrases) -> None:
        self.said, self.asked, self.words = said, asked, words

    def first(self, items: Sequence[AnswerItem], order: Form) -> str:
        """Who or what has the most or the fewest."""
        subject = self.said.phrase_of([str(each.value) for each in items])
        number = f"{number_word(items[0].number or 0)}{' each' if len(items) > 1 else ''}"
        verb, most = self._verb(order), "most" if order.head == "most" else "fewest"
        said = f"{subject} {subject.forms[verb]} the {most} {self._nouns(order)[1]}"
        return f"{said} {self.words.time()}".strip() + f": {number}"

    def nobody(self, order: Form) -> str:
        """That nobody and nothing has any."""
        who = templates()["nobody"]["named" if self.asked.among else self.asked.kind]
        verb = "organises" if self._verb(order) == "organise" else "has"
        return f"{who} {verb} any {self._nouns(order)[1]} {self.words.time()}".strip()

    def days(self, items: Sequence[AnswerItem]) -> str:
        """Days, with the number of what they have."""
        if not items:
            return f"there is no such day {self.words.time()}".strip()
        one, several = self._nouns(self.asked.order or Form("most"))
        number = items[0].number or 0
        said = f"{number_word(number)} {one if number == 1 else several}"
        return f"that is {self.dates(items)}, with {said}{' each' if len(items) > 1 else ''}"

    def dates(self, items: Sequence[AnswerItem]) -> str:
        """Days alone."""
        return phrases.say_list([
            phrases.say_on(each.value.date, self.said.today).removeprefix("on ")
            for each in items if isinstance(each.value, Window)])

    def numbers(self, sure: Sequence[AnswerItem], rest: Sequence[AnswerItem]) -> str:
        """How many each of several has, of the ``rest`` with how likely that is."""
        one, several = templates()["nouns"].get(self.asked.kind, ("", ""))
        said = []
        for place, each in enumerate((*sure, *rest)):
            number = int(each.value) if isinstance(each.value, int) else 0
            noun = "" if place else f" {one if number == 1 else several}".rstrip()
            count = "none" if place and not number else f"{number_word(number)}{noun}"
            hedge = "" if place < len(sure) else "probably " if is_likely([each]) else "perhaps "
            said.append(f"{hedge}{count} {self._beside(each.of)}")
        return f"{phrases.say_list(said)} {self.words.time()}".strip()

    def _beside(self, entity: str) -> str:
        head = next((each.head for each in self.asked.conditions
                     if any(part.head == "each" for part in each.inner())), "")
        frame = templates()["each_of"].get(f"{self.asked.kind}_{head}", "for {0}")
        return str(frame).format(self.said.name(entity))

    def _verb(self, order: Form) -> str:
        """The verb for what is counted has to do with whom it is counted for."""
        heads = {each.head for each in order.walk()}
        return "organise" if heads & {"organizer", "organises"} else "has"

    def _nouns(self, order: Form) -> Sequence[str]:
        """The noun for what is counted: one, several."""
        counted = next(iter(order.inner()), Form("event"))
        found: Sequence[str] = templates()["nouns"].get(counted.head, ("", ""))
        return found


def is_counted(item: AnswerItem) -> bool:
    """Whether a part of an answer is a number, or what was chosen by one."""
    return item.number is not None or isinstance(item.value, int)


def is_likely(items: Sequence[AnswerItem]) -> bool:
    """Whether each part of an answer is more likely than not."""
    return all(each.probability > 0.5 for each in items)
