"""The answers of queries in short spoken English: the answer first, then what helps most.

The words are those of ``answer_wording.toml`` and of the schema. Nothing is said that is not in the
answer, but for the names and the times of the events in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from frontdesk.generation.answers.answer_doubts import AnswerDoubts, LeftOpen
from frontdesk.generation.answers.answer_phrases import AnswerPhrases, go_on, templates
from frontdesk.generation.answers.clash_answers import ClashAnswers
from frontdesk.generation.answers.derived_answers import say_derived
from frontdesk.generation.answers.place_answers import PlaceAnswers, TimeAnswers
from frontdesk.generation.answers.set_answers import SetAnswers
from frontdesk.generation.answers.state_answers import part, verdict
from frontdesk.generation.answers.statement_answers import StatementAnswers
from frontdesk.generation.answers.value_answers import ValueAnswers, say_reasons
from frontdesk.kg.english.lexicon import CLAUSE_WORDS
from frontdesk.kg.english.phrases import capitalise
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_answer import AnswerKind, QueryAnswer, Resolution

#: Facts by which it is said why, at most.
_MOST_REASONS = 3
_ONE = {"people": "person", "rooms": "room", "events": "event"}

#: Characters of a topic that is named back, at most.
_LONGEST_TOPIC = 60


def word_answer(answer: QueryAnswer, verbaliser: Verbaliser, *,
                resolution: Resolution | None = None, just_said: Iterable[str] = (),
                it_is_taken: bool = False) -> str:
    """An answer in words.

    Args:
        verbaliser: Says names, times and facts; knows the graph, the present and who is addressed.
        resolution: What the forms of the query mean; without it what is not in the answer is
            called as in the question, and no question is asked back.
        just_said: Ids of who and what the sentence before named; they are not named again.
        it_is_taken: Whether "it" would mean something else: what is being arranged, or what else
            was asked about.

    Returns:
        One sentence or a few, each with its end.
    """
    said = AnswerPhrases(answer, verbaliser, resolution, just_said, it_is_taken=it_is_taken)
    doubts = AnswerDoubts(said)
    question = doubts.question()
    if question:
        return question
    if answer.parts and answer.query.head not in ("holds", "why"):  # of each of several
        return " ".join(word_answer(each, verbaliser, resolution=resolution, just_said=just_said,
                                    it_is_taken=it_is_taken) for each in answer.parts)
    body = say_derived(said) or ("" if answer.kind is AnswerKind.UNKNOWN else _body(said)) \
        or doubts.unknown()
    if hours := doubts.uncertain_hours(body):
        body = f"{body.removesuffix('.')}, {hours}"
    if_meant = doubts.condition()
    text = f"{if_meant}{go_on(body)}" if if_meant else capitalise(body)
    return " ".join(_sentence(each) for each in (
        doubts.presumption(), text, *map(capitalise, answer.notes)) if each)


def left_open(answer: QueryAnswer, verbaliser: Verbaliser, resolution: Resolution
              ) -> LeftOpen | None:
    """The reference whose meaning an answer leaves to the user; None where it leaves none."""
    return AnswerDoubts(AnswerPhrases(answer, verbaliser, resolution)).left_open()


def condition(answer: QueryAnswer, verbaliser: Verbaliser, resolution: Resolution) -> str:
    """On what condition an answer is right, as its words begin; empty where on none."""
    return AnswerDoubts(AnswerPhrases(answer, verbaliser, resolution)).condition()


def word_answers(answers: Sequence[QueryAnswer], verbaliser: Verbaliser, *,
                 resolutions: Sequence[Resolution | None] = (), arranging: bool = False) -> str:
    """The answers of an utterance that asked several things, one after the other.

    What the answer before was about alone, and what it named, is not named again.

    Args:
        answers: In the order in which they were asked.
        verbaliser: Says names, times and facts.
        resolutions: Of each, as far as there are any.
        arranging: Whether something is being arranged.
    """
    said: list[str] = []
    of_others = len({answer.about for answer in answers}) > 1
    for place, answer in enumerate(answers):
        before = answers[place - 1] if place else None
        known = [*answer.about, *(str(each.value) for each in before.items)] \
            if before is not None and len(answer.about) == 1 and before.about == answer.about \
            else ()
        words = word_answer(answer, verbaliser, just_said=known,
                            it_is_taken=arranging or of_others,
                            resolution=resolutions[place] if place < len(resolutions) else None)
        if words not in said:
            said.append(words)
    return " ".join(said)


def word_acts(acts: Sequence[Form]) -> str:
    """What is replied to acts that ask nothing of the graph.

    Args:
        acts: In order; of courtesies the last one is replied to.
    """
    said = [(act.head, words) for act in acts if (words := _word_act(act))]
    needed = [words for head, words in said if head in ("alarm", "unsupported", "request")]
    return " ".join(dict.fromkeys(needed or [words for _, words in said[-1:]]))


def word_sources(sources: Sequence[str]) -> str:
    """Why something was told that is quoted.

    Args:
        sources: Where the passages stand, at least one.
    """
    return str(templates()["house"]["source"]).format("; ".join(sources))


def _word_act(act: Form) -> str:
    """What is replied to an act; empty where nothing is."""
    table = templates()["acts"]
    if act.head == "request":
        return next(str(templates()["requests"][each.head]) for each in act.inner())
    if act.head == "unsupported":
        words = " ".join(span.text for span in act.spans())
        if not CLAUSE_WORDS.isdisjoint(word.text for word in split_words(words)):
            return str(table["clause"])
        named = 0 < len(words) <= _LONGEST_TOPIC
        return str(table["topic"]).format(words) if named else str(table["no_topic"])
    return str(table.get(act.head, ""))


def _body(said: AnswerPhrases) -> str:
    """The answer as a sentence without an end; empty where it has nothing to tell."""
    answer, query = said.answer, said.answer.query
    argument = part(query)
    times = tuple(each for each in query.arguments[1:] if isinstance(each, Form))
    if query.head == "why" and not query.arguments:
        reasons = say_reasons(said, answer.reasons[:_MOST_REASONS])
        return f"because {reasons}" if reasons else ""
    if query.head in ("holds", "why") and answer.holds is not None:
        statements = StatementAnswers(said)
        word = statements.word if query.head == "holds" else statements.reason
        return word(argument, answer.told)
    if answer.kind is AnswerKind.YES_NO:
        entities = SetAnswers(said, argument, times)
        return verdict(answer.told, entities.which, entities.none)
    if answer.kind is AnswerKind.ABOUT:
        return ValueAnswers(said).about()
    if answer.kind is AnswerKind.COUNT:
        return SetAnswers(said, argument, times).count()
    if query.head == "which":
        return SetAnswers(said, argument, times).which()
    return _property(said)


def _property(said: AnswerPhrases) -> str:
    """When, where or what something of entities is."""
    answer, query = said.answer, said.answer.query
    if answer.kind is AnswerKind.TIMES:
        if part(query).head == "clash":
            return ClashAnswers(said).when(part(query))
        if not answer.items and (argument := query.arguments[0]) and isinstance(argument, Form) \
                and argument.head == "free":
            return TimeAnswers(said).nothing_free()
        return TimeAnswers(said).sentence(query)
    if answer.kind is AnswerKind.ENTITIES and all(not each.of for each in answer.items):
        return SetAnswers(said, _related_set(query, said)).which()
    if not answer.items:
        return ""
    if answer.kind is AnswerKind.PLACES and query.head in ("where", "location"):
        return PlaceAnswers(said).sentence(answer.items)
    if query.head in ("starts", "ends", "when") and any(
            isinstance(each.value, Window) for each in answer.items):
        return TimeAnswers(said).sentence(query)
    return ValueAnswers(said).sentence(query)


def _related_set(query: Form, said: AnswerPhrases) -> Form:
    """What a predicate relates something to, as a set: ``(person (organizer (event …)))``."""
    given = next(iter(query.inner()), Form("-"))
    kinds = [str(said.kb.entity(str(each.value)).type) for each in said.answer.items
             if each.value in said.kb]
    row = said.verbaliser.schema.get(query.head)
    own = {str(said.kb.entity(each).type) for each in said.meant(given) if each in said.kb}
    kinds += [_ONE.get(str(each), str(each)) for each in (row.arguments if row else ())
              if _ONE.get(str(each), str(each)) not in own]
    times = [each for each in query.arguments[1:] if isinstance(each, Form)]
    return Form(kinds[0] if kinds else "thing", (Form(query.head, (given,)), *times))


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."
