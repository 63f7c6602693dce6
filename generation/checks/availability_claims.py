"""Whether "free" and "busy" in a reply agree with the facts and the calendar."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from frontdesk.generation.checks.claims import Claim, Support, Verdict, is_availability, windows_of
from frontdesk.generation.voice.negation import is_denied
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.windows import Window

_WHO_IS = re.compile(r"\b(?:who|what|which(?:\s+\w+)?|when\W+\w+|whether\W+\w+)\W+(?:is|are)\W+$",
                     re.IGNORECASE)
FREE_OR_BUSY = re.compile(
    r"\b(?:(?P<free>free|available|vacant|empty|(?:has|have|got) time)|busy|occupied|unavailable|"
    r"taken|in (?:a|an|any|another|other|some) (?:other )?(?:meetings?|events?)|in meetings)\b",
    re.IGNORECASE)
#: Behind what is no matter of the calendar: "available for questions", "free of charge".
_FOR_CONTACT = re.compile(r"\W+(?:for (?:contact|questions|help)|of charge)\b", re.IGNORECASE)
#: Where what is said of some ends and what is said of others begins.
_CLAUSE = re.compile(r";|,?\s*\b(?:but|while|whereas)\b", re.IGNORECASE)
#: Between a "free" and a time that is not its own: "Beta is free at 10, and we close at 17".
_OTHER_CLAUSE = re.compile(r"\band (?:we|I|he|she|it|they|you|the|our|your)\b", re.IGNORECASE)
#: Free all of the time.
_WHOLE = re.compile(r"\b(?:all|the whole|the entire) (?:day|morning|afternoon|week)\b",
                    re.IGNORECASE)
#: Neither free nor busy.
_HARDLY = re.compile(r"\b(?:hardly|barely|scarcely|seldom|rarely)(?: ever)?\W*$", re.IGNORECASE)
#: From the best verdict to the worst.
_WORSE = (Verdict.SUPPORTED, Verdict.UNSUPPORTED, Verdict.CONTRADICTED)
#: Free, but not all the time.
_PARTLY = re.compile(r"\b(?:some|partly|part of|rest of|after|before|except|apart from|between)\b",
                     re.IGNORECASE)


@dataclass(frozen=True)
class Availability:
    """Whether a "free" or "busy" is right, and what of the calendar was looked up for it.

    Args:
        offers: Ids of whom and what the calendar has as free, where that is what is said.
    """

    claim: Claim
    offers: frozenset[str] = frozenset()
    windows: tuple[Window, ...] = ()


def availability_claims(support: Support, sentence: str, subject: set[str],
                        timed: Sequence[tuple[int, Window]], parts: Collection[Window] = (), *,
                        now: dt.datetime, named: Sequence[tuple[int, set[str]]] = (),
                        pronoun: Callable[[int, int], bool] = lambda start, end: False,
                        spoken: Collection[Window] = ()) -> Iterator[Availability]:
    """Whether each "free" or "busy" agrees with what is known of the subjects of a sentence.

    Args:
        subject: Ids of what it is about.
        timed: The clock times that it names, and now, each with where it starts: a fact about
            another time says nothing of them.
        parts: The days and parts of days that it names.
        now: Zone-aware present: what is over takes nobody's time.
        named: For each name in it where it starts and the ids that it can mean.
        pronoun: Whether a stretch of it says something of people by a pronoun.
        spoken: The clock times of the dialogue, which "then" can mean.
    """
    bounds = [0, *(match.start() for match in _CLAUSE.finditer(sentence)), len(sentence)]
    able = {*support.kb.people, *support.kb.rooms}
    for word in FREE_OR_BUSY.finditer(sentence):
        denied = is_denied(sentence, word.start())
        if _WHO_IS.search(sentence[:word.start()]) or (
                not denied and _FOR_CONTACT.match(sentence, word.end())):
            continue  # "you can ask me who is free" claims nothing
        free = bool(word["free"]) != denied
        since = max(bound for bound in bounds if bound <= word.start())
        until = min(bound for bound in bounds if bound > word.start())
        last = word.start() if pronoun(since, word.start()) else until  # "she is busy with Ada"
        subjects = [ids for start, ids in named if since <= start < last and ids & able]
        # A name that several have is looked up for none of them.
        known = [next(iter(ids)) for ids in subjects] if all(
            len(ids) == 1 for ids in subjects) else []
        own = [each for each in timed if since <= each[0] < until]
        times = [window for start, window in own or timed if not _OTHER_CLAUSE.search(
            sentence[min(word.end(), start):max(word.end(), start)])]
        if times and len(known) > 1:
            yield _by_calendar(support.kb, word.group(), known, times, free=free)
            continue
        if free and (_HARDLY.search(sentence[:word.start()])
                     or (_WHOLE.search(sentence) and (times or not parts))):
            yield Availability(Claim(word.group(), "availability", Verdict.UNSUPPORTED))
            continue
        then = times or ([] if parts else list(spoken)[-1:])
        found = []
        for ids in subjects or [subject]:
            each = _by_facts(support, word.group(), ids, times, parts, free=free, now=now,
                             partly=_PARTLY.search(sentence) is not None)
            if each is None and len(ids) == 1 and ids & able and then:
                each = _by_calendar(support.kb, word.group(), list(ids), then, free=free)
            found.append(each or Availability(Claim(word.group(), "availability",
                                                    Verdict.UNSUPPORTED)))
            if not free and ids <= able:
                found += _wrong_reasons(support.kb, word.group(), ids, [
                    reason for start, reason in named if word.end() <= start < until])
        worst = max(found, key=lambda each: _WORSE.index(each.claim.verdict))
        yield replace(worst, offers=frozenset().union(*(each.offers for each in found)))


def _by_facts(support: Support, word: str, subject: set[str], times: Collection[Window],
              parts: Collection[Window], *, free: bool, now: dt.datetime,
              partly: bool) -> Availability | None:
    """Whether a subject is free, or not, by the facts in use; None where none tells."""
    facts = [ranked for ranked in support.used
             if subject & set(ranked.fact.entities()) and is_availability(ranked.fact)]
    then = [ranked for ranked in facts
            if any(_concerns(ranked.fact, window) for window in times)]
    if facts and times and len(subject) == 1 and not then:
        return _by_calendar(support.kb, word, list(subject), times, free=free)
    if free and not times and len(subject) == 1 and not partly \
            and (taken := [event for window in parts for event in events_at(
                next(iter(subject)), window, support.kb) if event.end > now]):
        return Availability(Claim(word, "availability", Verdict.UNSUPPORTED,
                                  f"not all the time because of {taken[0].name}"))
    agreeing = [ranked for ranked in then or facts
                if free != ranked.fact.predicate.endswith("_busy")]
    if agreeing:
        surest = max(agreeing, key=lambda ranked: ranked.fact.certainty)
        return Availability(Claim(word, "availability", Verdict.SUPPORTED, surest.text),
                            windows=tuple(times) if then else ())
    owners = {str(ranked.fact.arguments[0]) for ranked in facts}
    if times and len(owners) == 1 and owners <= {*support.kb.people, *support.kb.rooms}:
        # Of a time that is not free some may be.
        return _by_calendar(support.kb, word, list(owners), times, free=free)
    return Availability(Claim(word, "availability", Verdict.CONTRADICTED,
                              facts[0].text)) if facts else None


def _wrong_reasons(kb: KnowledgeBase, word: str, subject: set[str],
                   reasons: Sequence[set[str]]) -> Iterator[Availability]:
    """Events that are said to take somebody's time though they are none of theirs."""
    own = {event.id for each in subject for event in kb.events_of(each)}
    for ids in reasons:
        if ids <= kb.events.keys() and ids and ids.isdisjoint(own):
            yield Availability(Claim(word, "availability", Verdict.CONTRADICTED,
                                     f"{kb.entity(min(ids)).name} is no event of theirs"))


def _by_calendar(kb: KnowledgeBase, word: str, subjects: Sequence[str],
                 times: Collection[Window], *, free: bool) -> Availability:
    """Whether each of some people and rooms is free, or not, by the calendar itself.

    Who is free at the beginning of a time and busy at its end is neither.
    """
    partly = False
    for entity in subjects:
        taken = [event for window in times for event in events_at(entity, window, kb)]
        evidence = f"{kb.entity(entity).name} is {'not ' if taken else ''}free then" + (
            f" because of {taken[0].name}" if taken else "")
        if free == bool(taken):
            return Availability(Claim(word, "availability", Verdict.CONTRADICTED, evidence))
        partly = partly or not (free or all(_covered(window, taken) for window in times))
    return Availability(Claim(word, "availability", Verdict.UNSUPPORTED if partly
                              else Verdict.SUPPORTED, evidence),
                        frozenset(subjects) if free else frozenset(),
                        () if partly else tuple(times))


def _covered(window: Window, events: Sequence[Event]) -> bool:
    """Whether some event takes place at every moment of a window."""
    until = window.start
    for event in sorted(events, key=lambda each: each.start):
        if event.start <= until:
            until = max(until, event.end)
    return until >= window.end


def events_at(entity: str, window: Window, kb: KnowledgeBase) -> list[Event]:
    """The events of a person or in a room in a window; none of anything else."""
    if entity not in kb.people and entity not in kb.rooms:
        return []
    return [event for event in kb.events_of(entity) if window.overlaps(event.start, event.end)]


def _concerns(fact: Fact, window: Window) -> bool:
    """Whether a fact is about all of a time, or about none in particular."""
    windows = windows_of(fact)
    if window.start < window.end:  # what is so at a moment of it need not be so all the time
        return not windows or any(each.start <= window.start and window.end <= each.end
                                  for each in windows)
    return not windows or any(each.start <= window.end and window.start <= each.end
                              for each in windows)
