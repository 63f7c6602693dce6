"""An utterance of a dialogue as the parts of a request are read from it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from frontdesk.agent.understanding.patterns.clauses import (
    CORRECTION,
    Clause,
    asks,
    clauses,
)
from frontdesk.agent.understanding.patterns.unwanted import negated, tells_what_not
from frontdesk.kg.english.lexicon import IMPERSONAL
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention, MentionKind, Observation
from frontdesk.kg.graph.pending_action import PendingAction, Slot
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.linking.linked import LinkedMention

#: How far the trained head is trusted where the words alone do not tell.
_TRUST = 0.8
#: An intent from this probability on is taken for one.
LIKELY = 0.5


def with_head(intents: Mapping[Intent, float],
              head: Mapping[Intent, float]) -> dict[Intent, float]:
    """Intents by the words of an utterance and by the trained head, as independent reasons.

    Args:
        intents: By the words, each with a probability in [0, 1].
        head: By the head.
    """
    return dict(intents) | {
        intent: 1 - (1 - intents.get(intent, 0.0)) * (1 - _TRUST * probability)
        for intent, probability in head.items()}


@dataclass(frozen=True)
class Dialogue:
    """What the dialogue was about before an utterance.

    Args:
        kb: The organisation as the user may know it.
        user: Id of the user; None when not known.
        now: Zone-aware present.
        pending: The action that is open or was last done; None when there was none.
        focus: Days talked about before, the latest first.
        spoken: The clock time that was spoken of last: "book it then"; None when none was.
        timezone: Of whoever speaks; the organisation's when None.
    """

    kb: KnowledgeBase
    user: str | None
    now: dt.datetime
    pending: PendingAction | None = None
    focus: Sequence[dt.date] = ()
    spoken: Window | None = None
    timezone: dt.tzinfo | None = None

    @property
    def asked(self) -> str:
        """What was asked for last; empty when nothing is awaited."""
        return self.pending.asked if self.pending is not None and self.pending.is_open else ""


@dataclass(frozen=True)
class Said:
    """An utterance.

    Args:
        dialogue: Before it.
        observation: What was read from it.
        all_linked: What its mentions refer to.
        title: ``(start, end)`` of the title in it; None when it has none.
        head: Its intents by the trained head; empty where there is none.
    """

    dialogue: Dialogue
    observation: Observation
    all_linked: Sequence[LinkedMention]
    title: tuple[int, int] | None = None
    head: Mapping[Intent, float] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Its words."""
        return self.observation.text

    @property
    def asked(self) -> str:
        """What was asked for before it."""
        return self.dialogue.asked

    @property
    def kb(self) -> KnowledgeBase:
        """The organisation as the user may know it."""
        return self.dialogue.kb

    @cached_property
    def clauses(self) -> Sequence[Clause]:
        """Its clauses, in order; what the head says is of the whole, so of one that is all."""
        found = clauses(self.text)
        if len(found) == 1 and not asks(found[0]) and not tells_what_not(self.text):
            found = [replace(found[0], intents=with_head(found[0].intents, self.head))]
        return found

    @cached_property
    def linked(self) -> Sequence[LinkedMention]:
        """The mentions that are part of a request: none in titles and in mere questions."""
        asking = [each for each in self.clauses if asks(each)]
        aside = asking if len(asking) < len(self.clauses) else []
        return [each for each in self.all_linked if not self.is_in_title(each.mention)
                and not any(clause.holds(each.mention.start) for clause in aside)]

    @cached_property
    def current(self) -> Sequence[LinkedMention]:
        """Those that the utterance itself does not correct by others of their type."""
        cuts = [match.end() for match in CORRECTION.finditer(self.text) if match.start() > 0]
        if not cuts:
            return self.linked
        kept = [each for each in self.linked if each.mention.start >= cuts[-1]]
        kinds = {kind for each in kept for kind in self._types(each)}
        return [each for each in self.linked if each in kept or not self._types(each) & kinds]

    @cached_property
    def times(self) -> Sequence[Mention]:
        """Its mentions of times other than now."""
        return [each for each in self.observation.mentions
                if each.kind is MentionKind.TIME and each.window is not None
                and each.window.kind is not WindowKind.NOW and not self.is_in_title(each)]

    def is_in_title(self, mention: Mention) -> bool:
        """Whether a mention is a part of the title."""
        return (self.title is not None and mention.start < self.title[1]
                and self.title[0] < mention.end)

    def is_negated(self, mention: Mention) -> bool:
        """Whether a mention stands where the utterance tells what not to do."""
        return any(start <= mention.start < end for start, end in negated(self.text))

    def is_excepted(self, mention: Mention) -> bool:
        """Whether it is said that a mention is not meant: "all but", "instead of", "not with"."""
        first, space, _ = mention.text.partition(" ")  # a name is now and then read as "except Bo"
        starts = (mention.start, mention.start + len(first + space))
        return any(_EXCEPT.search(self.text[:start]) for start in starts) \
            or self.is_negated(mention)

    def is_in(self, mention: Mention, *intents: Intent) -> bool:
        """Whether a mention stands in a clause that probably has one of some intents."""
        return any(clause.holds(mention.start) and clause.asks_for(intent) > LIKELY
                   for clause in self.clauses for intent in intents)

    def introduces(self, mention: Mention) -> bool:
        """Whether a name is the user's own; "no, it's Ada Berg" is not once that is known."""
        return mention.introduces_speaker and not (
            self.dialogue.user and self.asked
            and IMPERSONAL.search(self.text[:mention.start]) is not None)

    def owns(self, mention: Mention) -> bool:
        """Whether a name says whose event is meant, not who is to come: "Ada's meeting"."""
        if re.match(r"['’]s", self.text[mention.end:]) or re.search(r"['’]s$", mention.text):
            return True
        described = _DESCRIBED.search(self.text[:mention.start])
        return described is not None and not self.is_in(mention, Intent.CREATE_EVENT) \
            and self.is_in(mention, Intent.MOVE_EVENT, Intent.CANCEL_EVENT, Intent.SET_NAME,
                           Intent.SET_DURATION, Intent.SET_PLACE, Intent.INVITE)

    def with_title(self, place: tuple[int, int] | None) -> Said:
        """The same with a title at a place."""
        return replace(self, title=place)

    def may_be_series(self) -> bool:
        """Whether "all" or "only this one" may be said of the occurrences of a series."""
        pending = self.dialogue.pending
        return self.asked == Slot.OCCURRENCES or pending is None or not pending.is_open

    def _types(self, each: LinkedMention) -> set[str]:
        if each.links:
            return {str(self.kb.entity(each.links[0].entity).type)}
        return {str(kind) for kind in each.mention.types}


def is_me(text: str, mention: Mention) -> bool:
    """Whether a name stands where the speaker says who they are, believed or not."""
    return _IS_ME.search(text[:mention.start]) is not None


_EXCEPT = re.compile(
    r"(?:(?<!why )\b(?:not|except(?: for)?|excepting|excluding|without|apart from|other than|minus|"
    r"instead of|leaving out|leave out|rather than|in place of|nor)"
    r"|\b(?:everyone|everybody|everything|all|anyone|anybody|anything|any|every)\b"
    r"(?: (?!is\b|are\b|keep\b|will\b)[\w'’-]+){0,5} but)"
    r"(?: (?:with|inviting|for|in|at|on))?(?: (?:the|my|our))?"
    r"(?: ones?)?(?: (?:on|at|in))?"
    r"(?: [\w'’-]+(?: [\w'’-]+)? (?:and|or|nor)(?: (?:the|my|our))?)?\s+$", re.IGNORECASE)
_IS_ME = re.compile(r"\b(?:i['’]m|i am|my name is)\s+$", re.IGNORECASE)
#: "My meeting with Ada": the name tells which meeting.
_DESCRIBED = re.compile(
    r"\b(?:my|our|the|that|this)\b[^.?!]{0,40}?\bwith\s+(?:[^.?!]{0,40}?\band\s+)?$",
    re.IGNORECASE)
