"""Replies that say no more than what was asked for, "In Elm.", as whole sentences.

What they leave out is in the question and in a sentence of the knowledge: "Where is the sync?" and
"The sync is in Alder." make "The sync is in Elm." of it, which can be asked about.
"""

from __future__ import annotations

import re

from frontdesk.generation.checks.q2.components import SpanSelector
from frontdesk.generation.checks.q2.matching import answer_words
from frontdesk.generation.checks.q2.text_spans import split_sentences
from frontdesk.generation.voice.negation import NEGATION

_WORD = re.compile(r"[^\W_]+(?:[-'’:.][^\W_]+)*")


def with_fragments_completed(reply: str, asked: str, knowledge: str, spans: SpanSelector) -> str:
    """A reply with its fragments as sentences.

    Args:
        asked: What it answers; may be empty.
        knowledge: What it may rest on.

    Example:
        >>> from frontdesk.generation.checks.q2.text_spans import TextSpans
        >>> with_fragments_completed("In Elm.", "Where is the sync?", "The sync is in Alder.",
        ...                          TextSpans())
        'The sync is in Elm.'
    """
    told = [text for _, text in split_sentences(knowledge) if not NEGATION.search(text)]
    said, at = "", 0
    for start, sentence in split_sentences(reply):
        said += reply[at:start] + _completed(sentence, asked, told, spans)
        at = start + len(sentence)
    return said + reply[at:]


def _completed(sentence: str, asked: str, told: list[str], spans: SpanSelector) -> str:
    words, question = answer_words(sentence), {*answer_words(asked)}
    about = _span_words(asked, spans)
    if not words or not _span_words(sentence, spans) or not question.isdisjoint(words):
        return sentence
    best, found = (0, 0), sentence
    for text in told:
        own = answer_words(text)
        shared = len(about.intersection(own)), len({*words} & {*own})
        if shared <= best or (about and not shared[0]):
            continue
        if len(words) < len(own) and any(own[at:at + len(words)] == words
                                         for at in range(len(own))):
            best, found = shared, text
        elif about and (whole := _in_its_place(sentence, text, question, spans)):
            best, found = shared, whole
    return found


def _in_its_place(sentence: str, text: str, question: set[str], spans: SpanSelector) -> str:
    """A sentence of the knowledge with a fragment where it tells what was asked; else empty."""
    open_ = [each for each in _WORD.finditer(text)
             if not question.issuperset(answer_words(each[0]))]
    empty = {*answer_words(sentence)} - _span_words(sentence, spans)
    if not open_ or not empty <= {word for each in open_ for word in answer_words(each[0])}:
        return ""
    first, *_ = _WORD.findall(sentence)
    start = next((each.start() for each in open_ if each[0].casefold() == first.casefold()),
                 open_[0].start())
    if first.casefold() in empty:
        sentence = sentence[:1].lower() + sentence[1:]
    return text[:start] + sentence.rstrip(".!?") + text[open_[-1].end():]


def _span_words(text: str, spans: SpanSelector) -> set[str]:
    return {word for span in spans.select([text])[0] for word in answer_words(span.text)}
