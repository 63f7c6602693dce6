"""How a visitor goes after one errand: what it says first, and next to what it hears."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence

from frontdesk.data.invented.visitors.reply_cues import Asked, Claim
from frontdesk.data.invented.visitors.reply_reading import Reading
from frontdesk.data.invented.visitors.sayings import Speaker
from frontdesk.data.invented.visitors.visited_organisations import World
from frontdesk.data.invented.visitors.visitor_goals import Wish


class Pursuit(ABC):
    """One errand under way.

    Args:
        world: The organisation when the visitor came.
        visitor: Id of the visitor.

    Attributes:
        over: Nothing is left to say, with or without success.
        last_words: What the visitor says at the end of it; empty for nothing.
        heard: The replies to it.
        answered: Questions that the visitor has answered.
        alone: No other errand is open, so all questions are about this one.
    """

    #: What the receptionist says to have done when it has done this.
    claims: frozenset[Claim] = frozenset()

    def __init__(self, speaker: Speaker, world: World, visitor: str) -> None:
        self.speaker, self.world, self.kb = speaker, world, world.kb
        self.visitor = visitor
        self.over = False
        self.last_words = ""
        self.heard: list[str] = []
        self.answered: set[Asked] = set()
        self.claimed = False
        self.alone = True
        self._insisted = 0

    @abstractmethod
    def opening(self) -> str:
        """The request."""

    def again(self) -> str:
        """The request in other words."""
        return self.opening()

    @abstractmethod
    def react(self, reading: Reading) -> str:
        """What to say next to a reply; empty when the errand is over without a word."""

    def notice(self, reading: Reading) -> None:
        """Take note of a reply, whoever reacts to it."""
        self.heard.append(reading.text)
        if self.claims & reading.claims:
            self.claimed = True

    def concerns(self, reading: Reading) -> bool:
        """Whether the questions of a reply name what this errand is about."""
        return False

    def progress(self) -> Hashable:
        """Changes when the errand gets on."""
        return self.claimed, len(self.answered), self.over

    def wish(self) -> Wish | None:
        """What a meeting is to be like by now; None when the visitor gave it up."""
        return Wish()

    def _insist(self, request: str) -> str:
        self._insisted += 1
        return self.speaker.say("insist", request=request)

    def _end(self, words: str = "") -> str:
        self.over = True
        self.last_words = words
        return ""

    def _choose_person(self, person: str) -> str:
        known = self.kb.people[person]
        group = self.kb.groups[known.group].name if known.group else "the house"
        return self.speaker.say("choose_person", person=known.name, group=group)

    def _choose_event(self, event_id: str) -> str:
        event = self.kb.events[event_id]
        return self.speaker.say("choose_event", event=event.name,
                                day=self.speaker.day(event.start.date()),
                                time=self.speaker.time(event.start))


def capital(text: str) -> str:
    """A text with a capital letter at its beginning.

    >>> capital("at ten")
    'At ten'
    """
    return text[:1].upper() + text[1:]


def named_wrongly(named: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether things are named, and none of them is wanted."""
    return bool(named) and set(named).isdisjoint(wanted)


def proposes_time(reading: Reading) -> bool:
    """Whether a reply asks to agree to something at a time."""
    return Asked.CONFIRM in reading.asks and bool(reading.times)
