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
from dataclasses import dataclass, replace

from frontdesk.generation.availability import availability_claims
from frontdesk.generation.calendar_actions import (
    ACTION,
    DEED,
    PROPOSAL,
    SAID,
    conflict_claim,
    days_spoken_of,
    gives_new_values,
    new_time_claim,
    spoken_times,
)
from frontdesk.generation.claims import Claim, Support, Verdict, has_words
from frontdesk.generation.contradictions import Contradictions
from frontdesk.generation.negation import is_denied, is_denied_directly
from frontdesk.generation.reply_sentence import Sentence, bare_name, masked
from frontdesk.generation.stated_values import find_values, is_agreed_duration, owners_of
from frontdesk.generation.time_claims import (
    contradicted_time,
    is_at_another_time,
    is_clock,
    is_the_other_end,
    time_claim,
)
from frontdesk.kg.entities import Person, Room
from frontdesk.kg.gazetteer import LONGEST_UTTERANCE, GazetteerDetector
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


_QUESTION = re.compile(r"\W*(?:who|what|when|where|which|how|why|did|do|does|is|are|was|were|can|"
                       r"could|would|will|shall|should|have|has|may)\b", re.IGNORECASE)
#: What only looks like a question back: it tells something, or has another sentence in it.
_TELLS = re.compile(r"\W*(?:do|did|does|have|has|are|were)(?:n['’]t)?\W+(?:you|I|we)\W+"
                    r"(?:not\W+|already\W+)?(?:know|known|hear|heard|mention\w*|say|said|tell|told|aware|see|seen|"
                    r"notice\w*|remember)\b(?!\W+(?:when|where|who|which|what|if|whether|how|whose)\b)"
                    r"|.*[?!](?=\S)|can do\b", re.IGNORECASE | re.DOTALL)
#: "Yes" right before a fact, not before another one, which is a line break here.
_AFFIRMED = re.compile(r"\b(?:yes|no)[^\w\n]*$", re.IGNORECASE)
#: Before the name of somebody who is said not to be there.
_NOT_FOUND = re.compile(r"\b(?:can(?:['’]t|not| not)|could(?:n['’]t| not)|did(?:n['’]t| not))"
                        r" find\b", re.IGNORECASE)
#: Between an event and a time that is said to be its own.
_TAKES_PLACE = re.compile(r"\W*(?:is|are|will be|starts?|begins?|takes? place|will take place|"
                          r"runs?|ends?|finish(?:es)?)\b"
                          r"[^.,;]{0,40}$|"
                          # Nothing but other words of the time: "tomorrow from", "on 3 March, at".
                          r"\W*+(?:(?:at|from|on|between|to|until|till|the|this|next|today|tomorrow|"
                          r"tonight|morning|afternoon|evening|\w+day|(?:jan|feb|mar|apr|may|jun|"
                          r"jul|aug|sep|oct|nov|dec)\w*|\d++(?::\d++)*+(?:st|nd|rd|th)?|[ap]\.?m|"
                          r"o['’]clock)\b\W*+)*+$", re.IGNORECASE)
_PRESENCE = re.compile(r"\W*(?:is|are|sits?|works?|stays?|can be found|will be)\W+(?:\w+\W+)?"
                       r"(?:in|at)\b\W*(?:the)?\W*", re.IGNORECASE)
_FREE_OR_BUSY = re.compile(r"\b(?:free|available|unavailable|busy|occupied|taken)\b",
                           re.IGNORECASE)
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
        support = Support(used, self.kb)
        context = _Context(support, now, said, spoken_of, asked,
                           {*spoken_of, *support.subjects()})
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
        for quoted in re.findall(r"“([^“”]*)”", rest):
            if quoted.removesuffix("…") in said:
                # Quotation marks around what is so named do not keep it from being said.
                rest = rest.replace(f"“{quoted}”", quoted if self.kb.named(quoted) else "\n")
        for sentence in _SENTENCE.findall(rest):
            if len(sentence) > LONGEST_UTTERANCE:
                claims.append(Claim(f"{sentence[:40].strip()}…", "unread", Verdict.UNSUPPORTED))
            elif sentence.strip() and not _asks_back(sentence):
                claims.extend(self._sentence(sentence, context))
        verdicts = {claim.verdict for claim in claims}
        for verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.SUPPORTED):
            if verdict in verdicts:
                return GraphVerdict(verdict, tuple(claims))
        return GraphVerdict(Verdict.NO_CLAIMS)

    def _sentence(self, sentence: str, context: _Context) -> list[Claim]:
        support = context.support
        text = clean(sentence)
        letters = find_values(text)
        rest = text
        for value in letters:
            rest = masked(rest, value.start, value.end)
        spoken = spoken_times(context.said, context.now)
        observation = self._detector.detect(
            rest, now=context.now, focus=days_spoken_of(context.said, context.now)[-1:])
        mentions = observation.mentions
        claims = [Claim(note, "unread", Verdict.UNSUPPORTED) for note in observation.notes]
        named = [(mention, self._ids(mention, context)) for mention in mentions
                 if mention.kind is MentionKind.NAME]
        action, deed = ACTION.search(rest), ACTION.search(rest) or DEED.search(rest)
        arranges = (action is not None and gives_new_values(action.group())) \
            or PROPOSAL.search(rest) is not None
        if deed:
            claims.append(Claim(deed.group(), "action", Verdict.CONTRADICTED,
                                "nothing was changed in the calendar" if action
                                else "nothing but looking up was done"))
        said = Sentence(rest, named, self._topic(context), arranges)
        said_before: set[str] = set()
        offered: list[Claim] = []
        spoken_for = rest
        for mention, ids in named:
            # "organised by Ines, whose office is room 214": 214 goes with Ines.
            earlier = said_before | (said.topic if not said_before or said.says_it else set())
            claim = self._entity_claim(mention, ids, said, earlier, context)
            if claim is not None:
                claims.append(claim)
                if claim.verdict is Verdict.UNSUPPORTED and ids and not claim.evidence \
                        and (not arranges or ids <= self.kb.rooms.keys()) \
                        and not self._is_stranger(ids, context):
                    offered.append(claim)
            said_before |= ids
            if ids or bare_name(mention.name):  # "seven people" counts and names nobody
                spoken_for = masked(spoken_for, mention.start, mention.end)
        timed = [mention for mention in mentions if mention.window is not None]
        clock = [mention.window for mention in timed
                 if mention.window is not None and is_clock(mention.window)]
        if action or arranges:
            claims.extend(self._strangers(named, context))
        if arranges:
            claims.extend(self._conflicts(said, clock, context))
        for mention in timed:
            claim = self._time_claim(mention, said, context)
            if claim is not None:
                claims.append(claim)
                if claim.verdict is Verdict.UNSUPPORTED and not claim.evidence and not arranges:
                    offered.append(claim)
            spoken_for = masked(spoken_for, mention.start, mention.end)
        for value in (*letters, *find_values(spoken_for, counted=True)):
            claim = support.value_claim(value, owners_of(value, said, self.kb, context.spoken_of))
            if claim.verdict is Verdict.UNSUPPORTED and is_agreed_duration(value, text,
                                                                           context.said):
                claim = replace(claim, verdict=Verdict.SUPPORTED, evidence=SAID)
            claims.append(claim)
        parts = [mention.window for mention in timed if mention.window is not None
                 and mention.window.kind in (WindowKind.PART, WindowKind.DAY)]
        availability = list(availability_claims(
            support, sentence, said.subject, clock, parts, now=context.now,
            named=[ids for _, ids in named], spoken=spoken))
        claims.extend(availability)
        free = [claim for claim in availability if claim.verdict is Verdict.SUPPORTED]
        possible = free[0].evidence if len(free) == len(availability) > 0 else ""
        if arranges and (clock or spoken) and all(claim.kind != "conflict" for claim in claims):
            possible = "nothing in the calendar stands against it"
        if possible:
            # Whoever and whatever is free at the time spoken of may be offered.
            claims = [replace(claim, verdict=Verdict.SUPPORTED, evidence=possible)
                      if claim in offered else claim for claim in claims]
        flat = support.certainty_claim(sentence, said.subject, [ids for _, ids in named], mentions,
                                       claims)
        return [*claims, *([flat] if flat else [])]

    def _time_claim(self, mention: Mention, said: Sentence, context: _Context) -> Claim | None:
        """Whether the facts in use, or what was said of something new, have a time."""
        window = mention.window
        if window is None or window.kind is WindowKind.NOW or (
                is_denied(said.text, mention.start) and window in context.asked):
            return None
        before = said.text[:mention.start]
        if said.arranges:
            claim = time_claim(mention, before, context.support, None)
            if not is_clock(window) and window.date in days_spoken_of(context.said, context.now):
                return Claim(mention.text, "date", Verdict.SUPPORTED, SAID)
            if window.start.time() in {end for _, end in context.support.spans}:
                return replace(claim, verdict=Verdict.SUPPORTED, evidence="something ends then")
            return claim if claim.verdict is Verdict.SUPPORTED else new_time_claim(
                mention, spoken_times(context.said, context.now), context.asked) or claim
        ids, between = said.event_before(mention)
        if said.is_about_topic():
            ids = said.topic
        events = [self.kb.events[each] for each in ids if each in self.kb.events]
        claim = time_claim(mention, before, context.support,
                           events[0] if len(events) == 1 else None)
        if len(events) == 1 == len(ids) and _TAKES_PLACE.match(between) \
                and is_the_other_end(mention, before, events[0]):
            claim = replace(contradicted_time(mention, events[0]), verdict=Verdict.UNSUPPORTED)
        if len(events) == 1 == len(ids) and is_at_another_time(mention, events[0]):
            other = contradicted_time(mention, events[0])
            if _TAKES_PLACE.match(between):
                return other
            if claim.verdict is Verdict.SUPPORTED and said.is_about_topic() \
                    and not _FREE_OR_BUSY.search(said.text):
                return Claim(other.text, other.kind, Verdict.UNSUPPORTED, other.evidence)
        if claim.verdict is Verdict.UNSUPPORTED and claim.kind == "time" \
                and re.search(r"\d", mention.text) and _HAS_EVENT.search(before):
            return Claim(mention.text, "time", Verdict.CONTRADICTED,
                         "nothing that is known to take place is then")
        return claim

    def _strangers(self, named: Sequence[tuple[Mention, set[str]]],
                   context: _Context) -> Iterator[Claim]:
        """Whom or what an action is said to be about though the dialogue is about others.

        Where none of the kind was spoken of, or somebody of a group was wanted, one was free to
        choose.
        """
        for mention, ids in named:
            if self._is_stranger(ids, context):
                yield Claim(mention.text, "entity", Verdict.CONTRADICTED,
                            "the dialogue is about others")

    def _is_stranger(self, ids: set[str], context: _Context) -> bool:
        """Whether others of the same kind are spoken of, and no group that somebody is of."""
        spoken = [self.kb.entity(each) for each in context.spoken_of if each in self.kb]
        kinds, known = {each.type for each in spoken}, {each.id for each in spoken}
        meant = [self.kb.entity(each) for each in ids]
        return bool(meant) and ids.isdisjoint(known) and all(
            each.type in kinds and not (isinstance(each, Person) and each.group in known)
            for each in meant)

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

    def _topic(self, context: _Context) -> set[str]:
        """What "it" and "that meeting" can mean: the topic, and what has its name and was meant."""
        topic = context.support.subjects()
        names = {self.kb.entity(each).name for each in topic if each in self.kb}
        return topic | {each for each in context.spoken_of if each in self.kb
                        and self.kb.entity(each).name in names}

    def _ids(self, mention: Mention, context: _Context) -> set[str]:
        """The entities that have the name that a mention gives, of people also a part of theirs."""
        found: set[str] = set()
        for name in dict.fromkeys((mention.name, bare_name(mention.name))):
            entries = self._detector.index.entries_named(
                tuple(name.lower().replace("-", " ").split()))
            found = found or ({entity for entry in entries for entity in entry.entities}
                              | {entity.id for entity in self.kb.named(name)})
        if found or ArgumentType.PERSON not in mention.types:
            return found
        words = set(name_words(mention.name.removesuffix("'s").removesuffix("’s")))
        return {each for each in (*context.support.entities, *context.spoken_of)
                if words and each in self.kb.people
                and words <= set(name_words(self.kb.people[each].name))}

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
        if not said.arranges:
            claim = self._contradicted(mention, ids, said)
            if claim is not None:
                return claim
        if context.spoken_of and not support.is_reached(ids, context.reach) \
                and not is_denied(said.text, mention.start):
            return Claim(mention.text, "entity", Verdict.UNSUPPORTED)
        if support.connects(ids, earlier) and not self._is_elsewhere(mention, ids, said, support):
            context.reach.update(ids)
            return Claim(mention.text, "entity", Verdict.SUPPORTED, support.evidence(ids))
        if ids.intersection(context.spoken_of):
            return Claim(mention.text, "entity", Verdict.SUPPORTED, "the user spoke of it")
        return Claim(mention.text, "entity", Verdict.UNSUPPORTED)

    def _contradicted(self, mention: Mention, ids: set[str], said: Sentence) -> Claim | None:
        """The claim that a name is contradicted; unsupported where it is not said of what."""
        contradictions = Contradictions(self.kb)
        against, certain = contradictions.of_event(mention, ids, said)
        other = contradictions.other_value(mention, ids, said)
        directly = is_denied_directly(said.text, mention.start)
        since = max((name.end for name, _ in said.named if name.end <= mention.start), default=0)
        if against and (directly or not is_denied(said.text, mention.start, since)):
            return Claim(mention.text, "entity", Verdict.CONTRADICTED if certain
                         else Verdict.UNSUPPORTED, against)
        if other and not is_denied(said.text, mention.start):
            return Claim(mention.text, "entity", Verdict.CONTRADICTED, other)
        return None

    def _is_elsewhere(self, mention: Mention, ids: set[str], said: Sentence,
                      support: Support) -> bool:
        """Whether somebody is said to be in a room and no fact in use has both."""
        rooms = {each for each in ids if isinstance(self.kb.entity(each), Room)}
        before = next(((name, found) for name, found in reversed(said.named)
                       if name.end <= mention.start), None)
        if not rooms or before is None or not any(each in self.kb.people for each in before[1]) \
                or not _PRESENCE.fullmatch(said.text[before[0].end:mention.start]):
            return False
        return not any(rooms & set(ranked.fact.entities()) and before[1] & set(
            ranked.fact.entities()) for ranked in support.used)

    def _part_of_name(self, text: str, entities: Collection[str]) -> bool:
        words = set(name_words(text))
        return any(words <= set(name_words(self.kb.entity(entity).name))
                   for entity in entities if entity in self.kb)


def _asks_back(sentence: str) -> bool:
    """Whether a sentence is a question back, which claims nothing."""
    return (sentence.rstrip().endswith("?") and _QUESTION.match(sentence) is not None
            and _TELLS.match(sentence.rstrip().rstrip("?")) is None)


@dataclass(frozen=True)
class _Context:
    """What a reply is checked against besides the knowledge base.

    ``reach`` has the ids of what is spoken of and, as the reply goes on, of what it rightly says of
    that.
    """

    support: Support
    now: dt.datetime
    said: str
    spoken_of: Collection[str]
    asked: Collection[Window]
    reach: set[str]
