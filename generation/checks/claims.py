"""The claims of a reply, and whether the facts that it rests on support them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from frontdesk.generation.checks.stated_values import StatedValue
from frontdesk.kg.english.hedging import CONDITION, is_hedged
from frontdesk.kg.english.phrases import decapitalise
from frontdesk.kg.english.verbalise import event_window, tells_hours
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.scoring.ranked_fact import RankedFact

#: A sentence that affirms or denies what was asked; a fact that follows is a line break here.
_YES_OR_NO = re.compile(r"\W*(?:yes|no)\b[^\n]*", re.IGNORECASE)


#: Begin and end, as far as they are known.
Span = tuple[dt.time | None, dt.time | None]


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
        kind: ``entity``, ``time``, ``date``, ``number``, ``phone``, ``address``, ``fact``,
            ``action``, ``conflict`` of an action with the calendar, ``availability``,
            ``not_found`` of a name that is said not to be there, ``certainty`` of what is said
            as if it were certain, ``unread`` where it is too long to be read, or ``statement`` of
            a sentence that was read as logical forms.
        evidence: The fact that supports or contradicts it, in words, of a statement after what
            came of proving it; empty when there is none.
    """

    text: str
    kind: str
    verdict: Verdict
    evidence: str = ""


def has_words(text: str, words: str) -> bool:
    """Whether a text has some words, as whole ones and in any case."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE) is not None


def fact_sentences(used: Sequence[RankedFact]) -> list[tuple[str, bool]]:
    """Facts in use as sentences, also as they follow "Yes, " or "No, ", and whether they are
    certain."""
    return [(form, ranked.fact.certainty == 1.0) for ranked in used
            for form in (ranked.text, decapitalise(ranked.text))]


class Support:
    """What the facts in use have, in forms that claims can be compared with."""

    def __init__(self, used: Sequence[RankedFact], kb: KnowledgeBase) -> None:
        self.used, self.kb = used, kb
        self.entities: set[str] = {entity for ranked in used
                                   for entity in ranked.fact.entities()}
        self._moments = [_moments_of(ranked.fact, kb) for ranked in used]
        self.spans = {span for ranked in used for span in _spans_of(ranked.fact, kb)}
        self.dates = {date for _, dates in self._moments for date in dates}
        self._texts = [ranked.text for ranked in used]

    def has_text(self, text: str) -> bool:
        """Whether a fact in use has the text as whole words."""
        return any(has_words(each, text) for each in self._texts)

    def subjects(self) -> set[str]:
        """What the first fact in use is about that the graph has; "it" in a reply is about that."""
        first = next((ranked.fact.arguments[:1] for ranked in self.used
                      if not ranked.source), ())
        return {each for each in first if isinstance(each, str)}

    def connects(self, ids: set[str], others: set[str]) -> bool:
        """Whether a fact in use is about an entity, or has it together with one of others."""
        return any(ids & set(map(str, ranked.fact.arguments[:1]))
                   or (ids & set(ranked.fact.entities())
                       and (ids & others or others & set(ranked.fact.entities())))
                   for ranked in self.used)

    def is_reached(self, ids: set[str], reach: set[str]) -> bool:
        """Whether an entity is in reach, or a fact in use connects it with what is.

        A fact about nothing in particular ("Alpha and Beta are free now") is in reach too.
        """
        return not ids.isdisjoint(reach) or any(
            ids & set(ranked.fact.entities())
            and (reach & set(ranked.fact.entities())
                 or not isinstance(next(iter(ranked.fact.arguments), None), str))
            for ranked in self.used)

    def certainty_claim(self, sentence: str, subject: set[str], named: Sequence[set[str]],
                        mentions: Sequence[Mention], claims: Sequence[Claim]) -> Claim | None:
        """That a sentence is certain, where it says so and stands or falls by uncertain facts.

        Args:
            sentence: Of the reply, without what is a fact word for word.
            subject: Ids of what it is about.
            named: For each name in it the ids that it can mean.
        """
        says_something = claims or _YES_OR_NO.fullmatch(sentence) or any(
            mention.kind in (MentionKind.PRONOUN, MentionKind.DEFINITE) for mention in mentions)
        if not says_something or is_hedged(sentence):
            return None
        entities = {each for ids in (subject, *named) for each in ids}
        if not any(claim.kind == "availability" for claim in claims):
            entities = entities & self.kb.events.keys() or entities
        unsure = self._unsure_event(entities, sentence, [
            mention.window for mention in mentions if mention.window is not None])
        if unsure and CONDITION not in sentence:
            return Claim(sentence.strip(), "certainty", Verdict.UNSUPPORTED,
                         f"the time zone of {unsure.name!r} is not known")
        times = [mention.window for mention in mentions
                 if mention.window is not None and mention.window.kind is not WindowKind.NOW]
        uncertain = self._only_uncertain(subject, named, times, claims)
        return None if uncertain is None else Claim(sentence.strip(), "certainty",
                                                    Verdict.UNSUPPORTED, uncertain)

    def _unsure_event(self, entities: set[str], sentence: str, windows: Sequence[Window]
                      ) -> Event | None:
        """An event of uncertain hours that could make a sentence false; None without any.

        It is one that the sentence names, where it tells its hours, or one of those that it is
        about; and the event's time zone decides whether it is at a time that the sentence says.
        """
        for each in sorted(entities) if windows else ():
            event = self.kb.events.get(each)
            for one in [event] if event else self.kb.events_of(each):
                if one.assumed_zone and ((one is event and tells_hours(sentence, one))
                                         or any(map(one.zone_decides, windows))):
                    return one
        return None

    def _only_uncertain(self, subject: set[str], named: Sequence[set[str]],
                        times: Iterable[Window], claims: Sequence[Claim]) -> str | None:
        """An uncertain fact by which a sentence stands or falls, in words; None without any.

        It does so if nothing certain is known of its subject, or connects a name with the others,
        or says that the subject is free, or gives it a number or time.
        """
        facts = list(zip(self.used, self._moments, strict=True))
        about = [each for each in facts if subject.intersection(each[0].fact.entities())]
        supports = [about]
        for place, ids in enumerate(named):
            others = {each for other in (*named[:place], *named[place + 1:]) for each in other}
            supports.append([each for each in facts if ids.intersection(each[0].fact.entities())
                             and (others - ids).intersection(each[0].fact.entities())])
        for claim in claims:
            if claim.kind in ("number", "phone"):
                supports.append([each for each in about if _has_value(each[0].text, claim.text)])
            elif claim.kind == "availability":
                supports.append([each for each in about if each[0].text == claim.evidence])
                about = [each for each in about if is_availability(each[0].fact)]
        supports.extend([each for each in about if _is_at(window, *each[1])] for window in times)
        return next((support[0][0].text for support in supports
                     if support and all(each.fact.certainty < 1.0 for each, _ in support)), None)

    def evidence(self, entities: Iterable[str]) -> str:
        """The first fact in use that has one of the entities."""
        wanted = set(entities)
        return next((ranked.text for ranked in self.used
                     if wanted.intersection(ranked.fact.entities())), "")

    def value_claim(self, value: StatedValue, owners: Collection[str] = (), *,
                    counted: str = "") -> Claim:
        """A claim that a fact in use must have to the letter, blanks in numbers aside.

        How many members a group has, and who attend an event, may also be counted.

        Args:
            owners: Ids of what it is said of; a fact about none of them does not support it.
                Empty when that cannot be told.
            counted: What it counts, ``people``, ``members`` or ``attendees``, if one of these.
        """
        text, kind = value.said, value.kind
        found = [ranked for ranked in self.used if _has_value(ranked.text, text)
                 or (text.isdecimal() and int(text) in ranked.fact.arguments)]
        if kind == "number":
            # "1 hour" says nothing of a floor.
            found = [ranked for ranked in found
                     if ranked.fact.predicate.endswith("floor") == value.floor]
        if (count := self._count(owners, counted)) is not None:
            number, what = count
            return Claim(text, kind, Verdict.SUPPORTED if text == str(number)
                         else Verdict.CONTRADICTED, what)
        own = [ranked for ranked in found
               if not owners or not set(owners).isdisjoint(ranked.fact.entities())]
        if own:
            return Claim(text, kind, Verdict.SUPPORTED, own[0].text)
        if found and kind != "number":
            return Claim(text, kind, Verdict.CONTRADICTED, found[0].text)
        return Claim(text, kind, Verdict.UNSUPPORTED)


    def _count(self, owners: Collection[str], counted: str) -> tuple[int, str] | None:
        """How many there are of what is counted, with the sentence; None if that is not known."""
        groups = [each for each in owners if each in self.kb.groups]
        events = [each for each in owners if each in self.kb.events]
        if counted in ("people", "members") and len(groups) == 1:
            number, name = len(self.kb.members(groups[0])), self.kb.groups[groups[0]].name
            return number, f"{name} has {number} members"
        if counted in ("people", "attendees") and len(events) == 1 and not groups:
            event = self.kb.events[events[0]]
            return len(event.attendees), f"{event.name} has {len(event.attendees)} attendees"
        return None


def is_availability(fact: Fact) -> bool:
    """Whether a fact says that somebody or something is free or busy."""
    return fact.predicate.endswith(("_available", "_free_slots", "_busy", "available_rooms",
                                    "available_members"))


def _has_value(sentence: str, value: str) -> bool:
    plain = re.sub(r"\s", "", value)
    return re.search(rf"(?<![\w+])(?<!\d[:.]){re.escape(plain)}(?!\w|[:.]\d)",
                     re.sub(r"(?<=\d)\s(?=\d)", "", sentence)) is not None


def _is_at(window: Window, times: set[dt.time], dates: set[dt.date]) -> bool:
    if window.kind in (WindowKind.INSTANT, WindowKind.SPAN):
        return {window.start.time(), window.end.time()} <= times
    return window.date in dates


def _moments_of(fact: Fact, kb: KnowledgeBase) -> tuple[set[dt.time], set[dt.date]]:
    """The times of day and the dates that a fact and its events have."""
    windows = windows_of(fact) + [event_window(kb.events[entity]) for entity in fact.entities()
                                   if entity in kb.events]
    times = {time for each in windows for time in (each.start.time(), each.end.time())}
    dates = {date for each in windows for date in _dates(each)}
    times.update(each for each in fact.arguments if isinstance(each, dt.time))
    dates.update(each for each in fact.arguments if isinstance(each, dt.date))
    return times, dates


def _dates(window: Window) -> Iterable[dt.date]:
    """The first and the last day of a window; of one of whole days that an event takes each."""
    first, last = window.start.date(), window.end.date()
    if window.kind in (WindowKind.DAY, WindowKind.ALL_DAY):  # they end as the next day begins
        last = max(first, last - dt.timedelta(days=1))
    between = (last - first).days if window.kind is WindowKind.ALL_DAY else 0
    return {last, *(first + dt.timedelta(days=number) for number in range(between + 1))}


def _spans_of(fact: Fact, kb: KnowledgeBase) -> set[Span]:
    """Begin and end of what a fact and its events have; None for the one that it does not tell."""
    windows = windows_of(fact) + [event_window(kb.events[entity]) for entity in fact.entities()
                                   if entity in kb.events]
    spans: set[Span] = {(each.start.time(), each.end.time()) for each in windows}
    for time in (each for each in fact.arguments if isinstance(each, dt.time)):
        spans.add((None, time) if fact.predicate == "end_time" else (time, None))
    return spans


def windows_of(fact: Fact) -> list[Window]:
    """The windows among the arguments of a fact."""
    windows: list[Window] = []
    for argument in fact.arguments:
        items = argument if isinstance(argument, tuple) else (argument,)
        windows.extend(item for item in items if isinstance(item, Window))
    return windows
