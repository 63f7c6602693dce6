"""How mentions that the tagger finds go together with those that the rules find.

The rules know the names of the knowledge base, read times and relations, and take no word for
something it is not. The tagger knows how people speak of things: where a misheard or unknown name
begins and ends, and what noun phrases refer to something said before.

- A name that the knowledge base has word by word, a time, a pronoun, and "which rooms" stay.
- A name that is like a known one gets the bounds that the tagger gives it where they are wider;
  what it is linked by stays the part that is like the known one.
- Another name of the rules gets the bounds of the one that the tagger finds there, and keeps its
  types: what is called by a name that nobody knows, the tagger only guesses.
- A definite noun phrase that only the tagger finds is added when it stands for a known kind of
  thing. A name that only it finds is not: nobody knows it, so nothing could be linked, and an
  answer would give way to "I don't know ...".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from frontdesk.kg.english.words import singular, split_words
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.schema import TYPE_NOUNS, ArgumentType
from frontdesk.kg.models.mention_tags import MentionType, TaggedSpan
from frontdesk.kg.names.name_index import NameIndex

_POSSESSIVE = re.compile(r"\w['’]s?\s")
#: How sure the tagger must be of the bounds of a name, and of a definite noun phrase.
SURE_OF_BOUNDS, SURE_OF_DEFINITE = 0.5, 0.7
#: What a definite noun phrase may stand with for something said before, whatever it is.
_ANAPHORIC = frozenset({"one", "ones", "other", "others", "same", "first", "second", "third",
                        "last", "two", "both", "members", "attendees", "participants", "guys"})
_NAMES = {MentionType.PERSON: ArgumentType.PERSON, MentionType.SPEAKER: ArgumentType.PERSON,
          MentionType.EVENT: ArgumentType.EVENT, MentionType.ROOM: ArgumentType.ROOM,
          MentionType.GROUP: ArgumentType.GROUP}
#: Nouns that go with a name without naming: "the Zeta conference room".
_BESIDE = {ArgumentType.ROOM: frozenset({"room", "office", "conference", "meeting", "number"}),
           ArgumentType.GROUP: frozenset({"group", "team", "department", "research"})}


def with_tagged(text: str, mentions: Sequence[Mention], known: Sequence[Mention],
                spans: Sequence[TaggedSpan], index: NameIndex) -> list[Mention]:
    """The mentions of both, in order, none overlapping.

    Args:
        text: The utterance.
        mentions: Found by the rules, none overlapping, without relations.
        known: Those of them that are like known names.
        spans: Found by the tagger, none overlapping.
        index: The names that are known.
    """
    kept = list(mentions)
    for span in spans:
        beside = [each for each in kept if _overlap(each, span)]
        if span.type in _NAMES:
            found = _name(text, span, beside, known, index)
        elif span.type is MentionType.DEFINITE and not beside:
            found = _definite(text, span)
        else:
            found = None
        if found is not None:
            kept = [*(each for each in kept if each not in beside), found]
    return sorted(kept, key=lambda each: each.start)


def _name(text: str, span: TaggedSpan, beside: Sequence[Mention], known: Sequence[Mention],
          index: NameIndex) -> Mention | None:
    """The name that the tagger found; None where what the rules found in its place is better."""
    names = [each for each in beside if each.kind is MentionKind.NAME]
    if not names or span.probability < SURE_OF_BOUNDS or any(
            _stays(each, span, known, index) for each in beside):
        return None
    said = text[span.start:span.end]
    if _POSSESSIVE.search(said):
        return None  # "Jo's office" is a name and what belongs to it
    alike = [each for each in names if each in known]
    if alike:
        # Two known names in one stretch are two, whatever the tagger thinks.
        return replace(alike[0], text=said, start=span.start, end=span.end,
                       query=alike[0].name) if len(alike) == 1 else None
    return Mention(said, span.start, span.end, MentionKind.NAME,
                   types=frozenset().union(*(each.types for each in names)),
                   query=_naming(said, _NAMES[span.type]))


def _stays(mention: Mention, span: TaggedSpan, known: Sequence[Mention],
           index: NameIndex) -> bool:
    """Whether a mention of the rules stays as it is although the tagger has another one there."""
    within = span.start <= mention.start and mention.end <= span.end
    if mention.kind is MentionKind.NAME:
        words = tuple(word.text for word in split_words(mention.name))
        return mention in known and (not within or bool(index.entries_named(words)))
    return mention.kind not in (MentionKind.DEFINITE, MentionKind.TYPE) or not within


def _naming(said: str, kind: ArgumentType) -> str:
    """The words of a name without the nouns beside it; nothing where no others are left."""
    words = split_words(said)
    nouns = _BESIDE.get(kind, frozenset())
    while words and singular(words[-1].text) in nouns:
        words.pop()
    while words and words[0].text in nouns:
        words.pop(0)
    return said[words[0].start:words[-1].end] if words else ""


def _definite(text: str, span: TaggedSpan) -> Mention | None:
    """A definite noun phrase that the rules do not know: "those six members".

    "The lift" is none: it is no kind of thing that is known, so nothing that was spoken of.
    """
    said = text[span.start:span.end]
    noun = split_words(said)[-1].text
    head = TYPE_NOUNS.get(singular(noun))
    if span.probability < SURE_OF_DEFINITE or not (head or noun in _ANAPHORIC):
        return None
    return Mention(said, span.start, span.end, MentionKind.DEFINITE,
                   types=frozenset({head} if head else ()))


def _overlap(mention: Mention, span: TaggedSpan) -> bool:
    return mention.start < span.end and span.start < mention.end
