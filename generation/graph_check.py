"""The graph check: whether what a reply claims is supported by the facts it rests on.

Claims are the entities, times, dates, numbers and addresses that a reply names. A claim is
supported when a fact in use has it, contradicted when the knowledge base says otherwise of the
event it is said of, unsupported when nothing has it. It realises the first two of the paper's
kinds of hallucination (section 4.3): contradicting the knowledge base, and naming what is not
in it. A sentence that rests on what is not certain must say so.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from frontdesk.generation.claims import (
    NEGATION,
    Claim,
    Support,
    Verdict,
    has_words,
    time_claim,
)
from frontdesk.kg.entities import Person, Room
from frontdesk.kg.gazetteer import GazetteerDetector
from frontdesk.kg.mentions import Mention, MentionKind
from frontdesk.kg.name_index import name_words
from frontdesk.kg.schema import ArgumentType
from frontdesk.kg.windows import Window, WindowKind
from frontdesk.scoring.ranked_fact import RankedFact

__all__ = ["Claim", "GraphCheck", "GraphVerdict", "Verdict"]


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
_QUESTION = re.compile(r"\W*(?:who|what|when|where|which|how|why|did|do|does|is|are|was|were|can|"
                       r"could|would|will|shall|should|have|has|may)\b", re.IGNORECASE)
_DONE = (r"(?:book|reserv|cancel|invit|mov|reschedul|postpon|add|creat|arrang)"
         r"(?:e|ed|led|d|ing|)\b")
#: Something done to the calendar.
_ACTION = re.compile(rf"\b(?:I|we)(?:['’]ve| have|['’]ll| will)\b[^.]*?\b{_DONE}"
                     rf"|\b(?:has|have)\s+(?:now\s+)?been\s+{_DONE}", re.IGNORECASE)
_PHONE = re.compile(r"\+?\d(?:[\s-]?\d){6,}")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
#: "Yes" right before a fact, not before another one, which is a line break here.
_AFFIRMED = re.compile(r"\b(?:yes|no)[^\w\n]*$", re.IGNORECASE)
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
            said: The user's words: quoting them, or a name from them, is no claim.
            spoken_of: Ids of the entities that the user refers to; naming them is no claim.
            asked: The times that the user speaks of; denying something of them is no claim.
        """
        context = _Context(Support(used, self.kb), now, said, spoken_of, asked)
        claims: list[Claim] = []
        rest = reply
        for text, certain in context.support.sentences():
            before, found, _ = rest.partition(text)
            if found:
                # A verbalised fact, word for word, claims just that fact.
                claims.append(Claim(text, "fact", Verdict.SUPPORTED, text)
                              if certain or not _AFFIRMED.search(before)
                              else Claim(text, "certainty", Verdict.UNSUPPORTED, text))
                rest = rest.replace(text, "\n")
        for quoted in re.findall(r"“([^”]*)”", rest):
            if quoted.removesuffix("…") in said:
                rest = rest.replace(f"“{quoted}”", "\n")
        for sentence in _SENTENCE.findall(rest):
            asks = sentence.rstrip().endswith("?") and _QUESTION.match(sentence)
            if sentence.strip() and not asks:
                claims.extend(self._sentence(sentence, context))
        verdicts = {claim.verdict for claim in claims}
        for verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.SUPPORTED):
            if verdict in verdicts:
                return GraphVerdict(verdict, tuple(claims))
        return GraphVerdict(Verdict.NO_CLAIMS)

    def _sentence(self, sentence: str, context: _Context) -> list[Claim]:
        support = context.support
        claims = []
        rest = sentence
        for match in _PHONE.finditer(rest):
            claims.append(support.text_claim(match.group().strip(), "number"))
            rest = _blank(rest, match.start(), match.end())
        for match in _ADDRESS.finditer(rest):
            claims.append(support.text_claim(match.group(), "address"))
            rest = _blank(rest, match.start(), match.end())
        action = _ACTION.search(rest)
        if action:
            claims.append(Claim(action.group(), "action", Verdict.CONTRADICTED,
                                "nothing was changed in the calendar"))
        mentions = self._detector.detect(rest, now=context.now).mentions
        named = [(mention, self._ids(mention)) for mention in mentions
                 if mention.kind is MentionKind.NAME]
        subject = next((ids for _, ids in named if ids), support.subjects())
        spoken_for = rest
        said_before: set[str] = set()
        for mention, ids in named:
            # "organised by Ines, whose office is room 214": 214 goes with Ines.
            earlier = said_before or support.subjects()
            claim = self._entity_claim(mention, ids, subject, earlier, sentence, context)
            if claim is not None:
                claims.append(claim)
            said_before |= ids
            spoken_for = _blank(spoken_for, *_locate(spoken_for, mention))
        events = [self.kb.events[each] for each in subject if each in self.kb.events]
        for mention in mentions:
            if mention.window is None:
                continue
            denied = NEGATION.search(sentence) and mention.window in context.asked
            if mention.window.kind is not WindowKind.NOW and not denied:
                claims.append(time_claim(mention, support, events[0] if len(events) == 1
                                          else None))
            spoken_for = _blank(spoken_for, *_locate(spoken_for, mention))
        for match in _NUMBER.finditer(spoken_for):
            claims.append(support.text_claim(match.group().strip(), "number"))
        availability = support.availability_claim(sentence, subject)
        if availability is not None:
            claims.append(availability)
        flat = support.certainty_claim(sentence, subject, [ids for _, ids in named], mentions,
                                       claims)
        return [*claims, *([flat] if flat else [])]

    def _ids(self, mention: Mention) -> set[str]:
        """The entities that have exactly the name that a mention gives."""
        entries = self._detector.index.entries_named(
            tuple(mention.name.lower().replace("-", " ").split()))
        return ({entity for entry in entries for entity in entry.entities}
                | {entity.id for entity in self.kb.named(mention.name)})

    def _entity_claim(self, mention: Mention, ids: set[str], subject: set[str],
                      earlier: set[str], sentence: str, context: _Context) -> Claim | None:
        support = context.support
        if not ids and mention.types == {ArgumentType.PERSON} and mention.text.islower():
            return None  # an everyday word that is spelt somewhat like a name
        if not ids:
            known = {*support.entities, *context.spoken_of}
            if (support.has_text(mention.name) or has_words(context.said, mention.name)
                    or self._part_of_name(mention.name, known)):
                return None
            return Claim(mention.text, "entity", Verdict.UNSUPPORTED)
        against = self._contradiction(ids, subject, sentence)
        if against and not NEGATION.search(sentence):
            return Claim(mention.text, "entity", Verdict.CONTRADICTED, against)
        if support.connects(ids, earlier):
            return Claim(mention.text, "entity", Verdict.SUPPORTED, support.evidence(ids))
        if ids.intersection(context.spoken_of):
            return Claim(mention.text, "entity", Verdict.SUPPORTED, "the user spoke of it")
        return Claim(mention.text, "entity", Verdict.UNSUPPORTED)

    def _contradiction(self, ids: set[str], subject: set[str], sentence: str) -> str:
        """What the calendar has instead, when an entity is said of an event that has another."""
        events = [self.kb.events[each] for each in subject if each in self.kb.events]
        if len(events) != 1 or ids & subject:
            return ""
        event = events[0]
        entity = self.kb.entity(next(iter(sorted(ids))))
        if isinstance(entity, Room) and event.location and event.location not in ids:
            return f"{event.name} is in {self.kb.rooms[event.location].name}"
        if isinstance(entity, Person) and event.participants():
            organises = re.search(r"\borgani[sz]|\bhost", sentence, re.IGNORECASE)
            if organises and event.organizer and event.organizer not in ids:
                return f"{event.name} is organised by {self.kb.people[event.organizer].name}"
            if not ids & set(event.participants()):
                return f"{entity.name} has no part in {event.name}"
        return ""

    def _part_of_name(self, text: str, entities: Collection[str]) -> bool:
        words = set(name_words(text))
        return any(words <= set(name_words(self.kb.entity(entity).name))
                   for entity in entities if entity in self.kb)


@dataclass(frozen=True)
class _Context:
    """What a reply is checked against besides the knowledge base."""

    support: Support
    now: dt.datetime
    said: str
    spoken_of: Collection[str]
    asked: Collection[Window]


def _locate(text: str, mention: Mention) -> tuple[int, int]:
    start = text.find(mention.text)
    return (start, start + len(mention.text)) if start >= 0 else (0, 0)


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]
