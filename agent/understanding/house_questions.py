"""What an utterance asks of the house: the questions for which passages of its documents are
relevant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from frontdesk.agent.understanding.meaning import Meaning, forms_of
from frontdesk.agent.understanding.revised_query import comes_for
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph
from frontdesk.kg.graph.logical_forms import Form

#: Questions in a row that are about one passage, at most.
_LONGEST = 3


@dataclass(frozen=True)
class HouseQuestion:
    """What a form asks, in words.

    Args:
        question: As it was asked.
        topic: What it is about.
        before: What it may go on with; None where nothing.
    """

    question: str
    topic: str
    before: HouseQuestion | None = None


#: What somebody who brings something wants to know, and what they ask after it goes on with.
_DELIVERY = HouseQuestion("Where can deliveries be left?", "deliveries")
_BROUGHT = HouseQuestion("I have a delivery.", "delivery")


def house_questions(meaning: Meaning, said: str, before: HouseQuestion | None = None
                    ) -> Mapping[Form, HouseQuestion]:
    """What each query and act of an utterance asks of the house, in the words of the utterance.

    Args:
        said: The utterance.
        before: What it may go on with.
    """
    alone = len(meaning.forms) == 1  # else its words are of something else, too
    deliveries = [form for form in meaning.forms if form.head == "deliver"]
    for_whom = [each for form in deliveries for each in comes_for(form)]
    topics = {form: words_of(form) or said for form in (*meaning.queries, *meaning.acts)
              if not any(each in for_whom for each in form.arguments)}
    return {**{form: HouseQuestion(said if alone else topic, topic, before)
               for form, topic in topics.items()}, **dict.fromkeys(deliveries, _DELIVERY)}


def asked_before(dialogue: DialogueGraph) -> HouseQuestion | None:
    """What the house was asked last, which the next utterance may go on with: something is brought,
    or what was asked was answered with a passage.

    Args:
        dialogue: Before the utterance.
    """
    turns = dialogue.turns
    asked = [(said, reply) for said, reply in pairwise(turns)
             if dialogue.speaker(said) == USER][-_LONGEST:]
    if not asked:
        return None
    if any(form.head == "deliver" for form in forms_of(dialogue, asked[-1][0])):
        return _BROUGHT
    passages = dialogue.quoted(asked[-1][1])
    about: list[str] = []
    for said, reply in reversed(asked):
        if not passages or dialogue.quoted(reply) != passages:
            break
        about.insert(0, said)
    return HouseQuestion(" ".join(dialogue.text(said) for said in about), " ".join(
        words for said in about for form in forms_of(dialogue, said)
        if (words := words_of(form)))) if about else None


def words_of(form: Form) -> str:
    """The words that a form has of an utterance."""
    return " ".join(dict.fromkeys(
        span.text for part in form.walk() for span in part.spans()))
