"""What house rules derive, in the words of their own sentences."""

from __future__ import annotations

from frontdesk.generation.answers.answer_phrases import AnswerPhrases, go_on
from frontdesk.kg.graph.facts import Argument, Fact
from frontdesk.kg.graph.logical_forms import CORE
from frontdesk.kg.graph.schema import PREDICATES, ArgumentType
from frontdesk.kg.graph.windows import now_window

#: Sentences that are said at most; the rest is counted.
_MOST_SENTENCES = 6
_LISTS = (ArgumentType.PEOPLE, ArgumentType.ROOMS, ArgumentType.EVENTS)


def say_derived(said: AnswerPhrases) -> str:
    """The facts of house rules that answer, as a sentence without an end; empty without any.

    There is no yes or no before them: what was asked may be the opposite of what they say.
    """
    facts = [each for each in said.answer.reasons if each.predicate not in PREDICATES]
    told = [said.fact(each).removesuffix(".") for each in dict.fromkeys(facts)]
    more = len(told) - _MOST_SENTENCES
    return "; ".join([*told[:_MOST_SENTENCES], *([f"and {more} more"] if more > 0 else [])])


def say_underived(said: AnswerPhrases) -> str:
    """That it is not known whether something is so; empty where no house rule is asked."""
    schema, query = said.verbaliser.schema, said.answer.query
    asked = next((each for each in query.walk()
                  if each.head in schema and each.head not in (*PREDICATES, *CORE)), None)
    subject = next(iter(asked.inner()), None) \
        if asked is not None and query.head == "holds" else None
    if asked is None or subject is None or not schema[asked.head].is_state:
        return "I have no information on that" if asked is not None else ""
    meant = said.meant(subject)
    if not meant:
        return ""
    several = schema[asked.head].arguments[0] in _LISTS
    arguments: tuple[Argument, ...] = (meant if several else meant[0],)
    if len(schema[asked.head].arguments) > 1:
        arguments = (*arguments, said.answer.window or now_window(said.now))
    return f"I don't know whether {go_on(said.fact(Fact(asked.head, arguments)))}" \
        .removesuffix(".")
