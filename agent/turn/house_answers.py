"""What the house says of itself, where the graph has no answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from frontdesk.agent.domains.query_answering import AnsweredQueries
from frontdesk.agent.understanding.house_questions import HouseQuestion, words_of
from frontdesk.agent.understanding.meaning import Meaning
from frontdesk.agent.understanding.visits import danger_told
from frontdesk.generation.answers.answer_wording import word_sources
from frontdesk.generation.answers.told_facts import told_facts
from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.rules.engine.query_answer import AnswerCore, AnswerKind, QueryAnswer
from frontdesk.scoring.passages import PassageIndex, Quotation
from frontdesk.scoring.ranked_fact import RankedFact

#: Answers queries and acts by the graph, in words.
Answer = Callable[[Sequence[Form], Sequence[Form]], AnsweredQueries]
_SPEAKER = frozenset({"me", "us"})
_WHY = Form("why")
#: Acts about something that is not in the graph, is brought, and about a danger.
_UNSUPPORTED, _DELIVER, _ALARM = "unsupported", "deliver", "alarm"
#: Acts that ask for something, but for nothing that the graph may have.
_IN_DOUBT = frozenset({_UNSUPPORTED, "help"})


def in_danger(meaning: Meaning, dialogue: DialogueGraph) -> Meaning:
    """A meaning where a danger was told of in one of the last turns: what else is not known is
    asked about that.

    Args:
        dialogue: With the utterance as its last turn.
    """
    in_doubt = not meaning.queries and bool(meaning.forms) and all(
        form.head in _IN_DOUBT for form in meaning.forms)
    danger = danger_told(dialogue) if in_doubt else None
    return replace(meaning, acts=(danger,)) if danger is not None else meaning


def with_house(answered: AnsweredQueries, meaning: Meaning, house: PassageIndex,
               questions: Mapping[Form, HouseQuestion], answer: Answer) -> AnsweredQueries:
    """What was asked with the words of the house where the graph has no answer.

    Args:
        answered: By the graph.
        meaning: What is asked.
        house: What may be told to who asks.
        questions: What forms of the utterance ask in words; one that has waited has its own.
        answer: Answers a part of what is asked.
    """
    danger = next((each for each in meaning.acts if each.head == _ALARM), None)
    if danger is not None and danger in meaning.forms:
        return _warned(answered, house.warning(questions[danger].topic))
    told = dict(_told(answered, meaning, house, questions))
    if danger is not None:  # told of before: what is asked may be about something else
        warning = house.warning(words_of(danger))
        if all(each.passage in [own.passage for own in warning] for each in told.values()):
            return _warned(answered, warning)
    if not told:
        return answered
    queries = [each for each in meaning.queries if each not in told]
    acts = [each for each in meaning.acts if each not in told
            and (queries or each.head == _UNSUPPORTED)]
    rest = answer(queries, acts) if queries or acts else _without_words(answered)
    return _quoting(rest, list(told.values()))


def with_source(answered: AnsweredQueries, meaning: Meaning, dialogue: DialogueGraph
                ) -> AnsweredQueries:
    """What was asked with where the house says what was told last, where it is asked why.

    Args:
        dialogue: With the utterance as its last turn.
    """
    sources = dialogue.quoted(dialogue.turns[-2]) if len(dialogue.turns) > 1 else ()
    return replace(_without_words(answered), text=word_sources(sources), core=AnswerCore()) \
        if sources and meaning.queries == (_WHY,) else answered


def _warned(answered: AnsweredQueries, found: Sequence[Quotation]) -> AnsweredQueries:
    """What is to be done about a danger; whom to call, where the house does not say that."""
    in_all = any(not each.passage.alarm for each in found)
    return _quoting(_without_words(answered) if in_all else answered, found, first=True)


def _told(answered: AnsweredQueries, meaning: Meaning, house: PassageIndex,
          questions: Mapping[Form, HouseQuestion]) -> Iterator[tuple[Form, Quotation]]:
    """What the house says to each thing that is asked and that the graph cannot answer."""
    in_danger = any(each.head == _ALARM for each in meaning.acts)
    topics = [*(each for each in meaning.acts if each.head == _UNSUPPORTED),
              *(each for each in meaning.forms if each.head == _DELIVER
                or (in_danger and each.head in _IN_DOUBT))]
    for form in (*(query for query, each in zip(meaning.queries, answered.answers, strict=True)
                   if _is_open(each)), *topics):
        asked = questions.get(form) or HouseQuestion(words_of(form), words_of(form))
        found = _found(house, asked) if asked.topic else None
        if found is not None:
            yield form, found


def _found(house: PassageIndex, asked: HouseQuestion) -> Quotation | None:
    """What answers a question by itself, or as it goes on with the one before."""
    alone, before = house.answering(asked.question, asked.topic), asked.before
    together = house.going_on(before.question, before.topic, asked.question, asked.topic) \
        if before is not None else None
    return max(filter(None, (alone, together)), key=lambda each: each.relevance, default=None)


def _is_open(answer: QueryAnswer) -> bool:
    """Whether the graph cannot tell, neither for want of time nor of who asks."""
    return answer.kind is AnswerKind.UNKNOWN and not answer.failed \
        and _SPEAKER.isdisjoint(answer.missing)


def _without_words(answered: AnsweredQueries) -> AnsweredQueries:
    return replace(answered, text="", asked_back=None, conditions=())


def _quoting(answered: AnsweredQueries, found: Sequence[Quotation], *, first: bool = False
             ) -> AnsweredQueries:
    quoted = tuple(dict.fromkeys(each for quotation in found for each in _sentences(quotation)))
    words = " ".join(each.text for each in quoted)
    parts = (words, answered.text) if first else (answered.text, words)
    return replace(answered, text=" ".join(filter(None, parts)), quoted=quoted, core=AnswerCore())


def _sentences(quotation: Quotation) -> list[RankedFact]:
    return told_facts(quotation.sentences, relevance=quotation.relevance,
                      source=quotation.passage.source)
