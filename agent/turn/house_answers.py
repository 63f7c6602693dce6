"""What the house says of itself, where the graph has no answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from frontdesk.agent.domains.query_answering import AnsweredQueries
from frontdesk.agent.understanding.meaning import Meaning
from frontdesk.generation.answers.told_facts import told_facts
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.rules.engine.query_answer import AnswerCore, AnswerKind, QueryAnswer
from frontdesk.scoring.passages import PassageIndex, Quotation
from frontdesk.scoring.ranked_fact import RankedFact

#: Answers queries and acts by the graph, in words.
Answer = Callable[[Sequence[Form], Sequence[Form]], AnsweredQueries]
_SPEAKER = frozenset({"me", "us"})
#: Acts about something that is not in the graph, and about a danger.
_UNSUPPORTED, _ALARM = "unsupported", "alarm"


def with_house(answered: AnsweredQueries, meaning: Meaning, house: PassageIndex, said: str,
               answer: Answer) -> AnsweredQueries:
    """What was asked with the words of the house where the graph has no answer.

    Args:
        answered: By the graph.
        meaning: What is asked.
        house: What may be told to who asks.
        said: Their words; the relevance of passages is for these.
        answer: Answers a part of what is asked.
    """
    if meaning.warns:
        return _warned(answered, house, meaning.acts, said)
    told = dict(_told(answered, meaning, house, said))
    if not told:
        return answered
    queries = [each for each in meaning.queries if each not in told]
    acts = [each for each in meaning.acts if each not in told
            and (queries or each.head == _UNSUPPORTED)]
    rest = answer(queries, acts) if queries or acts else _without_words(answered)
    return _quoting(rest, list(told.values()))


def _warned(answered: AnsweredQueries, house: PassageIndex, acts: Sequence[Form], said: str
            ) -> AnsweredQueries:
    """What is to be done about a danger; whom to call, where the house does not say that."""
    found = house.warning(_words(acts) or said)
    in_all = any(not each.passage.alarm for each in found)
    return _quoting(_without_words(answered) if in_all else answered, found, first=True)


def _told(answered: AnsweredQueries, meaning: Meaning, house: PassageIndex, said: str
          ) -> Iterator[tuple[Form, Quotation]]:
    """What the house says to each thing that is asked and that the graph cannot answer."""
    topics = [each for each in meaning.acts if each.head == _UNSUPPORTED]
    alone = len(meaning.forms) == 1  # else their words are of something else, too
    for form in (*(query for query, each in zip(meaning.queries, answered.answers, strict=True)
                   if _is_open(each)), *topics):
        words = _words([form]) or said
        found = house.answering(said if alone else words, words)
        if found is not None:
            yield form, found


def _is_open(answer: QueryAnswer) -> bool:
    """Whether the graph cannot tell, neither for want of time nor of who asks."""
    return answer.kind is AnswerKind.UNKNOWN and not answer.failed \
        and _SPEAKER.isdisjoint(answer.missing)


def _words(forms: Sequence[Form]) -> str:
    """The words that forms have of an utterance."""
    return " ".join(dict.fromkeys(span.text for form in forms for part in form.walk()
                                  for span in part.spans()))


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
