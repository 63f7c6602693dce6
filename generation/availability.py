"""Whether "free" and "busy" in a reply agree with the facts and the calendar."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterator, Sequence

from frontdesk.generation.claims import Claim, Support, Verdict, is_availability, windows_of
from frontdesk.generation.negation import is_denied
from frontdesk.kg.entities import Event
from frontdesk.kg.facts import Fact
from frontdesk.kg.knowledge_base import KnowledgeBase
from frontdesk.kg.windows import Window

_WHO_IS = re.compile(r"\b(?:who|what|which(?:\s+\w+)?|when\W+\w+|whether\W+\w+)\W+(?:is|are)\W+$",
                     re.IGNORECASE)
_FREE_OR_BUSY = re.compile(r"\b(?:(?P<free>free|available)|busy|occupied|unavailable|taken)\b",
                           re.IGNORECASE)
#: Free, but not all the time.
_PARTLY = re.compile(r"\b(?:some|partly|part of|rest of|after|before|except|apart from|between)\b",
                     re.IGNORECASE)


def availability_claims(support: Support, sentence: str, subject: set[str],
                        times: Collection[Window], parts: Collection[Window] = (), *,
                        now: dt.datetime,
                        named: Sequence[set[str]] = (), spoken: Collection[Window] = ()
                        ) -> Iterator[Claim]:
    """Whether each "free" or "busy" agrees with what is known of the subject of a sentence.

    Args:
        support: What the facts in use have.
        sentence: Of the reply.
        subject: Ids of what it is about.
        times: The clock times that it names: a fact about another time says nothing of them.
        parts: The days and parts of days that it names.
        now: Zone-aware present: what is over takes nobody's time.
        named: For each name in it the ids that it can mean.
        spoken: The clock times of the dialogue, which "then" can mean.
    """
    all_named = [ids for ids in named if len(ids) == 1
                 and not ids.isdisjoint({*support.kb.people, *support.kb.rooms})]
    for word in _FREE_OR_BUSY.finditer(sentence):
        if _WHO_IS.search(sentence[:word.start()]):
            continue  # "you can ask me who is free" claims nothing
        free = bool(word["free"]) != is_denied(sentence, word.start())
        facts = [ranked for ranked in support.used
                 if subject & set(ranked.fact.entities()) and is_availability(ranked.fact)]
        then = [ranked for ranked in facts
                if any(_concerns(ranked.fact, window) for window in times)]
        if facts and times and len(subject) == 1 and not then:
            yield _calendar_claim(support.kb, word.group(), [subject], times, free=free)
            continue
        if free and not times and len(subject) == 1 and not _PARTLY.search(sentence) \
                and (taken := [event for window in parts for event in events_at(
                    next(iter(subject)), window, support.kb) if event.end > now]):
            yield Claim(word.group(), "availability", Verdict.UNSUPPORTED,
                        f"not all the time because of {taken[0].name}")
            continue
        agreeing = [ranked for ranked in then or facts
                    if free != ranked.fact.predicate.endswith("_busy")]
        if agreeing:
            surest = max(agreeing, key=lambda ranked: ranked.fact.certainty)
            yield Claim(word.group(), "availability", Verdict.SUPPORTED, surest.text)
        elif facts:
            yield Claim(word.group(), "availability", Verdict.CONTRADICTED, facts[0].text)
        elif all_named and (times or spoken):
            yield _calendar_claim(support.kb, word.group(), all_named, times or list(spoken)[-1:],
                                  free=free)
        else:
            yield Claim(word.group(), "availability", Verdict.UNSUPPORTED)


def _calendar_claim(kb: KnowledgeBase, word: str, subjects: Sequence[set[str]],
                    times: Collection[Window], *, free: bool) -> Claim:
    """Whether each of some people and rooms is free, or not, by the calendar itself."""
    for entity in (next(iter(each)) for each in subjects):
        taken = [event for window in times for event in events_at(entity, window, kb)]
        evidence = f"{kb.entity(entity).name} is {'not ' if taken else ''}free then" + (
            f" because of {taken[0].name}" if taken else "")
        if free == bool(taken):
            return Claim(word, "availability", Verdict.CONTRADICTED, evidence)
    return Claim(word, "availability", Verdict.SUPPORTED, evidence)


def events_at(entity: str, window: Window, kb: KnowledgeBase) -> list[Event]:
    """The events of a person or in a room in a window; none of anything else."""
    if entity not in kb.people and entity not in kb.rooms:
        return []
    return [event for event in kb.events_of(entity) if window.overlaps(event.start, event.end)]


def _concerns(fact: Fact, window: Window) -> bool:
    """Whether a fact is about a time, or about none in particular."""
    windows = windows_of(fact)
    return not windows or any(each.start <= window.end and window.start <= each.end
                              for each in windows)
