"""What the reader learns of people's questions about sentences: answers, and claims made of them.

A question with its answer is a claim of the sentence, as Q² compares answers; with another answer
it is a false one. So is a sentence with one thing changed, beside the sentence as it was, and the
other way round.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from frontdesk.agent.training.reader.corrupted_texts import AUXILIARY, Corrupter
from frontdesk.agent.training.reader.pair_examples import (
    PairExample,
    contradicted,
    entailed,
    unrelated,
)
from frontdesk.data.datasets.qamr import AskedSentence
from frontdesk.generation.checks.q2.cloze_questions import ClozeQuestions
from frontdesk.generation.checks.q2.matching import answer_words
from frontdesk.generation.checks.q2.text_spans import TextSpans

QUESTIONS, CLAIMS, SENTENCES = "questions", "claims", "sentences"
#: How often a sentence has others beside it, and how many at the most.
_BESIDE, _MOST_BESIDE = 0.6, 6
_SHARE_ELSEWHERE, _SHARE_REMOVED = 0.22, 0.08
#: Versions of each sentence that are made.
_VERSIONS = 40
_WH_SUBJECT = re.compile(r"(?:who|what|which(?: \w+)?) (?!(?:do|does|did|is|are|was|were) )",
                         re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:] | - |(?<=\w) (?=and |but |which |who |while |because )")
#: What people say before what they tell.
OPENINGS = ("yes , ", "I think ", "oh , ", "did you know that ", "well , ", "I believe ",
            "sure ! ", "actually , ", "that 's interesting . ", "cool , ", "no , but ",
            "I heard that ", "it 's great . ", "right , ", "they say that ")

_PRONOUNS = ("it", "they", "he", "she", "that", "this")


class QuestionPairs:
    """Makes examples of sentences with questions.

    Args:
        sentences: Those of a text have the same document.
        rng: All is drawn from it.
    """

    def __init__(self, sentences: Sequence[AskedSentence], rng: random.Random) -> None:
        self.sentences = sentences
        self._rng = rng
        self._corrupter = Corrupter((each.text for each in sentences), rng)
        self._documents: dict[str, list[AskedSentence]] = defaultdict(list)
        self._answers: dict[str, list[str]] = defaultdict(list)
        for each in sentences:
            self._documents[each.document].append(each)
            for question, answers in each.questions:
                self._answers[_asked(question)] += answers

    def make(self) -> Iterator[PairExample]:
        """All examples."""
        for sentence in self.sentences:
            for question, answers in sentence.questions:
                yield self._question(sentence, question, answers)
                yield from self._claims(sentence, question, answers)
            yield from self._clozes(sentence)
            for _ in range(_VERSIONS):
                yield from sentence_pairs(sentence.text, self._knowledge(sentence),
                                          self._corrupter, self._rng, SENTENCES)

    # --- questions

    def _question(self, sentence: AskedSentence, question: str, answers: Sequence[str]
                  ) -> PairExample:
        said = [each for each in answers if each in sentence.text]
        draw = self._rng.random()
        if draw < _SHARE_ELSEWHERE or not said:
            return PairExample(QUESTIONS, question, self._elsewhere(sentence))
        answer = self._rng.choice(said)
        if draw < _SHARE_ELSEWHERE + _SHARE_REMOVED:
            left = sentence.text
            for each in sorted(said, key=len, reverse=True):
                left = left.replace(each, " ")
            if len(left) > len(sentence.text) / 2:
                return PairExample(QUESTIONS, question, " ".join(left.split()))
        return self._answered(sentence, question, answer)

    def _answered(self, sentence: AskedSentence, question: str, answer: str) -> PairExample:
        knowledge = self._knowledge(sentence)
        start = knowledge.index(sentence.text) + sentence.text.index(answer)
        return PairExample(QUESTIONS, question, knowledge, (start, start + len(answer)))

    def _clozes(self, sentence: AskedSentence) -> Iterator[PairExample]:
        """Questions as Q² asks them of a reply, which the reply itself answers."""
        spans = TextSpans().select([sentence.text])[0]
        asked = ClozeQuestions().ask([(sentence.text, span) for span in spans], 2)
        for span, questions in zip(spans, asked, strict=True):
            yield PairExample(QUESTIONS, self._rng.choice(questions), sentence.text,
                              (span.start, span.end))

    # --- claims

    def _claims(self, sentence: AskedSentence, question: str, answers: Sequence[str]
                ) -> Iterator[PairExample]:
        answer, knowledge = self._rng.choice(answers), self._knowledge(sentence)
        claim = self._claim(question, answer)
        yield entailed(CLAIMS, claim, knowledge)
        wrong = self._wrong(sentence, question, answers)
        if wrong:
            false = self._claim(question, wrong)
            yield contradicted(CLAIMS, false, knowledge) if self._rng.random() < 0.7 else \
                contradicted(CLAIMS, f"{question} {wrong}", f"{question} {answer}")
        draw = self._rng.random()
        if draw < 0.3:
            yield unrelated(CLAIMS, claim, self._elsewhere(sentence))
        elif draw < 0.6 and len(answers) > 1:
            yield entailed(CLAIMS, f"{question} {answers[0]}", f"{question} {answers[1]}")
        elif answer in sentence.text and (changed := self._changed(sentence, answer)):
            # The knowledge is another, and the claim as people would make it.
            yield contradicted(CLAIMS, claim, knowledge.replace(sentence.text, changed))

    def _changed(self, sentence: AskedSentence, answer: str) -> str:
        """The sentence with something else in the place of an answer; empty where nothing is known.
        """
        found = self._corrupter.swapped(answer, sentence.text)
        return sentence.text.replace(answer, found[0]) if found else ""

    def _claim(self, question: str, answer: str) -> str:
        """A question and its answer, as one sentence where the answer is the subject."""
        opening = self._rng.choice(OPENINGS) if self._rng.random() < 0.3 else ""
        found = _WH_SUBJECT.match(question)
        if found and self._rng.random() < 0.7:
            return f"{opening}{answer} {question[found.end():].rstrip('? ')}."
        return f"{opening}{question} {answer}"

    def _wrong(self, sentence: AskedSentence, question: str, answers: Sequence[str]) -> str:
        """An answer that is none: one to another question about the sentence, or a changed one."""
        right = {word for each in answers for word in answer_words(each)}
        pool = self._answers[_asked(question)]
        others = [other for asked, own in sentence.questions for other in own
                  if asked != question] \
            if self._rng.random() < 0.4 else self._rng.sample(pool, min(8, len(pool)))
        if self._rng.random() < 0.5:
            found = self._corrupter.swapped(self._rng.choice(answers), sentence.text)
            others = [found[0]] if found else others
        fitting = [each for each in others if right.isdisjoint(answer_words(each))]
        return self._rng.choice(fitting) if fitting else ""

    # --- knowledge

    def _knowledge(self, sentence: AskedSentence) -> str:
        """The sentence, often among others."""
        if self._rng.random() > _BESIDE:
            return sentence.text
        beside = [*self._beside(sentence), sentence.text]
        self._rng.shuffle(beside)
        return "\n".join(beside)

    def _elsewhere(self, sentence: AskedSentence) -> str:
        return "\n".join(self._beside(sentence))

    def _beside(self, sentence: AskedSentence) -> list[str]:
        """Other sentences, those of the same text the most often."""
        own = [each.text for each in self._documents[sentence.document] if each is not sentence]
        count = self._rng.randint(1, _MOST_BESIDE)
        near = self._rng.sample(own, min(len(own), self._rng.randint(0, count)))
        return [*near, *(self._rng.choice(self.sentences).text for _ in range(count - len(near)))]


def _asked(question: str) -> str:
    """What a question asks for, by how it begins."""
    return " ".join(question.casefold().split()[:2])


def sentence_pairs(sentence: str, knowledge: str, corrupter: Corrupter, rng: random.Random,
                   source: str, small_talk: Sequence[str] = OPENINGS) -> Iterator[PairExample]:
    """A sentence of a knowledge as a reply has it, in whole or in part, and changed so that it is
    false.

    Args:
        knowledge: That has the sentence.
        small_talk: Of which something may stand before what is said.
    """
    clauses = [each for each in _CLAUSE.split(sentence) if len(each.split()) > 3]
    said = rng.choice(clauses) if clauses and rng.random() < 0.5 else sentence
    opening = rng.choice(small_talk) if rng.random() < 0.5 else ""
    wrong = corrupter.corrupted(said, knowledge)
    true, false = said, wrong or said
    if rng.random() < 0.3:
        pronoun = rng.choice(_PRONOUNS)
        true, false = (_with_subject(pronoun, each) for each in (true, false))
    if true == false:  # what was changed is not said any more
        true, false = said, wrong or said
    draw = rng.random()
    if wrong is None or draw < 0.35:
        yield entailed(source, opening + true, knowledge)
    elif draw < 0.65:
        yield contradicted(source, opening + false, knowledge)
    elif draw < 0.9:
        yield contradicted(source, opening + true, knowledge.replace(said, wrong))
    else:
        # What is odd may be said where the knowledge says it too.
        yield entailed(source, opening + false, knowledge.replace(said, wrong))


def _with_subject(pronoun: str, text: str) -> str:
    """A text with a pronoun for all that stands before its first auxiliary, if it has one."""
    found = AUXILIARY.search(text)
    return f"{pronoun} {text[found.start():]}" if found else text
