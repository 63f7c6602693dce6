"""The graph check: whether what a reply claims is supported by the facts it rests on.

Claims are the entities, times, dates, numbers and addresses that a reply names. A claim is
supported when a fact in use has it, contradicted when the knowledge base says otherwise of the
event it is said of, unsupported when nothing has it or connects it with what the user speaks of.
Whether somebody is free is looked up in the calendar itself. It realises the first two of the
paper's kinds of hallucination (section 4.3): contradicting the knowledge base, and naming what is
not in it. A sentence that rests on what is not certain must say so.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from frontdesk.generation.answers.reply_sentence import SENTENCE, Sentence, bare_name, masked
from frontdesk.generation.checks.action_claims import (
    ACTION,
    DEED,
    PROPOSAL,
    SAID,
    conflict_claim,
    gives_new_values,
)
from frontdesk.generation.checks.availability_claims import Availability, availability_claims
from frontdesk.generation.checks.claims import Claim, Support, Verdict, fact_sentences
from frontdesk.generation.checks.entity_claims import EntityClaims
from frontdesk.generation.checks.event_claims import event_claims
from frontdesk.generation.checks.reply_context import ReplyContext
from frontdesk.generation.checks.stated_values import (
    counts_spoken_of,
    find_values,
    is_agreed_duration,
    is_bound,
    owners_of,
    what_is_counted,
)
from frontdesk.generation.checks.time_claims import (
    equated_days,
    in_known_year,
    is_clock,
    said_time_claim,
)
from frontdesk.kg.english.verbalise import event_window
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.kg.names.gazetteer import LONGEST_UTTERANCE, GazetteerDetector
from frontdesk.scoring.ranked_fact import RankedFact

__all__ = ["Claim", "GraphCheck", "GraphVerdict", "Verdict"]


@dataclass(frozen=True)
class GraphVerdict:
    """The verdict on a reply: contradicted or unsupported if one of its claims is.

    Args:
        claims: Everything that was looked up, in order.
    """

    verdict: Verdict
    claims: tuple[Claim, ...] = ()

    @classmethod
    def of(cls, claims: Sequence[Claim]) -> GraphVerdict:
        """The verdict on a reply with some claims."""
        verdicts = {claim.verdict for claim in claims}
        worst = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.SUPPORTED)
        return cls(next(filter(verdicts.__contains__, worst), Verdict.NO_CLAIMS), tuple(claims))

    @property
    def passed(self) -> bool:
        """Whether the reply may be shown."""
        return self.verdict in (Verdict.SUPPORTED, Verdict.NO_CLAIMS)

    def to_data(self) -> dict[str, Any]:
        """For JSON."""
        return {"verdict": str(self.verdict), "claims": [
            {"text": claim.text, "kind": claim.kind, "verdict": str(claim.verdict),
             "evidence": claim.evidence} for claim in self.claims]}


_QUESTION = re.compile(r"\W*(?:who|what|when|where|which|how|why|did|do|does|is|are|was|were|can|"
                       r"could|would|will|shall|should|have|has|may)\b", re.IGNORECASE)
#: What only looks like a question back: it tells something, or has another sentence in it.
_TELLS = re.compile(r"\W*(?:do|did|does|have|has|are|were)(?:n['’]t)?\W+(?:you|I|we)\W+"
                    r"(?:not\W+|already\W+)?(?:know|known|hear|heard|mention\w*|say|said|tell|"
                    r"told|aware|see|seen|"
                    r"notice\w*|remember)\b(?!\W+(?:when|where|who|which|what|if|whether|how|"
                    r"whose)\b)"
                    r"|.*[?!](?=\S)|can do\b", re.IGNORECASE | re.DOTALL)
#: Before a place that somebody is said to have or to be in.
_OF_SOMEBODY = re.compile(r"\b(?:office|works?|sits?|floor|desk)\b[^,;]*$", re.IGNORECASE)
_THEN = re.compile(r"\b(?:then|(?:at|for) (?:that|this|the same) time)\b", re.IGNORECASE)
#: Before an hour up to which something is so, or from which on.
_UNTIL = re.compile(r"\b(?:until|till|before)\W*$", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:from|after)\W*$", re.IGNORECASE)
#: Of something new: "I'll make it 30 minutes".
_MAKE_IT = re.compile(r"\bmake (?:it|that)\b", re.IGNORECASE)
#: "Yes" right before a fact, not before another one, which is a line break here.
_AFFIRMED = re.compile(r"\b(?:yes|no)[^\w\n]*$", re.IGNORECASE)


class GraphCheck:
    """Checks replies against the facts in use and the knowledge base.

    Args:
        detector: Finds names and times in replies; carries the knowledge base.
    """

    def __init__(self, detector: GazetteerDetector) -> None:
        self.kb = detector.kb
        self._detector, self._names = detector, EntityClaims(detector)

    def check(self, reply: str, used: Sequence[RankedFact], *, now: dt.datetime,
              said: str = "", earlier: str = "", spoken_of: Collection[str] = (),
              asked: Collection[Window] = ()) -> GraphVerdict:
        """Check a reply.

        Args:
            reply: Its text. Questions back to the user claim nothing and are passed over.
            now: Zone-aware present; relative dates are read from it.
            said: The user's words: quoting them, or a name from them, is no claim.
            earlier: What was said in the dialogue before. "Then" means the time that was said last;
                days, times and lengths of time may be said again of something new.
            spoken_of: Ids of the entities that the user refers to; naming them is no claim. What
                nothing connects with them is unsupported; where none is given, that is not asked.
            asked: The times that the user speaks of; denying something of them is no claim.
        """
        support = Support(used, self.kb)
        context = ReplyContext(support, now, said, earlier, spoken_of, asked,
                               set(spoken_of) or support.subjects())
        claims: list[Claim] = []
        rest = reply
        for text, certain in fact_sentences(used):
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
        for sentence in SENTENCE.findall(rest):
            if len(sentence) > LONGEST_UTTERANCE:
                claims.append(Claim(f"{sentence[:40].strip()}…", "unread", Verdict.UNSUPPORTED))
            elif sentence.strip() and not _asks_back(sentence):
                claims.extend(_SentenceCheck(self._detector, self._names, sentence,
                                             context).claims())
        return GraphVerdict.of(claims)


def _asks_back(sentence: str) -> bool:
    """Whether a sentence is a question back, which claims nothing."""
    return (sentence.rstrip().endswith("?") and _QUESTION.match(sentence) is not None
            and _TELLS.match(sentence.rstrip().rstrip("?")) is None)


class _SentenceCheck:
    """The claims of one sentence of a reply."""

    def __init__(self, detector: GazetteerDetector, names: EntityClaims, sentence: str,
                 context: ReplyContext) -> None:
        self.names, self.sentence, self.context = names, sentence, context
        self.text = clean(sentence)
        self.letters = find_values(self.text)
        rest = self.text
        for value in self.letters:
            rest = masked(rest, value.start, value.end)
        self.observation = detector.detect(rest, now=context.now, focus=context.focus)
        self.mentions = [in_known_year(mention, context.support.dates)
                         for mention in self.observation.mentions]
        named = [(mention, names.ids(mention, context)) for mention in self.mentions
                 if mention.kind is MentionKind.NAME]
        self.timed = [mention for mention in self.mentions if mention.window is not None]
        self.windows = [mention.window for mention in self.timed if mention.window is not None]
        self.action = ACTION.search(rest)
        arranges = (self.action is not None and gives_new_values(self.action.group())) \
            or PROPOSAL.search(rest) is not None
        self.said = Sentence(rest, named, context.topic, arranges, context.people)

    def claims(self) -> list[Claim]:
        """All that it claims."""
        claims = [Claim(note, "unread", Verdict.UNSUPPORTED) for note in self.observation.notes]
        deeds, availability = list(self._deeds()), self._availability()
        offers = {each for found in availability for each in found.offers}
        windows = [window for found in availability if found.claim.verdict is Verdict.SUPPORTED
                   for window in found.windows]
        if self.said.arranges and (self._clock() or self.context.times) \
                and all(claim.kind != "conflict" for claim in deeds):
            # A room that is free then may be taken for something new.
            offers |= {each for _, ids in self.said.named if len(ids) == 1 for each in ids
                       if each in self.names.kb.rooms}
        claims += [*deeds, *self._named(offers), *self._times(windows), *self._values()]
        claims += [found.claim for found in availability]
        claims += equated_days(self.timed, self.said.text)
        claims += event_claims(self.said, self.names.kb, self.context.now, self.windows)
        flat = self.context.support.certainty_claim(
            self.sentence, self.said.subject, [ids for _, ids in self.said.named],
            self.mentions, claims)
        return [*claims, *([flat] if flat else [])]

    def _deeds(self) -> Iterator[Claim]:
        """What is said to be done, to whom nobody meant, and against the calendar."""
        deed = self.action or DEED.search(self.said.text)
        if deed:
            yield Claim(deed.group(), "action", Verdict.CONTRADICTED,
                        "nothing was changed in the calendar" if self.action
                        else "nothing but looking up was done")
        if self.action or self.said.arranges:
            yield from self.names.strangers(self.said.named, self.context)
        if self.said.arranges:
            kb = self.names.kb
            about = {each for _, ids in self.said.named for each in ids if each in kb.events}
            # Something new may have the name of what stands in the calendar.
            windows = self._clock() or self.context.times[-1:] or [
                event_window(kb.events[each]) for each in about]
            for mention, ids in self.said.named:
                claim = conflict_claim(mention, ids, windows, kb, about)
                if claim is not None:
                    yield claim

    def _named(self, offers: set[str]) -> Iterator[Claim]:
        """Names; whom and what the calendar has as free may be offered."""
        said_before: set[str] = set()
        for mention, ids in self.said.named:
            # "organised by Ines, whose office is room 214": 214 goes with Ines.
            earlier = said_before | (self.said.topic if not said_before or self.said.says_it
                                     else set())
            claim = self.names.claim(mention, ids, self.said, earlier, self.context)
            if claim is not None:
                may_be = claim.verdict is Verdict.UNSUPPORTED and not claim.evidence \
                    and ids and ids <= offers and not self.names.is_stranger(ids, self.context) \
                    and not _OF_SOMEBODY.search(self.said.text[:mention.start])
                yield replace(claim, verdict=Verdict.SUPPORTED,
                              evidence="nothing in the calendar stands against it") \
                    if may_be else claim
            said_before |= ids

    def _times(self, offered: Sequence[Window]) -> Iterator[Claim]:
        """Times; one at which the calendar was looked up, and is as is said, may be named."""
        for mention in self.timed:
            claim = said_time_claim(mention, self.said, self.context)
            if claim is not None:
                may_be = claim.verdict is Verdict.UNSUPPORTED and not claim.evidence \
                    and self._is_looked_up(mention, offered)
                yield replace(claim, verdict=Verdict.SUPPORTED,
                              evidence="nothing in the calendar stands against it") \
                    if may_be else claim

    def _values(self) -> Iterator[Claim]:
        """Numbers and addresses, outside of names and times."""
        rest = self.said.text
        # "Seven people" counts and names nobody.
        for mention in (*(name for name, ids in self.said.named if ids or bare_name(name.name)),
                        *self.timed):
            rest = masked(rest, mention.start, mention.end)
        context = self.context
        for value in (*self.letters, *find_values(rest, counted=True)):
            events = [each for each in context.spoken_of if each in self.names.kb.events]
            if counts_spoken_of(value, rest, len(events)):
                continue
            owners = owners_of(value, self.said, self.names.kb, context.spoken_of)
            claim = context.support.value_claim(
                value, owners, counted=what_is_counted(value, rest) if self._are_on(owners) else "")
            if claim.verdict is Verdict.SUPPORTED and is_bound(value, rest):
                claim = replace(claim, verdict=Verdict.UNSUPPORTED)
            if claim.verdict is Verdict.UNSUPPORTED and (
                    self.said.arranges or _MAKE_IT.search(self.text)) and is_agreed_duration(
                        value, self.text, context.dialogue):
                claim = replace(claim, verdict=Verdict.SUPPORTED, evidence=SAID)
            yield claim

    def _are_on(self, owners: Collection[str]) -> bool:
        """Whether events take place at all times that are named; who attends else does not yet."""
        events = self.names.kb.events
        return all(window.overlaps(events[each].start, events[each].end)
                   for each in owners if each in events for window in self.windows)

    def _availability(self) -> list[Availability]:
        parts = [window for window in self.windows
                 if window.kind in (WindowKind.PART, WindowKind.DAY)]
        text = self.text
        for mention, ids in self.said.named:
            if ids:  # whoever is called Free is not said to be free
                text = masked(text, mention.start, mention.end)
        found = list(availability_claims(
            self.context.support, text, self.said.subject,
            [(mention.start, self._bounded(mention, mention.window)) for mention in self.timed
             if mention.window is not None and (is_clock(mention.window)
                                                or mention.window.kind is WindowKind.NOW)],
            parts, now=self.context.now,
            named=[(mention.start, ids) for mention, ids in self.said.named],
            pronoun=self.said.names_somebody,
            spoken=self.context.times if self.said.arranges or _THEN.search(self.text)
            else self.context.asked_times))
        if any(window.kind is WindowKind.NOW for window in self.windows) \
                and any(map(is_clock, self.context.asked)):
            return [Availability(replace(each.claim, verdict=Verdict.UNSUPPORTED,
                                         evidence="another time was asked about"))
                    if each.claim.verdict is Verdict.SUPPORTED else each for each in found]
        return found

    def _is_looked_up(self, mention: Mention, offered: Sequence[Window]) -> bool:
        """Whether the calendar was looked up at a time, or at one of a day."""
        window = mention.window
        if window is None:
            return False
        return self._bounded(mention, window) in offered or (
            window.kind is WindowKind.DAY and bool(offered)
            and all(each.date == window.date for each in offered))

    def _bounded(self, mention: Mention, window: Window) -> Window:
        """"Free until 15:00" is said of the time before, from the hour that is asked about, else
        from now or the beginning of the day; "from 15:00 on" of all that is asked about from then.
        """
        if window.kind is not WindowKind.INSTANT:
            return window
        before, asked = self.text[:mention.start], list(filter(is_clock, self.context.asked))
        if _SINCE.search(before):
            return max((each for each in asked if each.start == window.start),
                       key=lambda each: each.end, default=window)
        if not _UNTIL.search(before):
            return window
        day = dt.datetime.combine(window.date, dt.time(), window.start.tzinfo)
        since = [each.start for each in asked if day <= each.start < window.start]
        return Window(min(window.start, max([self.context.now, day, *since])), window.start)

    def _clock(self) -> list[Window]:
        return [window for window in self.windows if is_clock(window)]
