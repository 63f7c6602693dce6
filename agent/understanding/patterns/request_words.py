"""What acting asks of the words of an utterance, until a trained parser tells it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from frontdesk.agent.understanding.patterns.clauses import is_mere_question
from frontdesk.agent.understanding.patterns.confirmations import says_no, says_yes
from frontdesk.agent.understanding.patterns.read_place import without_room
from frontdesk.agent.understanding.patterns.read_target import names_another
from frontdesk.agent.understanding.patterns.read_when import BOOKS_IT
from frontdesk.agent.understanding.patterns.readings import LIKELY
from frontdesk.agent.understanding.patterns.unwanted import keeps, negated
from frontdesk.kg.english.lexicon import is_only_names
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention
from frontdesk.kg.graph.pending_action import ActionKind


class OtherTime(StrEnum):
    """Which time is wanted in place of one that was offered."""

    LATER = "later"
    EARLIER = "earlier"
    ANOTHER_DAY = "another day"
    ANOTHER_TIME = "another time"


@dataclass(frozen=True)
class RequestWords:
    """The words of an utterance, or of its question, by what acting asks of them.

    Args:
        whole: The text, to be answered later, embedded or remembered; nobody searches it.
    """

    whole: str = ""

    # --- yes and no

    @property
    def says_yes(self) -> bool:
        """Whether it agrees, and to all that was asked."""
        return says_yes(self.whole) > LIKELY

    @property
    def says_no(self) -> bool:
        """Whether it turns down what was asked."""
        return says_no(self.whole)

    @property
    def negated(self) -> bool:
        """Whether it tells what not to do: "don't book anything"."""
        return bool(negated(self.whole))

    def without_room(self) -> RequestWords:
        """The same without the words that say that no room is needed."""
        return RequestWords(without_room(self.whole))

    def names_deed(self, kind: ActionKind) -> bool:
        """Whether it has a verb for what an action of a kind does: "cancel", "do it"."""
        return _VERBS[kind].search(self.whole) is not None

    @property
    def is_not_to_send(self) -> bool:
        """Whether a message is not to be passed on: "actually, don't send it"."""
        return self.negated and _SENDS.search(self.whole) is not None

    def is_conditional(self, title: str) -> bool:
        """Whether something is to be done only if something else is so, that no title says."""
        text = self.whole.replace(title, "") if title else self.whole
        return _CONDITION.search(text) is not None

    # --- what is wanted in place of what was asked, offered or booked

    @property
    def other_time(self) -> OtherTime | None:
        """Which time it wants in place of one that was offered; None for anything else.

        Example:
            >>> RequestWords("Do you have something later, please?").other_time
            <OtherTime.LATER: 'later'>
        """
        wanted = _OTHER_TIME.match(self.whole)
        return next(each for each in OtherTime if wanted[each.name]) if wanted else None

    @property
    def leaves_time_open(self) -> bool:
        """Whether "any" is said of a time: "whenever everybody is free" takes up no room."""
        return _ANY_TIME.search(self.whole) is not None

    @property
    def replaces(self) -> bool:
        """Whether whom it names is to come in place of another: "Bo instead", "Bo, I mean"."""
        return _INSTEAD.search(self.whole) is not None

    @property
    def names_one_more(self) -> bool:
        """Whether what it names is wanted as well: "yes, and the lens workshop too"."""
        return _TOO.search(self.whole) is not None and not keeps(self.whole)

    @property
    def names_instead(self) -> bool:
        """Whether what it names was meant instead: "no, the supplier call"."""
        return _THIS_ONE.match(self.whole) is not None and not self.negated

    def names_another(self, events: Sequence[str], kb: KnowledgeBase) -> bool:
        """Whether it wants something cancelled or moved that is called otherwise than some events.

        Args:
            events: Ids of the events, which an utterance that names nothing would mean.
            kb: The organisation.
        """
        return names_another(self.whole, events, kb)

    # --- what is booked

    @property
    def books_it(self) -> bool:
        """Whether what was asked about is to be booked: "great, book it"."""
        return BOOKS_IT.search(self.whole) is not None

    @property
    def books_series(self) -> bool:
        """Whether a meeting is to be repeated: "every Monday"."""
        return _REPEATED.search(self.whole) is not None

    @property
    def repeats(self) -> bool:
        """Whether what was booked last is wanted once more: "same again on Thursday"."""
        return _AGAIN.search(self.whole) is not None

    @property
    def names_nobody(self) -> bool:
        """Whether it answers that nobody is to come: "just me"."""
        return _NOBODY.search(self.whole) is not None

    @property
    def speaks_of_rooms(self) -> bool:
        """Whether it is about rooms."""
        return _ROOMS.search(self.whole) is not None

    # --- what is asked, and by whom

    @property
    def is_heard(self) -> bool:
        """Whether it has any word that was understood."""
        return any(char.isalnum() for char in self.whole) and self.whole != _UNHEARD

    @property
    def is_mere_question(self) -> bool:
        """Whether all of it asks something and nothing is to be done."""
        return is_mere_question(self.whole)

    @property
    def is_about_it(self) -> bool:
        """Whether it is about the meeting that is spoken of: "when is it?"."""
        return _ABOUT_IT.search(self.whole) is not None

    @property
    def is_about_free_time(self) -> bool:
        """Whether it is about who or what is free."""
        return _FREE.search(self.whole) is not None

    @property
    def is_of_guest(self) -> bool:
        """Whether the user says to be none of the organisation's people."""
        return _IS_GUEST.search(self.whole) is not None

    def is_only(self, names: Iterable[Mention]) -> bool:
        """Whether it is names in it and nothing else that counts: "yes, it's Ada Berg"."""
        return is_only_names(self.whole, names)


#: What speech recognisers write where they understood nothing.
_UNHEARD = "UNK"
_ABOUT_IT = re.compile(r"\b(?:it|the (?:new )?(?:meeting|event)|my (?:new )?(?:meeting|"
                       r"event))\b(?! room)",
                       re.IGNORECASE)
_NOBODY = re.compile(
    r"^\W*(?:no|none|nobody|no ?one|not? any(?:one|body)|just me|only me|nothing)\b", re.IGNORECASE)
_ROOMS = re.compile(r"\brooms?\b", re.IGNORECASE)
_FREE = re.compile(r"\b(?:free|available|availability|open)\b", re.IGNORECASE)
_REPEATED = re.compile(
    r"\b(?:every (?:other )?(?:day|week|month|morning|afternoon|(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)day)|weekly|daily|monthly|fortnightly|recurring|repeating|each (?:day|week|month))\b",
    re.IGNORECASE)
_AGAIN = re.compile(
    r"^\W*(?:(?:and|now|then|please|ok(?:ay)?|great|thanks|can you|could you|book|do|i['’]d like|"
    r"i want)\W+)*(?:the )?same(?: (?:again|thing|meeting|one))?"
    r"(?=\W*$| (?:again|on|for|at|next|tomorrow|but|with|please)\b|,)", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:unless|in case|only if|provided(?: that)?|as long as)\b|"
    r"\bif (?:he|she|they|(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?) "
    r"(?:(?:is|are)(?! (?:free|available))|has|have|can|cannot|does|do|comes?|says?|agrees?|wants?|"
    r"isn|can['’]t|doesn|don)\b|\b(?:once|as soon as) (?:he|she|they|(?-i:[A-Z])\w+) "
    r"(?:has|have|says?|agrees?|confirms?)\b", re.IGNORECASE)
#: What is not to be done where an action of a kind is given up: "don't cancel it".
_VERBS = {kind: re.compile(rf"\b(?:{verbs}|do (?:it|that))", re.IGNORECASE) for kind, verbs in (
    (ActionKind.CREATE, "book|schedul|arrang|plan|reserv|creat|set up|organi"),
    (ActionKind.CANCEL, "cancel|delet|call off|scrap"),
    (ActionKind.CHANGE, "mov|chang|reschedul|postpon|renam|invit|add|remov|put|shift|push|extend"),
    (ActionKind.MESSAGE, "tell|leav|send|pass|inform|let|notify|ask"))}
#: "Something later, please", of a time that was offered.
_OTHER_TIME = re.compile(
    r"^\W*(?:(?:no|nope|hm+|well|sorry|and|thanks|ok(?:ay)?|rather|maybe|perhaps|not that one|"
    r"can we do|could we do|do you have|have you got|is there|are there|what about|how about|"
    r"i['’]d (?:like|prefer|rather have)|i (?:would )?prefer|let['’]?s (?:take|do|find|make it)|"
    r"give me|show me|find|any|anything|something|some|a (?:bit|little)|slightly|much|an?|the)\b"
    r"\W*)*"
    r"(?:(?P<LATER>later)(?: time| slot| one)?|(?P<EARLIER>earlier|sooner)(?: time| slot| one)?|"
    r"(?P<ANOTHER_DAY>(?:on )?(?:another|(?:a )?different|some other|other|a later) (?:day|date)s?|"
    r"not (?:on )?that day)|"
    r"(?P<ANOTHER_TIME>(?:at )?(?:another|(?:a )?different|some other|other|next) "
    r"(?:times?|slots?|one|options?)))"
    r"(?:\W+(?:please|thanks|thank you|then|instead|that day|the same day|on that day|if possible|"
    r"would be (?:better|good|great)|is better|available|free|possible))*\W*$", re.IGNORECASE)
#: "No, the supplier call instead", of what is to be cancelled.
_THIS_ONE = re.compile(
    r"^\W*(?:(?:no|oh|sorry|wait|i mean|i meant|actually)\b\W*)+(?:the|my|our)?\W*"
    r"(?!(?:not?|keep|leave|but|is|are|it|that)\b)(?:[\w'’-]+\W*){1,6}$", re.IGNORECASE)
_TOO = re.compile(r"\b(?:too|also|as well)\b|^\W*(?:yes|yeah|yep|ok(?:ay)?|sure|please)\b\W*"
                  r"(?:please\W+)?and\b", re.IGNORECASE)
_SENDS = re.compile(r"\b(?:send|tell|pass|leave|deliver|forward|do (?:it|that))\b", re.IGNORECASE)
_IS_GUEST = re.compile(
    r"\b(?:i['’]m|i am|we['’]re|we are) (?:just |only |actually )?(?:an? |here as an? )?(?:\w+ )?"
    r"(?:visitor|guest|customer|client|supplier|courier|stranger|outsider)s?\b|"
    r"\b(?:don['’]t|do not) work (?:here|for (?:you|this))\b|"
    r"\bnot (?:an? )?(?:employee|member of staff|from here|one of you)\b|\bfrom outside\b",
    re.IGNORECASE)
#: "Whenever everybody is free" takes up no offer of a room.
_ANY_TIME = re.compile(r"\b(?:whenever|any ?time|next time|other time)\b", re.IGNORECASE)
_INSTEAD = re.compile(r"\binstead\b(?! of\b)|\bi mean(?:t)?\b", re.IGNORECASE)
