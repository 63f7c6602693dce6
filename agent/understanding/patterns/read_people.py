"""Who is to come, who no longer, and for whom a message is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from frontdesk.agent.understanding.patterns.read_message import MESSAGE_WORDS
from frontdesk.agent.understanding.patterns.readings import LIKELY, Said, is_me
from frontdesk.agent.understanding.request import UnclearName
from frontdesk.kg.english.lexicon import COMMON_WORDS
from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.entities import Group, Person
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.pending_action import GroupWish, Slot
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.rules.linking.linked import LinkedMention

_NUMBERS = {"a": 1, "an": 1, "one": 1, "someone": 1, "somebody": 1, "anyone": 1, "anybody": 1,
            "any": 1, "two": 2, "some": 2, "several": 2, "couple": 2, "three": 3, "four": 4,
            "five": 5, "six": 6, "all": 0, "every": 0, "everyone": 0, "everybody": 0, "whole": 0,
            "each": 0, "entire": 0, "both": 2}
_HOW_MANY = re.compile(
    rf"\b(?P<number>{'|'.join(_NUMBERS)}|\d{{1,2}})\b(?: (?:more|other|else|available|free))?"
    r"(?: of)?(?: the)?"
    r"(?: (?:member|members|people|persons?|colleagues?|folks|employees?|of us|guys))?"
    r"(?: (?:of|from|in|on|at))?(?: the| our| my)?\s*$", re.IGNORECASE)
_FURTHER = re.compile(r"\b(?:more|other|another|else)\b", re.IGNORECASE)
#: "With luke foster", as a speech recogniser writes it.
_NAME_AFTER = re.compile(
    r"\b(?:with|invite|and invite|add|could|can|would|should|may|put|have|like)\s+"
    r"(?P<name>[^\W\d_]{2,}(?:\s+[^\W\d_]{2,}))(?=\s+(?:on|at|in|for|to|and|tomorrow|today|from|"
    r"called|about|this|next|as|too|also|please|be|come|join|should|attend)\b|\W*$|[,.])",
    re.IGNORECASE)
#: The same of who gets a message.
_NAME_TOLD = re.compile(
    r"\b(?:tell|let|inform|notify|remind|message (?:for|to))\s+"
    r"(?P<name>[^\W\d_]{2,}(?:\s+[^\W\d_]{2,}))(?=\s+(?:that|i|i['’]m|we|know|the|to|about|he|she|"
    r"they|please|my)\b|\s*:)", re.IGNORECASE)
_BEFORE_NAME = re.compile(r"\b(?:with|invite|add|include|and|meet|also|tell|for|remove|uninvite|"
                          r"without)$|,$", re.IGNORECASE)
#: From this probability on a name that several people have means the likeliest of them.
_SURE = 0.9
_ZONE = re.compile(r"(?:[A-Z]{3,4}\b(?=\s|\W*$)|[A-Z]\w+(?: [A-Z]\w+)?(?= time\b))")
_AND = re.compile(r"\s*(?:,|,? and|,? as well as)\s+(?:also )?", re.IGNORECASE)
_ALL_BUT = re.compile(r"\b(?:everyone|everybody|all)\b(?: [\w'’-]+){0,4}? (?:but|except(?: for)?|"
                      r"apart from|other than)\b[^.?!]*$", re.IGNORECASE)
_REPLACES = re.compile(r"\b(?:replace|swap|exchange|substitute)\s+$", re.IGNORECASE)
_WITHOUT_ME = re.compile(r"\b(?:take|remove|uninvite|drop|leave) (?:me|myself) "
                         r"(?:off|out|from)\b", re.IGNORECASE)
_STILL_INVITED = re.compile(r"\b(?:with|invite|add)\s+$", re.IGNORECASE)


@dataclass(frozen=True)
class People:
    """The people of a request.

    Args:
        invited, removed, recipients: Ids.
        kept: Ids of those who alone are still to come: "remove everyone but Ada".
        unclear: Names that are not clear.
        wishes: Groups of whom some or all are to come.
    """

    invited: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    unclear: tuple[UnclearName, ...] = ()
    wishes: tuple[GroupWish, ...] = ()


def read_people(said: Said) -> People:
    """The people that an utterance speaks of."""
    invited: list[str] = []
    removed: list[str] = []
    recipients: list[str] = []
    kept: list[str] = []
    unclear: list[UnclearName] = []
    last = 0
    for each in said.current:
        if not _names_people(said, each):
            continue
        if not each.links:
            if not _ZONE.match(said.text[each.mention.start:]):  # "at ten UTC"
                unclear.append(_unclear(said, each))
            continue
        if each.mention.kind is MentionKind.NAME and (namesakes := _namesakes(said, each)):
            unclear.append(UnclearName(each.mention.name, namesakes, known=True))
            continue
        people = [link.entity for link in (each.links if _means_all(each) else each.links[:1])
                  if isinstance(said.kb.entity(link.entity), Person)
                  and link.entity != said.dialogue.user]
        if said.is_in(each.mention, Intent.LEAVE_MESSAGE) and not said.is_negated(each.mention):
            if not recipients or _AND.fullmatch(said.text[last:each.mention.start]):
                recipients, last = recipients + people, each.mention.end
        elif said.is_in(each.mention, Intent.REMOVE_ATTENDEE) \
                and _ALL_BUT.search(said.text[:each.mention.start]):
            kept += people
        elif _is_left_out(said, each.mention) or _is_removed(said, each.mention):
            removed += people
        elif not said.owns(each.mention):
            invited += people
    if said.dialogue.user and said.dialogue.asked != Slot.CONFIRMATION \
            and _WITHOUT_ME.search(said.text):
        removed.append(said.dialogue.user)
    unclear += _unheard_names(said)
    if said.asked == Slot.RECIPIENT and not (unclear or recipients or invited):
        unclear += _unknown_words(said)
    if said.asked == Slot.RECIPIENT:
        recipients, invited = recipients or invited, []
    return People(_once(invited), _once(removed), _once(recipients), _once(kept), tuple(unclear),
                  () if kept else tuple(_wishes(said)))


def _once(ids: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))


def _names_people(said: Said, each: LinkedMention) -> bool:
    mention = each.mention
    if said.introduces(mention) or is_me(said.text, mention) or mention.kind in (
            MentionKind.FIRST_PERSON, MentionKind.TIME, MentionKind.TYPE):
        return False
    if each.links:
        return said.asked != Slot.SPEAKER and isinstance(
            said.kb.entity(each.links[0].entity), Person)
    return (mention.kind is MentionKind.NAME
            and mention.types.isdisjoint({ArgumentType.EVENT, ArgumentType.ROOM})
            and (ArgumentType.PERSON in mention.types or _is_where_names_are(said, mention)))


def _is_where_names_are(said: Said, mention: Mention) -> bool:
    """Whether a name that nobody has stands where a person or group is named."""
    if said.is_in(mention, Intent.LEAVE_MESSAGE):
        clause = next(each for each in said.clauses
                      if each.asks_for(Intent.LEAVE_MESSAGE) > LIKELY)
        words = MESSAGE_WORDS.search(said.text, clause.start)
        return words is None or words.end() > mention.start
    if ArgumentType.GROUP in mention.types:
        return said.is_in(mention, Intent.INVITE, Intent.CREATE_EVENT)
    if said.is_in(mention, Intent.INVITE, Intent.REMOVE_ATTENDEE):
        return True
    return (_BEFORE_NAME.search(said.text[:mention.start].rstrip()) is not None
            or said.asked in (Slot.ATTENDEES, Slot.RECIPIENT))


def _means_all(each: LinkedMention) -> bool:
    """Whether a mention means several at once: "them", "its attendees"."""
    return (each.mention.kind in (MentionKind.RELATION, MentionKind.PRONOUN, MentionKind.DEFINITE)
            and len(each.links) > 1 and each.links[1].probability > 0.5)


def _namesakes(said: Said, each: LinkedMention) -> tuple[str, ...]:
    """Ids of the people of whom a name may speak, where it is not clear which; else empty."""
    if len(each.best) > 1:
        return tuple(link.entity for link in each.best)
    words = set(_words(each.mention.name))
    same = [link.entity for link in each.links if link.entity != said.dialogue.user
            and isinstance(said.kb.entity(link.entity), Person)
            and words <= set(_words(said.kb.entity(link.entity).name))]
    return tuple(same) if len(same) > 1 and each.links[0].probability < _SURE else ()


def _words(name: str) -> list[str]:
    """The words of a name in small letters."""
    return [word.text for word in split_words(name)]


def _unclear(said: Said, each: LinkedMention) -> UnclearName:
    """A name that nobody has, with those whom it resembles."""
    kind = Group if ArgumentType.GROUP in each.mention.types else Person
    suggested = tuple(entity for entity in each.suggestions
                      if isinstance(said.kb.entity(entity), kind))
    if kind is Group:
        return UnclearName(each.mention.name, suggested, False, group=True)
    likely = tuple(entity for entity, _ in each.ranked[:3]
                   if isinstance(said.kb.entity(entity), Person))
    return UnclearName(each.mention.name, suggested or likely[:1], False)


def _unheard_names(said: Said) -> list[UnclearName]:
    """Names after "with" or "invite" that are no mentions, as nobody has them."""
    found = []
    for clause in said.clauses:
        if clause.asks_for(Intent.LEAVE_MESSAGE) > LIKELY:
            pattern = _NAME_TOLD
        elif max(clause.asks_for(Intent.CREATE_EVENT), clause.asks_for(Intent.INVITE)) > LIKELY:
            pattern = _NAME_AFTER
        else:
            continue
        for match in pattern.finditer(said.text, clause.start, clause.end):
            start, end = match.span("name")
            in_title = said.title is not None and said.title[0] <= start < said.title[1]
            known = any(each.start < end and start < each.end
                        for each in said.observation.mentions)
            common = not COMMON_WORDS.isdisjoint(match["name"].lower().split())
            if not (in_title or known or common):
                found.append(UnclearName(match["name"], (), False))
    return found


def _unknown_words(said: Said) -> list[UnclearName]:
    """The name in an answer that names nobody who is known, in small letters or not."""
    words = [word for word in split_words(said.text) if word.text not in COMMON_WORDS]
    if not 1 < len(words) < 5 or any(each.links for each in said.linked):
        return []
    return [UnclearName(said.text[words[0].start:words[1].end], (), False)]


def _is_left_out(said: Said, mention: Mention) -> bool:
    """Whether a name is excepted or replaced: "all of Optics but Ada", "Bo instead of Ada"."""
    if said.is_excepted(mention):
        return True
    replaced = _REPLACES.search(said.text[:mention.start])
    return replaced is not None and re.match(
        r"\s+(?:with|by|for)\b", said.text[mention.end:]) is not None


def _is_removed(said: Said, mention: Mention) -> bool:
    return said.is_in(mention, Intent.REMOVE_ATTENDEE) \
        and _STILL_INVITED.search(said.text[:mention.start]) is None


def _wishes(said: Said) -> Iterator[GroupWish]:
    for each in said.current:
        if not each.links or said.owns(each.mention) or each.mention.kind in (
                MentionKind.FIRST_PERSON, MentionKind.PRONOUN):
            continue
        group = said.kb.entity(each.links[0].entity)
        if not isinstance(group, Group):
            continue
        found = _HOW_MANY.search(said.text[:each.mention.start])
        word = found["number"].lower() if found else "all"
        yield GroupWish(group.id, int(word) if word.isdigit() else _NUMBERS[word],
                        further=found is not None and _FURTHER.search(found[0]) is not None)
