"""Names that nobody knows: after "my name is", after "called", capitalised, with a number."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from frontdesk.kg.english import lexicon
from frontdesk.kg.english.vocabulary import is_name_word
from frontdesk.kg.english.words import Word, singular, split_words
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.schema import TYPE_NOUNS, ArgumentType

_POSSESSIVE = ("'s", "’s")


def introductions(text: str, taken: Callable[[int, int], bool]) -> list[Mention]:
    """The name in "my name is ...", known or not."""
    mentions = []
    for match in lexicon.INTRODUCTION.finditer(text):
        rest = text[match.end():]
        words = split_words(rest[:60])
        name: list[Word] = []
        for word in words:
            joined = not name or rest[name[-1].end:word.start].strip(" ") in ("", "-", "'")
            if word.text in lexicon.COMMON_WORDS or len(name) == 3 or not joined:
                break
            if lexicon.is_weak_introduction(match.group()) and not word.original[:1].isupper():
                break
            name.append(word)
        if name:
            start, end = match.end() + name[0].start, match.end() + name[-1].end
            if not taken(start, end):
                mentions.append(Mention(text[start:end], start, end, MentionKind.NAME,
                                        types=frozenset({ArgumentType.PERSON})))
    return mentions


def called_names(text: str) -> list[Mention]:
    """The unknown name in "a meeting called ..."."""
    mentions = []
    for match in lexicon.CALLED.finditer(text):
        rest = text[match.end():]
        stop = lexicon.CLAUSE_END.search(rest)
        words = split_words(rest[:stop.start()] if stop else rest)[:6]
        if words:
            start, end = match.end() + words[0].start, match.end() + words[-1].end
            before = split_words(text[:match.start()])
            noun = TYPE_NOUNS.get(singular(before[-1].text)) if before else None
            mentions.append(Mention(text[start:end], start, end, MentionKind.NAME,
                                    types=frozenset({noun} if noun else ())))
    return mentions


def capitalised_names(text: str) -> list[Mention]:
    """Names that nobody knows: capitalised words that are no common words."""
    mentions = []
    words = split_words(text)
    position = 0
    while position < len(words):
        first = position
        while position < len(words) and is_name_word(words[position]) and (
                position == first
                or text[words[position - 1].end:words[position].start] in (" ", "-")):
            position += 1
        length = position - first
        if length == 0:
            position += 1
            continue
        start, end = words[first].start, words[position - 1].end
        sentence_start = not text[:start].strip() or text[:start].rstrip()[-1] in ".!?"
        if sentence_start and length == 1 and not re.match(r"['’]s\b", text[end:]):
            continue
        mentions.append(Mention(text[start:end], start, end, MentionKind.NAME))
    return mentions


def numbered_rooms(text: str) -> list[Mention]:
    """Rooms by their number: "room 327"."""
    return [Mention(match.group(), *match.span(), MentionKind.NAME,
                    types=frozenset({ArgumentType.ROOM}), query=match[1])
            for match in re.finditer(r"\b(?:room|office)(?:\s+number)?\s+([A-Z]?\d{1,5}[a-z]?)\b",
                                     text, re.IGNORECASE)]


def mark_introductions(text: str, mentions: list[Mention]) -> list[Mention]:
    """Mark the names with which a speaker introduces themselves."""
    marked = []
    for mention in mentions:
        lead = next((match for match in lexicon.INTRODUCTION.finditer(text)
                     if match.end() <= mention.start
                     and not lexicon.SUPPOSED.search(text[:match.start()])
                     and lexicon.TITLE.fullmatch(text[match.end():mention.start])), None)
        signed = (lexicon.SIGNED.match(text[mention.end:])
                  and lexicon.BEFORE_SIGNED.fullmatch(text[:mention.start]))
        marked.append(as_introduced(mention) if (lead or signed) and _may_be_own(text, mention)
                      else mention)
    return marked


def may_introduce(text: str, mention: Mention) -> bool:
    """Whether a name may be the speaker's own: neither supposed nor denied to be, nor another's."""
    before = text[:mention.start]
    supposed = any(lexicon.SUPPOSED.search(before[:each.end()])
                   for each in re.finditer(r"\W+", before))
    return _may_be_own(text, mention) and not supposed and not lexicon.DENIED.search(before)


def as_introduced(mention: Mention) -> Mention:
    """A name by which the speaker introduces themselves."""
    return replace(mention, introduces_speaker=True, types=frozenset({ArgumentType.PERSON}))


def _may_be_own(text: str, mention: Mention) -> bool:
    """Whether a name may be a person's alone, not a part of "Ada's assistant"."""
    return mention.kind is MentionKind.NAME \
        and (not mention.types or ArgumentType.PERSON in mention.types) \
        and not (mention.text.endswith(_POSSESSIVE)
                 or text.startswith(_POSSESSIVE, mention.end))
