"""Mention detection by a gazetteer over the knowledge base, with fuzzy matching.

It finds names (also misspelt, misheard or in part), names of things that nobody knows, pronouns,
definite and indefinite noun phrases, relations ("her office"), first-person references and times.
A trained tagger will fill the same interface.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from frontdesk.kg import lexicon
from frontdesk.kg.entities import EntityType
from frontdesk.kg.knowledge_base import KnowledgeBase
from frontdesk.kg.mentions import DialogueAct, Mention, MentionKind, Observation
from frontdesk.kg.name_index import NameEntry, NameIndex, Word, singular, split_words
from frontdesk.kg.schema import (
    PREDICATES,
    RELATION_NOUNS,
    RELATION_OWNERS,
    TYPE_NOUNS,
    ArgumentType,
)
from frontdesk.kg.time_expressions import find_time_expressions

#: Longer utterances are cut: nobody says more in one turn, and matching takes time.
LONGEST_UTTERANCE = 2000
MOST_MENTIONS = 24
_FULL_MATCH = 0.85
_ROOM_WORDS = frozenset({"room", "office", "boardroom"})
_QUESTION_WORDS = frozenset({"which", "what", "any", "how", "whose", "all", "every", "no"})


def clean(text: str) -> str:
    """A text without control characters, blanks folded."""
    kept = "".join(" " if unicodedata.category(char)[0] == "C" and char != "\u200d" else char
                   for char in text)
    return " ".join(kept.split())


@dataclass(frozen=True)
class _Run:
    """A stretch of words that matches a name."""

    first: int
    last: int
    score: float
    whole: bool
    entry: NameEntry


class GazetteerDetector:
    """Finds mentions by looking up the names of a knowledge base.

    Args:
        kb: Whose names are looked up.
    """

    def __init__(self, kb: KnowledgeBase) -> None:
        self.kb = kb
        self.index = NameIndex(kb)

    def detect(self, text: str, *, now: dt.datetime,
               focus: Sequence[dt.date] = ()) -> Observation:
        """See :class:`frontdesk.kg.mentions.MentionDetector`."""
        text = clean(text)
        notes = []
        if len(text) > LONGEST_UTTERANCE:
            notes.append(f"only the first {LONGEST_UTTERANCE} of {len(text)} characters were read")
            text = text[:LONGEST_UTTERANCE]
        found = _Cover()
        found.add_all(self._names(text))
        found.add_all(self._times(text, now, focus, found.mentions))
        found.add_all(self._introductions(text, found))
        found.add_all(self._called(text))
        found.add_all(_numbered_rooms(text))
        found.add_all(_noun_phrases(text))
        found.add_all(self._capitalised(text))
        found.add_all(_pronouns(text))
        mentions = _with_relations(text, found.sorted())
        if len(mentions) > MOST_MENTIONS:
            kept = _first_mentions(mentions)
            notes.append(f"only the first {len(kept)} of {len(mentions)} mentions were read")
            mentions = kept
        mentions = _mark_introductions(text, mentions)
        acts = lexicon.dialogue_acts(text)
        if any(mention.introduces_speaker for mention in mentions):
            acts |= {DialogueAct.INTRODUCE}
        return Observation(text=text, mentions=tuple(mentions), acts=acts,
                           polar=lexicon.is_polar(text), asks=lexicon.asks(text),
                           unexplained=_unexplained(text, mentions), notes=tuple(notes))

    def _names(self, text: str) -> list[Mention]:
        words = split_words(text)
        runs = self._runs(words)
        runs.sort(key=lambda run: (-_information(run, self.index), run.first))
        taken: set[int] = set()
        mentions = []
        for run in runs:
            first, last = self._extend(run, words)
            positions = set(range(first, last + 1))
            if positions & taken:
                if set(range(run.first, run.last + 1)) & taken:
                    continue
                first, last = run.first, run.last
                positions = set(range(first, last + 1))
            taken |= positions
            start, end = words[first].start, words[last].end
            types = frozenset({ArgumentType(run.entry.type.value)})
            whole = run.entry.type in (EntityType.PERSON, EntityType.EVENT)
            named = (first, last) if whole else (run.first, run.last)
            query = " ".join(word.original for word in words[named[0]:named[1] + 1])
            mentions.append(Mention(text[start:end], start, end, MentionKind.NAME, types=types,
                                    query=query))
        return mentions

    def _runs(self, words: list[Word]) -> list[_Run]:
        """Every acceptable match of a name with a stretch of words."""
        matches: dict[tuple[str, str], dict[int, tuple[str, float]]] = {}
        entries: dict[tuple[str, str], NameEntry] = {}
        for position, word in enumerate(words):
            if word.text in lexicon.COMMON_WORDS and not self.index.entries_with(word.text):
                continue
            for similar, score in self.index.similar_words(word.text).items():
                for entry in self.index.entries_with(similar):
                    key = (entry.type.value, entry.name)
                    entries[key] = entry
                    best = matches.setdefault(key, {}).get(position)
                    if best is None or best[1] < score:
                        matches[key][position] = (similar, score)
        runs = []
        for key, hits in matches.items():
            for first, last, matched in _stretches(hits):
                score = self._score(entries[key], matched)
                whole = set(matched) == set(entries[key].words) and score >= _FULL_MATCH
                if not whole:
                    first, last = _trimmed(first, last, words)
                run = _Run(first, last, score, whole, entries[key])
                if self._acceptable(run, words, matched):
                    runs.append(run)
        return runs

    def _score(self, entry: NameEntry, matched: dict[str, float]) -> float:
        total = sum(self.index.weight(word) for word in set(entry.words))
        return sum(self.index.weight(word) * score for word, score in matched.items()) / total

    def _acceptable(self, run: _Run, words: list[Word], matched: dict[str, float]) -> bool:
        stretch = words[run.first:run.last + 1]
        if run.whole:
            # A one-word name that is also an everyday word needs more than its spelling.
            if len(run.entry.words) > 1 or stretch[0].text not in lexicon.COMMON_WORDS:
                return True
            return self._looks_like_name(run, words)
        telling = {word: score for word, score in matched.items()
                   if len(word) > 1 and not self.index.is_generic(word)
                   and word not in lexicon.COMMON_WORDS}
        if not telling:
            return False
        spelt = [word.text for word in stretch]
        if all(word in lexicon.COMMON_WORDS or word in lexicon.AMBIGUOUS_NAMES for word in spelt):
            return self._looks_like_name(run, words)
        if len(matched) == 1 and len(run.entry.words) > 1 and max(telling.values()) < 0.92:
            # One word, misspelt, of a longer name: only where it is written as a name.
            return stretch[0].original[:1].isupper() and run.first > 0
        return run.score > 0.2

    @staticmethod
    def _looks_like_name(run: _Run, words: list[Word]) -> bool:
        following = words[run.last + 1].text if run.last + 1 < len(words) else ""
        capital = words[run.first].original[:1].isupper() and run.first > 0
        return capital or singular(following) in TYPE_NOUNS

    def _extend(self, run: _Run, words: list[Word]) -> tuple[int, int]:
        """Take in type nouns after a name ("Alpha conference room") and "room" before one."""
        first, last = run.first, run.last
        kind = ArgumentType(run.entry.type.value)
        if kind is ArgumentType.PERSON:
            if not run.whole:
                while first > 0 and self._continues_name(words[first - 1], words[first]):
                    first -= 1
                while last + 1 < len(words) and self._continues_name(words[last + 1], words[last]):
                    last += 1
            return first, last
        while last + 1 < len(words) and last - run.last < 2 and (
                TYPE_NOUNS.get(singular(words[last + 1].text)) is kind
                or (kind is ArgumentType.EVENT and self._heads_name(words[last + 1].text))
                or (kind is ArgumentType.ROOM
                    and words[last + 1].text in ("conference", "meeting"))):
            last += 1
        if kind is ArgumentType.ROOM and first > 0 and words[first - 1].text in _ROOM_WORDS:
            first -= 1
        if not run.whole:
            # "The lens party" is not the lens workshop: words that mean nothing else belong to it.
            while first > 0 and _continues(words[first - 1], words[first]):
                first -= 1
            while last + 1 < len(words) and _continues(words[last], words[last + 1]):
                last += 1
        return first, last

    def _heads_name(self, word: str) -> bool:
        return self.index.is_generic(word) and (
            word not in lexicon.COMMON_WORDS or singular(word) in TYPE_NOUNS)

    def _continues_name(self, word: Word, neighbour: Word) -> bool:
        """Whether a word next to a part of a person's name belongs to the name too."""
        if abs(word.end - neighbour.start) > 1 and abs(neighbour.end - word.start) > 1:
            return False
        known = any(entry.type is EntityType.PERSON for similar in
                    self.index.similar_words(word.text)
                    for entry in self.index.entries_with(similar))
        return _is_name_word(word) or (known and word.text not in lexicon.COMMON_WORDS)

    @staticmethod
    def _times(text: str, now: dt.datetime, focus: Sequence[dt.date],
               names: Iterable[Mention]) -> list[Mention]:
        """Time expressions, those inside a name left out."""
        masked = text
        for name in names:
            masked = masked[:name.start] + "_" * (name.end - name.start) + masked[name.end:]
        return [Mention(text[each.start:each.end], each.start, each.end, MentionKind.TIME,
                        window=each.window)
                for each in find_time_expressions(masked, now=now, focus=focus)]

    def _introductions(self, text: str, found: _Cover) -> list[Mention]:
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
                if not found.overlaps(start, end):
                    mentions.append(Mention(text[start:end], start, end, MentionKind.NAME,
                                            types=frozenset({ArgumentType.PERSON})))
        return mentions

    @staticmethod
    def _called(text: str) -> list[Mention]:
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

    def _capitalised(self, text: str) -> list[Mention]:
        """Names that nobody knows: capitalised words that are no common words."""
        mentions = []
        words = split_words(text)
        position = 0
        while position < len(words):
            first = position
            while position < len(words) and _is_name_word(words[position]) and (
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


class _Cover:
    """Mentions that do not overlap; the first to come keeps its place."""

    def __init__(self) -> None:
        self.mentions: list[Mention] = []

    def overlaps(self, start: int, end: int) -> bool:
        return any(start < each.end and each.start < end for each in self.mentions)

    def add_all(self, mentions: Iterable[Mention]) -> None:
        for mention in mentions:
            if not self.overlaps(mention.start, mention.end):
                self.mentions.append(mention)

    def sorted(self) -> list[Mention]:
        return sorted(self.mentions, key=lambda mention: mention.start)


def _stretches(hits: dict[int, tuple[str, float]]) -> list[tuple[int, int, dict[str, float]]]:
    """Runs of neighbouring positions, each word of the name used at most once in a run."""
    stretches = []
    current: list[int] = []
    for position in sorted(hits):
        seen = {hits[each][0] for each in current}
        if current and (position - current[-1] > 1 or hits[position][0] in seen):
            stretches.append(current)
            current = []
        current.append(position)
    stretches.append(current)
    return [(run[0], run[-1], {hits[each][0]: hits[each][1] for each in run})
            for run in stretches]


def _trimmed(first: int, last: int, words: list[Word]) -> tuple[int, int]:
    """A stretch without the everyday words at its ends, if anything else is in it."""
    telling = [position for position in range(first, last + 1)
               if words[position].text not in lexicon.COMMON_WORDS
               or singular(words[position].text) in TYPE_NOUNS]
    return (telling[0], telling[-1]) if telling else (first, last)


def _continues(left: Word, right: Word) -> bool:
    """Whether two neighbouring words, one outside a name, go together as one name."""
    return right.start - left.end == 1 and all(
        word.text not in _vocabulary() and singular(word.text) not in _vocabulary()
        and word.text[0].isalpha() for word in (left, right))


def _information(run: _Run, index: NameIndex) -> float:
    """How much a match explains: long and certain matches first."""
    return run.score * run.score * sum(index.weight(word) for word in run.entry.words)


def _numbered_rooms(text: str) -> list[Mention]:
    return [Mention(match.group(), *match.span(), MentionKind.NAME,
                    types=frozenset({ArgumentType.ROOM}), query=match[1])
            for match in re.finditer(r"\b(?:room|office)(?:\s+number)?\s+([A-Z]?\d{1,5}[a-z]?)\b",
                                     text, re.IGNORECASE)]


def _noun_phrases(text: str) -> list[Mention]:
    """Phrases around a type noun: "the meeting", "which rooms", "the Zeta room"."""
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
        else:
            if determiner in _QUESTION_WORDS:
                start = words[first - 1].start
            mentions.append(Mention(text[start:end], start, end, MentionKind.TYPE, types=types))
    return mentions


def _pronouns(text: str) -> list[Mention]:
    mentions = []
    introductions = list(lexicon.INTRODUCTION.finditer(text))
    expletives = {match.start("it") for match in lexicon.EXPLETIVE_IT.finditer(text)}
    for match in re.finditer(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text):
        word = match.group().lower()
        bare = re.sub(r"['’]s$", "", word)
        if word in lexicon.FIRST_PERSON:
            length = len(re.split(r"['’]", match.group())[0])
            end = match.start() + length
            about_me = (word in ("my", "mine") or lexicon.ABOUT_SPEAKER.search(
                text[max(0, match.start() - 8):end + 12])) and not any(
                    lead.start() <= match.start() < lead.end() for lead in introductions)
            mentions.append(Mention(text[match.start():end], match.start(), end,
                                    MentionKind.FIRST_PERSON,
                                    types=frozenset({ArgumentType.PERSON}),
                                    probability=1.0 if about_me else 0.1))
        elif bare in lexicon.PRONOUNS and match.start() not in expletives:
            end = match.start() + len(bare)
            mentions.append(Mention(text[match.start():end], match.start(), end,
                                    MentionKind.PRONOUN, types=lexicon.PRONOUNS[bare]))
    for match in lexicon.DEMONSTRATIVE.finditer(text):
        mentions.append(Mention(match.group(), *match.span(), MentionKind.PRONOUN,
                                types=lexicon.PRONOUNS["it"]))
    return mentions


_OF = re.compile(r"\s+(?:of|for)\s+(?:the\s+)?", re.IGNORECASE)


def _with_relations(text: str, mentions: list[Mention]) -> list[Mention]:
    """Add mentions such as "its organiser", "the organiser of the meeting", "Jo's office"."""
    added: list[tuple[Mention, int | None]] = []
    for word in split_words(text):
        relation = RELATION_NOUNS.get(word.text)
        covering = next((each for each in mentions if each.start <= word.start < each.end), None)
        if relation is None or (covering and covering.kind is MentionKind.NAME):
            continue
        possessor = _possessor(text, mentions, word)
        if possessor is None and not (
                relation == "organizer"
                and re.search(r"\b(?:the|its)\s+$", text[:word.start], re.IGNORECASE)):
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


def _first_mentions(mentions: list[Mention]) -> list[Mention]:
    """The first mentions, cut before a relation whose possessor would be missing."""
    end, cut = MOST_MENTIONS, -1
    while end != cut:
        cut = end
        end = next((index for index, mention in enumerate(mentions[:cut])
                    if mention.possessor is not None and mention.possessor >= cut), cut)
    return mentions[:end]


def _possessor(text: str, mentions: list[Mention], noun: Word) -> Mention | None:
    for mention in mentions:
        if mention.kind in (MentionKind.TIME, MentionKind.TYPE):
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


def _unexplained(text: str, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """Stretches of words that neither a mention nor the schema's vocabulary accounts for."""
    known = _vocabulary()
    stretches: list[list[Word]] = []
    for word in split_words(text):
        if (word.text in known or singular(word.text) in known or not word.text[0].isalpha()
                or any(each.start <= word.start < each.end for each in mentions)):
            stretches.append([])
        elif stretches and text[stretches[-1][-1].end if stretches[-1] else word.start
                                :word.start].strip(" -") == "":
            stretches[-1].append(word)
        else:
            stretches.append([word])
    return tuple(text[each[0].start:each[-1].end] for each in stretches if each)


@cache
def _vocabulary() -> frozenset[str]:
    """The words that a question can be made of without naming anything."""
    cues = {word.text for predicate in PREDICATES.values()
            for phrase in (*predicate.cues, *predicate.questions)
            for word in split_words(phrase)}
    return frozenset(cues | lexicon.COMMON_WORDS | lexicon.MODIFIERS | set(TYPE_NOUNS)
                     | set(RELATION_NOUNS))


def _mark_introductions(text: str, mentions: list[Mention]) -> list[Mention]:
    """Mark the names with which a speaker introduces themselves."""
    marked = []
    for mention in mentions:
        person = mention.kind is MentionKind.NAME and (
            not mention.types or ArgumentType.PERSON in mention.types)
        lead = next((match for match in lexicon.INTRODUCTION.finditer(text)
                     if match.end() <= mention.start
                     and lexicon.TITLE.fullmatch(text[match.end():mention.start])), None)
        introduced = person and lead is not None
        marked.append(replace(mention, introduces_speaker=True,
                              types=frozenset({ArgumentType.PERSON})) if introduced else mention)
    return marked


def _is_name_word(word: Word) -> bool:
    return (word.original[:1].isupper() and word.text not in lexicon.COMMON_WORDS
            and singular(word.text) not in TYPE_NOUNS and word.text not in lexicon.PRONOUNS
            and word.text not in lexicon.FIRST_PERSON)
