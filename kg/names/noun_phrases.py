"""Noun phrases, pronouns and relations: "the meeting", "it", "her office"."""

from __future__ import annotations

import re
from dataclasses import replace

from frontdesk.kg.english import lexicon
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.schema import RELATION_NOUNS, RELATION_OWNERS, TYPE_NOUNS, ArgumentType
from frontdesk.kg.names.name_index import Word, singular, split_words

_OF = re.compile(r"\s+(?:of|for)\s+(?:the\s+)?", re.IGNORECASE)


def noun_phrases(text: str) -> list[Mention]:
    """Phrases around a type noun that refer: "the meeting", "the Zeta room"."""
    words = split_words(text)
    mentions = []
    for position, word in enumerate(words):
        kind = TYPE_NOUNS.get(singular(word.text))
        if kind is None and word.text in ("people", "persons"):
            kind = ArgumentType.PERSON
        following = words[position + 1].text if position + 1 < len(words) else ""
        if kind is None or TYPE_NOUNS.get(singular(following)) is not None:
            continue
        if word.text in ("talk", "office") and not (
                position and words[position - 1].text in lexicon.DEFINITE | {"which", "what"}):
            continue  # "talk" is mostly a verb, and an office is mostly somebody's
        first = position
        names: list[Word] = []
        modifiers: set[str] = set()
        while first > 0 and position - first < 4:
            before = words[first - 1]
            if text[before.end:words[first].start].strip(" -'’s"):
                break
            if (before.text in lexicon.MODIFIERS or before.text.isdigit()
                    or singular(before.text) in TYPE_NOUNS):
                modifiers.add(before.text)
            elif before.text in lexicon.COMMON_WORDS or before.text in lexicon.PRONOUNS:
                break
            else:
                names.append(before)
            first -= 1
        determiner = words[first - 1].text if first > 0 else ""
        start, end = words[first].start, word.end
        types = frozenset({kind})
        if names:
            start = min(each.start for each in names)
            last = max(each.end for each in names)
            query = text[start:last] if kind in (ArgumentType.ROOM, ArgumentType.GROUP) else ""
            mentions.append(Mention(text[start:end], start, end, MentionKind.NAME, types=types,
                                    query=query))
        elif determiner in lexicon.DEFINITE and not modifiers & lexicon.NOT_ANAPHORIC:
            start = words[first - 1].start
            mentions.append(Mention(text[start:end], start, end, MentionKind.DEFINITE,
                                    types=types))
    return mentions


def pronouns(text: str) -> list[Mention]:
    """Pronouns, demonstratives and first-person references."""
    mentions = []
    for match in re.finditer(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text):
        word = match.group().lower()
        bare = re.sub(r"['’]s$", "", word)
        if word in lexicon.FIRST_PERSON:
            length = len(re.split(r"['’]", match.group())[0])
            end = match.start() + length
            mentions.append(Mention(text[match.start():end], match.start(), end,
                                    MentionKind.FIRST_PERSON,
                                    types=frozenset({ArgumentType.PERSON}),
                                    probability=1.0 if word in ("my", "mine") else 0.1))
        elif bare in lexicon.PRONOUNS:
            end = match.start() + len(bare)
            mentions.append(Mention(text[match.start():end], match.start(), end,
                                    MentionKind.PRONOUN, types=lexicon.PRONOUNS[bare]))
    for match in lexicon.DEMONSTRATIVE.finditer(text):
        mentions.append(Mention(match.group(), *match.span(), MentionKind.PRONOUN,
                                types=lexicon.PRONOUNS["it"]))
    return mentions


def with_relations(text: str, mentions: list[Mention]) -> list[Mention]:
    """Add mentions such as "its organiser", "the organiser of the meeting", "Jo's office"."""
    added: list[tuple[Mention, int | None]] = []
    for word in split_words(text):
        relation = RELATION_NOUNS.get(word.text)
        covering = next((each for each in mentions if each.start <= word.start < each.end), None)
        if relation is None or (covering and covering.kind is MentionKind.NAME):
            continue
        possessor = _possessor(text, mentions, word)
        before = text[:word.start]
        same = covering is None and re.search(r"\bthe same\s+$", before, re.IGNORECASE)
        if possessor is None and not same and not (
                relation == "organizer"
                and re.search(r"\b(?:the|its)\s+$", before, re.IGNORECASE)):
            continue
        if covering is not None:
            mentions = [each for each in mentions if each is not covering]
        if possessor is not None and possessor.kind in (MentionKind.PRONOUN,
                                                        MentionKind.DEFINITE):
            owners = possessor.types & RELATION_OWNERS[relation] or possessor.types
            narrowed = replace(possessor, types=owners)
            mentions = [narrowed if each is possessor else each for each in mentions]
            possessor = narrowed
        added.append((Mention(word.original, word.start, word.end, MentionKind.RELATION,
                              relation=relation), possessor.start if possessor else None))
    everything = sorted([*mentions, *(mention for mention, _ in added)],
                        key=lambda mention: mention.start)
    starts = {id(mention): start for mention, start in added if start is not None}
    by_start = {mention.start: index for index, mention in enumerate(everything)}
    return [replace(mention, possessor=by_start.get(starts[id(mention)]))
            if id(mention) in starts else mention for mention in everything]


def _possessor(text: str, mentions: list[Mention], noun: Word) -> Mention | None:
    for mention in mentions:
        if mention.kind is MentionKind.TIME:
            continue
        between = text[mention.end:noun.start]
        genitive = re.fullmatch(r"['’]s?\s+(?:new\s+|own\s+)?", between)
        pronoun = (mention.text.lower() in lexicon.POSSESSIVES
                   and re.fullmatch(r"\s+(?:new\s+|own\s+)?", between))
        if mention.end <= noun.start and (genitive or pronoun):
            return mention
        after = _OF.match(text, noun.end)
        if after and (mention.start == after.end() or text[after.end():mention.start].strip() in (
                "", "the", "a")) and mention.start >= noun.end:
            return mention
    return None
