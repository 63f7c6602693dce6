"""Replies in which "it" and "she" are said by name, so that each sentence can be asked about alone.

What they stand for is the last subject that fits: what the question speaks of, then what each
sentence begins with, as far as the knowledge speaks of it too; else the one of that kind that the
sentences of the knowledge begin with, if there is no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from frontdesk.generation.checks.q2.components import SpanSelector
from frontdesk.generation.checks.q2.text_spans import split_sentences
from frontdesk.kg.english.lexicon import POSSESSIVES
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.kg.names.noun_phrases import pronouns

_THE = "the "


def with_subjects_named(reply: str, asked: str, knowledge: str, spans: SpanSelector) -> str:
    """A reply with its subjects by name.

    Args:
        asked: What it answers; may be empty.
        knowledge: What it may rest on.
        spans: Marks what subjects may be.

    Example:
        >>> from frontdesk.generation.checks.q2.text_spans import TextSpans
        >>> with_subjects_named("It is in Elm. Ola Moe runs it.", "Where is the sync?",
        ...                     "Ola Moe runs the sync.", TextSpans())
        'The sync is in Elm. Ola Moe runs the sync.'
    """
    texts = f"{asked}\n{reply}\n{knowledge}"
    subjects, told = list[str](), list[str]()
    if pronouns(reply):
        subjects = [*_subjects(asked, knowledge, texts, spans)]
        told = [subject for _, sentence in split_sentences(knowledge)
                for subject in [*_subjects(sentence, knowledge, texts, spans)][:1]
                if not asked or pronouns(asked)]
    said, at = "", 0
    for start, sentence in split_sentences(reply):
        named = sentence
        for mention in reversed(pronouns(sentence)):
            stands_for = _fitting(mention, subjects) or _fitting(mention, told, alone=True)
            if stands_for:
                rest = named[mention.end:]
                named = named[:mention.start] + _without_verb(stands_for, rest) + rest
        said += reply[at:start] + named[:1].upper() + named[1:]
        at = start + len(sentence)
        subjects += [*_subjects(named, knowledge, texts, spans)][:1]
    return said + reply[at:]


def _subjects(text: str, knowledge: str, texts: str, spans: SpanSelector) -> Iterator[str]:
    """The spans of a text of which the knowledge speaks, with their article.

    Of "lens talk starts" the words are taken that are said together most often.
    """
    for span in spans.select([text])[0]:
        words = span.text.split()
        subject = max((" ".join(words[:count]) for count in range(1, len(words) + 1)),
                      key=lambda each: (_times(each, texts), len(each)))
        if _times(subject, knowledge):
            has_article = text[:span.start].casefold().endswith(_THE)
            yield _THE + subject if has_article else subject


def _times(words: str, text: str) -> int:
    return len(re.findall(rf"\b{re.escape(words)}\b", text, re.IGNORECASE))


def _without_verb(subject: str, rest: str) -> str:
    """A subject without the words at its end that what follows says too: "the sync starts"."""
    words, following = subject.split(), rest.split()
    for count in range(len(words) - 1, 0, -1):
        if words[-count:] == following[:count]:
            return " ".join(words[:-count])
    return subject


def _fitting(mention: Mention, subjects: list[str], *, alone: bool = False) -> str:
    """The last subject that fits a pronoun; where it must be alone, only if no other fits."""
    if mention.kind is not MentionKind.PRONOUN:
        return ""
    is_person = mention.types == {ArgumentType.PERSON}
    fitting = [each for each in subjects if _may_be_person(each) is is_person]
    found = "" if not fitting or (alone and len({*map(str.casefold, fitting)}) > 1) \
        else fitting[-1]
    return f"{found}'s" if found and mention.text.lower() in POSSESSIVES else found


def _may_be_person(subject: str) -> bool:
    """Whether a subject is written as people's names are, without an article."""
    return all(word[:1].isupper() for word in subject.split())
