"""What a reply says of events and groups besides names and times: that nobody comes, for one."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterator

from frontdesk.generation.answers.reply_sentence import Sentence
from frontdesk.generation.checks.claims import Claim, Verdict
from frontdesk.generation.checks.time_claims import when_it_is
from frontdesk.generation.voice.negation import is_denied
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.windows import Window

#: Whether an event lies behind, goes on or has begun, without a time that follows.
_STATE = re.compile(
    r"\b(?:(?:is|are|was)(?: not| never|n['’]t)?(?: already| now| still| currently)* "
    r"(?:(?P<over>over|finished|ended)|(?P<on>under ?way|in progress|going on|ongoing))"
    r"|(?:has|have)(?: not| never|n['’]t)?(?: already| just| now| yet)* "
    r"(?:(?P<ended>ended|finished)|(?P<begun>started|begun)))\b"
    # "Over at 12:30", "over two hours long".
    r"(?=\W*(?:$|[.!;,]|now\b|already\b|yet\b|and\b|but\b|so\b))", re.IGNORECASE)
#: What is so once it is so.
_ONCE = re.compile(r"\b(?:once|when|whenever|after|until|till|as soon as|before|if|unless)\b"
                   r"[^.,;]*$", re.IGNORECASE)
_NOBODY = re.compile(r"\b(?:nobody|no[ -]one|none)\b"
                     r"(?! (?:else|but|besides|other|told|knows?)\b)"
                     r"[^.,;]{0,40}?\b(?:attend|invited|coming|comes|"
                     r"join|participat|going to|(?P<organises>organi[sz]))"
                     r"|\b(?:has|have|with) no (?:(?:attendees|participants|guests)\b|"
                     r"(?P<organiser>organi[sz]er)\b)", re.IGNORECASE)
#: Who does not come, or organise: people named before.
_NOT_THERE = re.compile(r"(?:\bnot|n['’]t|\bnever)(?: going to)?(?: be)? (?:attend|coming|come\b|"
                        r"invited|join|participat|(?P<organises>organi[sz]))", re.IGNORECASE)
_EMPTY_GROUP = re.compile(r"\b(?:nobody|no[ -]one)(?: is| works)? in\b|\b(?:has|have|with) no "
                          r"(?:members?|people)\b", re.IGNORECASE)
#: That something is so of this and of nothing else.
_ONLY = re.compile(r"(?:^|[,;:]|\band|\bbut) *(?:only|just)\W+(?:the\W+)?$", re.IGNORECASE)
_NEAR = 40
_VERB = re.compile(r"\W*(?:is|are|attends?|can|has|have|will|organi[sz]es?)\b", re.IGNORECASE)


def event_claims(said: Sentence, kb: KnowledgeBase, now: dt.datetime,
                 windows: Collection[Window] = ()) -> Iterator[Claim]:
    """What a sentence says of one event, compared with the event itself.

    Args:
        now: Zone-aware present.
        windows: The times that the sentence names: who is not at an event then may be later.
    """
    if said.arranges:
        return
    named = {each for _, ids in said.named for each in ids if each in kb.events}
    about = named or {each for each in said.topic if each in kb.events}
    if len(about) == 1:
        event = kb.events[next(iter(about))]
        yield from _states(said.text, event, now)
        if all(window.overlaps(event.start, event.end) for window in windows):
            yield from _nobody(said.text, event)
            yield from _not_there(said, event, kb)
    yield from _empty_groups(said, kb)
    yield from _only(said)


def _states(text: str, event: Event, now: dt.datetime) -> Iterator[Claim]:
    for state in _STATE.finditer(text):
        if _ONCE.search(text[:state.start()]):
            continue
        over, begun = event.end <= now, event.start <= now
        holds = over if state["over"] or state["ended"] else begun and not (over and state["on"])
        denied = is_denied(text, state.end())
        yield Claim(state[0], "time", Verdict.CONTRADICTED if holds == denied
                    else Verdict.SUPPORTED, when_it_is(event))


def _nobody(text: str, event: Event) -> Iterator[Claim]:
    found = _NOBODY.search(text)
    if found is None:
        return
    there = event.organizer if found["organises"] or found["organiser"] else event.attendees
    yield Claim(found[0], "number", Verdict.CONTRADICTED if there else Verdict.SUPPORTED,
                f"{event.name} has {len(event.attendees)} attendees")


def _not_there(said: Sentence, event: Event, kb: KnowledgeBase) -> Iterator[Claim]:
    """"Ada is not attending the talk" of who is."""
    for found in _NOT_THERE.finditer(said.text):
        there = {event.organizer} if found["organises"] else {*event.attendees}
        for mention, ids in said.named:
            if mention.end <= found.start() and len(ids) == 1 and ids <= there & kb.people.keys():
                does = "organises" if found["organises"] else "attends"
                yield Claim(f"{mention.text} … {found[0]}", "entity", Verdict.CONTRADICTED,
                            f"{mention.text} {does} {event.name}")


def _empty_groups(said: Sentence, kb: KnowledgeBase) -> Iterator[Claim]:
    found = _EMPTY_GROUP.search(said.text)
    if found is None:
        return
    for mention, ids in said.named:
        if len(ids) == 1 and ids <= kb.groups.keys() and (members := kb.members(*ids)):
            yield Claim(found[0], "number", Verdict.CONTRADICTED,
                        f"{mention.text} has {len(members)} members")


def _only(said: Sentence) -> Iterator[Claim]:
    """That this is all: no fact says that there is nothing else."""
    for mention, ids in said.named:
        before = said.text[max(0, mention.start - _NEAR):mention.start]
        if ids and _ONLY.search(before) and _VERB.match(
                said.text[mention.end:]):
            yield Claim(f"only {mention.text}", "certainty", Verdict.UNSUPPORTED)
