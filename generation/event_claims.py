"""What a reply says of an event besides its names and times: that it is over, that nobody comes."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

from frontdesk.generation.claims import Claim, Verdict
from frontdesk.generation.negation import is_denied
from frontdesk.generation.reply_sentence import Sentence
from frontdesk.generation.time_claims import when_it_is
from frontdesk.kg.entities import Event
from frontdesk.kg.knowledge_base import KnowledgeBase

#: Whether an event lies behind, goes on or has begun, without a time that follows.
_STATE = re.compile(
    r"\b(?:(?:is|are|was)(?: not|n['’]t)?(?: already| now| still| currently)* "
    r"(?:(?P<over>over|finished|ended)|(?P<on>under ?way|in progress|going on|ongoing))"
    r"|(?:has|have)(?: not|n['’]t)?(?: already| just| now| yet)* "
    r"(?:(?P<ended>ended|finished)|(?P<begun>started|begun)))\b"
    r"(?!\W+(?:at|by|around|about|from|on|until|till|the|to|there|here|\d))", re.IGNORECASE)
_NOBODY = re.compile(r"\b(?:nobody|no[ -]one|none)\b[^.,;]{0,40}?\b(?:attend|invited|coming|comes|"
                     r"join|participat|going to|(?P<organises>organi[sz]))"
                     r"|\b(?:has|have|with) no (?:(?:attendees|participants|guests)\b|"
                     r"(?P<organiser>organi[sz]er)\b)", re.IGNORECASE)
#: That something is so of this and of nothing else.
_ONLY = re.compile(r"(?:^|[,;:]|\band|\bbut)\W*(?:only|just)\W+(?:the\W+)?$", re.IGNORECASE)
_VERB = re.compile(r"\W*(?:is|are|attends?|can|has|have|will|organi[sz]es?)\b", re.IGNORECASE)


def event_claims(said: Sentence, kb: KnowledgeBase, now: dt.datetime) -> Iterator[Claim]:
    """What a sentence says of one event, compared with the event itself.

    Args:
        said: The sentence.
        kb: Has the event.
        now: Zone-aware present.
    """
    if said.arranges:
        return
    named = {each for _, ids in said.named for each in ids if each in kb.events}
    about = named or {each for each in said.topic if each in kb.events}
    if len(about) == 1:
        event = kb.events[next(iter(about))]
        yield from _states(said.text, event, now)
        yield from _nobody(said.text, event)
    yield from _only(said)


def _states(text: str, event: Event, now: dt.datetime) -> Iterator[Claim]:
    for state in _STATE.finditer(text):
        over, begun = event.end <= now, event.start <= now
        holds = over if state["over"] or state["ended"] else begun and not (over and state["on"])
        denied = is_denied(text, state.end())
        yield Claim(state[0], "time", Verdict.CONTRADICTED if holds == denied
                    else Verdict.SUPPORTED, when_it_is(event))


def _nobody(text: str, event: Event) -> Iterator[Claim]:
    found = _NOBODY.search(text)
    if found is None:
        return
    there = event.organizer if found["organises"] or found["organiser"] else event.participants()
    if there:
        yield Claim(found[0], "number", Verdict.CONTRADICTED,
                    f"{event.name} has {len(event.participants())} participants")


def _only(said: Sentence) -> Iterator[Claim]:
    """That this is all: no fact says that there is nothing else."""
    for mention, ids in said.named:
        if ids and _ONLY.search(said.text[:mention.start]) and _VERB.match(
                said.text[mention.end:]):
            yield Claim(f"only {mention.text}", "certainty", Verdict.UNSUPPORTED)
