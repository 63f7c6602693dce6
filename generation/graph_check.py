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
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from frontdesk.generation.calendar_actions import (
    ACTION,
    conflict_claim,
    gives_new_values,
    new_time_claim,
    spoken_times,
)
from frontdesk.generation.claims import (
    NEGATION,
    Claim,
    Support,
    Verdict,
    contradicted_time,
    has_words,
    time_claim,
)
from frontdesk.generation.contradictions import Contradictions
from frontdesk.generation.reply_sentence import Sentence, bare_name, masked
from frontdesk.kg.entities import Person
from frontdesk.kg.gazetteer import GazetteerDetector
from frontdesk.kg.mentions import Mention, MentionKind
from frontdesk.kg.name_index import name_words
from frontdesk.kg.schema import ArgumentType
from frontdesk.kg.verbalise import event_window
from frontdesk.kg.windows import Window, WindowKind
from frontdesk.kg.words import clean
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
_PHONE = re.compile(r"\+?\d(?:[\s-]?\d){6,}")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
#: "Yes" right before a fact, not before another one, which is a line break here.
_AFFIRMED = re.compile(r"\b(?:yes|no)[^\w\n]*$", re.IGNORECASE)
#: Before the name of somebody who is said not to be there.
_NOT_FOUND = re.compile(r"\b(?:can(?:['’]t|not| not)|could(?:n['’]t| not)|did(?:n['’]t| not))"
                        r" find\b", re.IGNORECASE)
#: Between an event and a time that is said to be its own.
_TAKES_PLACE = re.compile(r"\W*(?:is|are|will be|starts?|begins?|takes? place|will take place)\b"
                          r"[^.,;]{0,40}$", re.IGNORECASE)
#: Before the time of an event that somebody is said to have: "you have one meeting at 2:30".
_HAS_EVENT = re.compile(r"\b(?:have|has)\b[^.,;?]{0,30}\b(?:events?|meetings?|appointments?|one)\b"
                        r"[^.;?]*$", re.IGNORECASE)
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
        rest, claims = self._to_the_letter(clean(sentence), support)
        mentions = self._detector.detect(rest, now=context.now).mentions
        named = [(mention, self._ids(mention)) for mention in mentions
                 if mention.kind is MentionKind.NAME]
        subject = next((ids for _, ids in named if ids), support.subjects())
        action = ACTION.search(rest)
        arranges = action is not None and gives_new_values(action.group())
        if action:
            claims.append(Claim(action.group(), "action", Verdict.CONTRADICTED,
                                "nothing was changed in the calendar"))
        said = Sentence(rest, named, subject, arranges)
        said_before: set[str] = set()
        spoken_for = rest
        for mention, ids in named:
            # "organised by Ines, whose office is room 214": 214 goes with Ines.
            earlier = said_before or support.subjects()
            claim = self._entity_claim(mention, ids, said, earlier, context)
            if claim is not None:
                claims.append(claim)
            said_before |= ids
            spoken_for = masked(spoken_for, mention.start, mention.end)
        timed = [mention for mention in mentions if mention.window is not None]
        clock = [mention.window for mention in timed if mention.window is not None
                 and mention.window.kind in (WindowKind.INSTANT, WindowKind.SPAN)]
        if action:
            claims.extend(self._strangers(named, context))
        if arranges:
            claims.extend(self._conflicts(said, clock, context))
        for mention in timed:
            claim = self._time_claim(mention, said, context)
            if claim is not None:
                claims.append(claim)
            spoken_for = masked(spoken_for, mention.start, mention.end)
        for match in _NUMBER.finditer(spoken_for):
            number = match.group().strip()
            claims.append(support.text_claim(number,
                                             "phone" if number.startswith("+") else "number"))
        availability = support.availability_claim(sentence, subject, clock)
        if availability is not None:
            claims.append(availability)
        flat = support.certainty_claim(sentence, subject, [ids for _, ids in named], mentions,
                                       claims)
        return [*claims, *([flat] if flat else [])]

    @staticmethod
    def _to_the_letter(sentence: str, support: Support) -> tuple[str, list[Claim]]:
        """What a fact must have to the letter, and the sentence without it."""
        claims = []
        for pattern, kind in ((_PHONE, "phone"), (_ADDRESS, "address")):
            for match in pattern.finditer(sentence):
                claims.append(support.text_claim(match.group().strip(), kind))
                sentence = masked(sentence, match.start(), match.end())
        return sentence, claims

    def _time_claim(self, mention: Mention, said: Sentence, context: _Context) -> Claim | None:
        """Whether the facts in use, or what was said of something new, have a time."""
        window = mention.window
        if window is None or window.kind is WindowKind.NOW or (
                NEGATION.search(said.text) and window in context.asked):
            return None
        if said.arranges:
            claim = time_claim(mention, context.support, None)
            return claim if claim.verdict is Verdict.SUPPORTED else new_time_claim(
                mention, spoken_times(context.said, context.now), context.asked) or claim
        ids, between = said.event_before(mention)
        events = [self.kb.events[each] for each in ids if each in self.kb.events]
        claim = time_claim(mention, context.support, events[0] if len(events) == 1 else None)
        if _TAKES_PLACE.match(between) and len(events) == 1 == len(ids) \
                and window.kind in (WindowKind.INSTANT, WindowKind.SPAN) \
                and not {window.start.time(), window.end.time()} <= {
                    events[0].start.time(), events[0].end.time()}:
            return contradicted_time(mention, events[0])
        if claim.verdict is Verdict.UNSUPPORTED and claim.kind == "time" \
                and re.search(r"\d", mention.text) and _HAS_EVENT.search(said.text[:mention.start]):
            return Claim(mention.text, "time", Verdict.CONTRADICTED,
                         "nothing that is known to take place is then")
        return claim

    def _strangers(self, named: Sequence[tuple[Mention, set[str]]],
                   context: _Context) -> Iterator[Claim]:
        """Whom or what an action is said to be about though the dialogue is about others.

        Where none of the kind was spoken of, or somebody of a group was wanted, one was free to
        choose.
        """
        spoken = [self.kb.entity(each) for each in context.spoken_of if each in self.kb]
        kinds, known = {each.type for each in spoken}, {each.id for each in spoken}
        for mention, ids in named:
            meant = [self.kb.entity(each) for each in ids]
            if meant and ids.isdisjoint(known) and all(
                    each.type in kinds and not (isinstance(each, Person) and each.group in known)
                    for each in meant):
                yield Claim(mention.text, "entity", Verdict.CONTRADICTED,
                            "the dialogue is about others")

    def _conflicts(self, said: Sentence, clock: Sequence[Window],
                   context: _Context) -> Iterator[Claim]:
        """What an action takes though it is taken already at the time spoken of."""
        about = {each for _, ids in said.named for each in ids if each in self.kb.events}
        # Something new may have the name of what stands in the calendar.
        windows = clock or spoken_times(context.said, context.now)[-1:] or [
            event_window(self.kb.events[each]) for each in about]
        for mention, ids in said.named:
            claim = conflict_claim(mention, ids, windows, self.kb, about)
            if claim is not None:
                yield claim

    def _ids(self, mention: Mention) -> set[str]:
        """The entities that have exactly the name that a mention gives."""
        found: set[str] = set()
        for name in dict.fromkeys((mention.name, bare_name(mention.name))):
            entries = self._detector.index.entries_named(
                tuple(name.lower().replace("-", " ").split()))
            found = found or ({entity for entry in entries for entity in entry.entities}
                              | {entity.id for entity in self.kb.named(name)})
        return found

    def _entity_claim(self, mention: Mention, ids: set[str], said: Sentence,
                      earlier: set[str], context: _Context) -> Claim | None:
        support = context.support
        if not ids and mention.types == {ArgumentType.PERSON} and mention.text.islower():
            return None  # an everyday word that is spelt somewhat like a name
        if not ids:
            name = bare_name(mention.name)
            known = {*support.entities, *context.spoken_of}
            if (not name or support.has_text(name) or has_words(context.said, name)
                    or self._part_of_name(name, known)):
                return None
            looked_for = _NOT_FOUND.search(said.text[:mention.start])
            return Claim(mention.text, "not_found" if looked_for else "entity",
                         Verdict.UNSUPPORTED)
        contradictions = Contradictions(self.kb, support.subjects(),
                                        {*support.entities, *context.spoken_of})
        against = "" if said.arranges else (
            contradictions.of_event(ids, said.subject, said.text)
            or contradictions.other_value(mention, ids, said))
        if against and not NEGATION.search(said.text):
            return Claim(mention.text, "entity", Verdict.CONTRADICTED, against)
        if support.connects(ids, earlier):
            return Claim(mention.text, "entity", Verdict.SUPPORTED, support.evidence(ids))
        if ids.intersection(context.spoken_of):
            return Claim(mention.text, "entity", Verdict.SUPPORTED, "the user spoke of it")
        return Claim(mention.text, "entity", Verdict.UNSUPPORTED)

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
