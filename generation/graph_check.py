"""The graph check: whether what a reply claims is supported by the facts it rests on.

Claims are the entities, times, dates, numbers and addresses that a reply names. A claim is
supported when a fact in use has it, contradicted when the knowledge base says otherwise of the
event it is said of, unsupported when nothing has it. It realises the first two of the paper's
kinds of hallucination (section 4.3): contradicting the knowledge base, and naming what is not
in it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from frontdesk.kg.entities import Event, Room
from frontdesk.kg.facts import Fact
from frontdesk.kg.gazetteer import GazetteerDetector
from frontdesk.kg.knowledge_base import KnowledgeBase
from frontdesk.kg.mentions import Mention, MentionKind
from frontdesk.kg.name_index import name_words
from frontdesk.kg.phrases import decapitalise
from frontdesk.kg.schema import ArgumentType
from frontdesk.kg.verbalise import event_window
from frontdesk.kg.windows import Window, WindowKind
from frontdesk.scoring.ranked_fact import RankedFact


class Verdict(StrEnum):
    """What the graph says of a claim or of a reply."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    NO_CLAIMS = "no_claims"


@dataclass(frozen=True)
class Claim:
    """Something that a reply says.

    Args:
        text: As it stands in the reply.
        kind: ``entity``, ``time``, ``date``, ``number`` or ``address``.
        verdict: What the graph says of it.
        evidence: The fact that supports or contradicts it, in words; empty when there is none.
    """

    text: str
    kind: str
    verdict: Verdict
    evidence: str = ""


@dataclass(frozen=True)
class GraphVerdict:
    """The verdict on a reply: contradicted or unsupported if one of its claims is.

    Args:
        verdict: On the whole.
        claims: Everything that was looked up, in order.
    """

    verdict: Verdict
    claims: tuple[Claim, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the reply may be shown."""
        return self.verdict in (Verdict.SUPPORTED, Verdict.NO_CLAIMS)


_NUMBER = re.compile(r"\+?\d[\d\s]*\d|\d")
#: A sentence that denies something may name the time that was asked about.
_NEGATION = re.compile(r"\b(?:not|no|none|nothing)\b|n['’]t\b", re.IGNORECASE)
_PHONE = re.compile(r"\+?\d(?:[\s-]?\d){6,}")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_SENTENCE = re.compile(r"[^.?!]+(?:[.?!](?=\S)[^.?!]*)*[.?!]*")


class GraphCheck:
    """Checks replies against the facts in use and the knowledge base.

    Args:
        detector: Finds names and times in replies; carries the knowledge base.
    """

    def __init__(self, detector: GazetteerDetector) -> None:
        self.kb = detector.kb
        self._detector = detector

    def check(self, reply: str, used: Sequence[RankedFact], *, now: dt.datetime,
              said: str = "", spoken_of: Collection[str] = (),
              asked: Collection[Window] = ()) -> GraphVerdict:
        """Check a reply.

        Args:
            reply: Its text. Questions back to the user claim nothing and are passed over.
            used: The facts it rests on.
            now: Zone-aware present; relative dates are read from it.
            said: The user's words: repeating a name from them is no claim.
            spoken_of: Ids of the entities that the user refers to; naming them is no claim.
            asked: The times that the user speaks of; denying something of them is no claim.
        """
        support = _Support(used, self.kb)
        claims: list[Claim] = []
        for sentence in _SENTENCE.findall(reply):
            if sentence.strip() and not sentence.rstrip().endswith("?"):
                claims.extend(self._sentence(sentence, support, now, said, spoken_of,
                                             asked))
        verdicts = {claim.verdict for claim in claims}
        for verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.SUPPORTED):
            if verdict in verdicts:
                return GraphVerdict(verdict, tuple(claims))
        return GraphVerdict(Verdict.NO_CLAIMS)

    def _sentence(self, sentence: str, support: _Support, now: dt.datetime,
                  said: str, spoken_of: Collection[str],
                  asked: Collection[Window]) -> list[Claim]:
        claims = []
        rest = sentence
        for text in support.sentences():
            if text in rest:
                # A verbalised fact, word for word, claims just that fact.
                claims.append(Claim(text, "fact", Verdict.SUPPORTED, text))
                rest = rest.replace(text, " " * len(text))
        for match in _PHONE.finditer(rest):
            claims.append(support.text_claim(match.group().strip(), "number"))
            rest = _blank(rest, match.start(), match.end())
        for match in _ADDRESS.finditer(rest):
            claims.append(support.text_claim(match.group(), "address"))
            rest = _blank(rest, match.start(), match.end())
        mentions = self._detector.detect(rest, now=now).mentions
        events = [entity for mention in mentions for entity in self._events(mention)
                  if entity.id in support.entities]
        subject = events[0] if len({event.id for event in events}) == 1 else None
        spoken_for = rest
        for mention in mentions:
            claim: Claim | None = None
            if mention.kind is MentionKind.NAME:
                claim = self._entity_claim(mention, support, said, spoken_of, subject)
            elif (mention.window is not None and mention.window.kind is not WindowKind.NOW
                  and not (_NEGATION.search(sentence) and mention.window in asked)):
                claim = _time_claim(mention, support, subject)
            if claim is not None:
                claims.append(claim)
            if mention.kind in (MentionKind.NAME, MentionKind.TIME):
                spoken_for = _blank(spoken_for, *_locate(spoken_for, mention))
        for match in _NUMBER.finditer(spoken_for):
            claims.append(support.text_claim(match.group().strip(), "number"))
        return claims

    def _events(self, mention: Mention) -> list[Event]:
        return [entity for entity in self.kb.named(mention.name) if isinstance(entity, Event)]

    def _entity_claim(self, mention: Mention, support: _Support, said: str,
                      spoken_of: Collection[str], subject: Event | None) -> Claim | None:
        candidates = self._detector.index.entries_named(
            tuple(mention.name.lower().replace("-", " ").split())) or ()
        ids = {entity for entry in candidates for entity in entry.entities}
        ids |= {entity.id for entity in self.kb.named(mention.name)}
        if not ids and mention.types == {ArgumentType.PERSON} and mention.text.islower():
            return None  # an everyday word that is spelt somewhat like a name
        if ids & support.entities:
            return Claim(mention.text, "entity", Verdict.SUPPORTED,
                         support.evidence(ids & support.entities))
        if (support.has_text(mention.name) or mention.name.lower() in said.lower()
                or ids.intersection(spoken_of) or self._part_of_name(mention.name, spoken_of)):
            return None if not ids else Claim(mention.text, "entity", Verdict.SUPPORTED,
                                              "repeats the user's words")
        if subject is not None and any(isinstance(self.kb.entity(each), Room) for each in ids) \
                and subject.location is not None:
            place = self.kb.rooms[subject.location].name
            return Claim(mention.text, "entity", Verdict.CONTRADICTED,
                         f"{subject.name} is in {place}")
        return Claim(mention.text, "entity", Verdict.UNSUPPORTED)


    def _part_of_name(self, text: str, entities: Collection[str]) -> bool:
        words = set(name_words(text))
        return any(words <= set(name_words(self.kb.entity(entity).name)) for entity in entities)


class _Support:
    """What the facts in use have, in forms that claims can be compared with."""

    def __init__(self, used: Sequence[RankedFact], kb: KnowledgeBase) -> None:
        self.used = used
        self.entities: set[str] = {entity for ranked in used
                                   for entity in ranked.fact.entities()}
        self.times: set[dt.time] = set()
        self.dates: set[dt.date] = set()
        for ranked in used:
            events = [kb.events[entity] for entity in ranked.fact.entities()
                      if entity in kb.events]
            windows = _windows_of(ranked.fact) + [event_window(event) for event in events]
            for window in windows:
                self.times |= {window.start.time(), window.end.time()}
                self.dates |= {window.start.date(), window.end.date()}
            for argument in ranked.fact.arguments:
                if isinstance(argument, dt.time):
                    self.times.add(argument)
                elif isinstance(argument, dt.date):
                    self.dates.add(argument)
        self._texts = [ranked.text for ranked in used]

    def sentences(self) -> list[str]:
        """The facts in use as sentences, also as they follow "Yes, " or "No, "."""
        return [form for text in self._texts for form in (text, decapitalise(text))]

    def has_text(self, text: str) -> bool:
        """Whether a fact in use has the text as whole words."""
        pattern = rf"(?<!\w){re.escape(text)}(?!\w)"
        return any(re.search(pattern, each, re.IGNORECASE) for each in self._texts)

    def evidence(self, entities: Iterable[str]) -> str:
        """The first fact in use that has one of the entities."""
        wanted = set(entities)
        return next((ranked.text for ranked in self.used
                     if wanted.intersection(ranked.fact.entities())), "")

    def text_claim(self, text: str, kind: str) -> Claim:
        """A claim that a fact in use must have to the letter, blanks in numbers aside."""
        plain = re.sub(r"\s", "", text)
        for each in self._texts:
            if re.search(rf"(?<![\w+]){re.escape(plain)}(?!\w)", re.sub(r"(?<=\d)\s(?=\d)", "",
                                                                       each)):
                return Claim(text, kind, Verdict.SUPPORTED, each)
        return Claim(text, kind, Verdict.UNSUPPORTED)


def _windows_of(fact: Fact) -> list[Window]:
    windows: list[Window] = []
    for argument in fact.arguments:
        items = argument if isinstance(argument, tuple) else (argument,)
        windows.extend(item for item in items if isinstance(item, Window))
    return windows


def _time_claim(mention: Mention, support: _Support, subject: Event | None) -> Claim | None:
    window = mention.window
    if window is None:
        return None
    points = {window.start.time(), window.end.time()} if window.kind in (
        WindowKind.INSTANT, WindowKind.SPAN) else set()
    dated = not re.fullmatch(r"\D*\d{1,2}[:.]\d{2}\D*", mention.text)
    kind = "time" if points else "date"
    in_time = points <= support.times
    in_date = not dated or window.date in support.dates or (
        bool(points) and not re.search(r"day\b|\d{1,2} [A-Z]|tomorrow|today", mention.text))
    if in_time and in_date:
        return Claim(mention.text, kind, Verdict.SUPPORTED,
                     support.used[0].text if support.used else "")
    if subject is not None:
        return Claim(mention.text, kind, Verdict.CONTRADICTED,
                     f"{subject.name} is from {subject.start:%Y-%m-%d %H:%M} "
                     f"to {subject.end:%Y-%m-%d %H:%M}")
    return Claim(mention.text, kind, Verdict.UNSUPPORTED)


def _locate(text: str, mention: Mention) -> tuple[int, int]:
    start = text.find(mention.text)
    return (start, start + len(mention.text)) if start >= 0 else (0, 0)


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]
