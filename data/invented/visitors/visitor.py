"""A visitor: who it is, what it wants, and what it says next to what the receptionist says.

The agenda of Schatzmann et al. (2007): the errands that are still open, the first of them with what
is left to say of it on top.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from frontdesk.data.invented.visitors.booking_pursuit import BookingPursuit
from frontdesk.data.invented.visitors.change_pursuit import (
    CancellationPursuit,
    ChangePursuit,
    MessagePursuit,
)
from frontdesk.data.invented.visitors.pursuit import Pursuit
from frontdesk.data.invented.visitors.question_pursuit import QuestionPursuit
from frontdesk.data.invented.visitors.read_values import Names
from frontdesk.data.invented.visitors.refilled_wordings import Refill
from frontdesk.data.invented.visitors.reply_cues import Asked
from frontdesk.data.invented.visitors.reply_reading import Reader, Reading
from frontdesk.data.invented.visitors.sayings import Speaker
from frontdesk.data.invented.visitors.visited_organisations import World
from frontdesk.data.invented.visitors.visitor_goals import (
    Booking,
    Cancellation,
    Change,
    Errand,
    LeftMessage,
    Question,
    Task,
    Wish,
)

#: How many turns in a row may lead nowhere, and how many there may be at all.
PATIENCE, MOST_TURNS = 4, 24
_PARDON = 0.02
_ADDRESSED = re.compile(r"^\W*(?:hi|hello|hey|welcome|thanks|thank you|good \w+|nice to meet you)"
                        r"[, ]+(?:again,? )?([A-Z][\w'-]+)", re.IGNORECASE)
#: Questions that are as good as none if they come again.
_NOT_REPEATED = frozenset({Asked.CONFIRM, Asked.OPEN, Asked.OTHER, Asked.WHICH, Asked.SERIES})


@dataclass(frozen=True)
class Outcome:
    """How a visit ended for the visitor.

    Args:
        wishes: By errand, what a meeting was to be like in the end; None where the visitor
            gave it up for a conflict. Only bookings have one that says something.
        heard: By errand, the replies while it was open.
        turns: User turns up to the end of the last errand.
    """

    wishes: tuple[Wish | None, ...]
    heard: tuple[tuple[str, ...], ...]
    gave_up: bool
    turns: int


class Visitor:
    """Talks until its errands are done or its patience is at an end.

    Attributes:
        asked_again: The last reply asked what it had asked before and been told.
        asked_before: Places of the errands that were open when the last reply came.
        said: The last utterance.
        agrees: It does nothing but agree.
        puzzled: It asks what the receptionist said.
        refills: What of the last utterance real people said.
        unfitted: Keys of what no words of real people fitted in it.
    """

    def __init__(self, task: Task, world: World, speaker: Speaker) -> None:
        self.task, self.world, self.speaker = task, world, speaker
        self.me = world.kb.people[task.visitor]
        self.reader = Reader(Names(world.kb))
        self.pursuits = [_pursuit(errand, speaker, world, task.visitor)
                         for errand in task.errands]
        self.opened: set[int] = set()
        self.turns = self.fruitless = 0
        self.closing = self.gave_up = self.asked_again = False
        self.known = False
        self.asked_before: frozenset[int] = frozenset()
        self.said = self._last = ""
        self.agrees = self.puzzled = False
        self.refills: tuple[Refill, ...] = ()
        self.unfitted: tuple[str, ...] = ()
        self._pardoned = self._offered = False

    def begin(self) -> str:
        """The first utterance."""
        say, form = self.speaker.say, self.speaker.rng.random()
        if form < 0.3:
            self.known = True
            return self._speak(say("introduce", me=self.me.name))
        if form < 0.38:
            return self._speak(say("greet"))
        if form < 0.75:
            self.known = True
            return self._speak(f"{say('introduce', me=self.me.name)} {self._open()}")
        if form < 0.9:
            greeting, request = say("greet"), self._open()
            if greeting.endswith(","):
                request = self.speaker.lower(request)
            return self._speak(f"{greeting} {request}")
        return self._speak(self._open())

    def react(self, reply: str, now: dt.datetime) -> str:
        """The next utterance; empty when the visitor has left."""
        self.asked_again, self.asked_before = False, frozenset()
        if self.closing:
            return ""
        reading = self.reader.read(reply, now)
        before, self._offered = self._progress(), Asked.OPEN in reading.asks
        self.asked_before = frozenset(at for at in self.opened if not self.pursuits[at].over)
        for at in self.asked_before:
            self.pursuits[at].alone = len(self.asked_before) == 1
            self.pursuits[at].notice(reading)
        self._note_repetition(reading)
        said = self._next(reading)
        self.fruitless = 0 if self._progress() != before else self.fruitless + 1
        if not self.closing and (self.fruitless >= PATIENCE or self.turns >= MOST_TURNS):
            self.gave_up = self.closing = True
            said = self.speaker.say("give_up")
        return self._speak(said)

    def outcome(self) -> Outcome:
        """How it ended."""
        return Outcome(tuple(each.wish() for each in self.pursuits),
                       tuple(tuple(each.heard) for each in self.pursuits),
                       self.gave_up, self.turns)

    # What to say

    def _speak(self, text: str) -> str:
        self.turns += not self.closing
        self._last = text = self._worded(text)
        self.agrees = set(self.speaker.keys) <= {"yes", "accept"}
        self.puzzled = "pardon" in self.speaker.keys
        self.speaker.keys.clear()
        exact = any(errand.text in text for errand in self.task.errands
                    if isinstance(errand, LeftMessage))
        self.said = self.speaker.finished(text, exact=exact)
        return self.said

    def _worded(self, text: str) -> str:
        """A text as real people end it; takes note of which of their words are in it."""
        speaker = self.speaker
        self.refills = tuple(each for each in speaker.refills if each.text[1:].rstrip(".") in text)
        self.unfitted = tuple(dict.fromkeys(speaker.unfitted))
        speaker.refills.clear()
        speaker.unfitted.clear()
        last = self.refills[-1] if self.refills else None
        unmarked = last and text.endswith(last.text[1:]) and last.utterance[-1] not in ".!?" \
            and not text.endswith(".m.")
        return text[:-1] if unmarked else text

    def _open(self) -> str:
        """The request of the next errand, or of all that are named at once."""
        todo = [at for at in range(len(self.pursuits)) if at not in self.opened]
        now = todo if self.task.at_once else todo[:1]
        self.opened.update(now)
        texts = []
        for at in now:
            pursuit = self.pursuits[at]
            if isinstance(pursuit, QuestionPursuit) and at and _same_subject(
                    self.task.errands[at - 1], self.task.errands[at]):
                pursuit.talked_about = True
            texts.append(pursuit.opening())
        return " ".join([texts[0], *(f"{self.speaker.say('also')}{self.speaker.lower(text)}"
                                     for text in texts[1:])])

    def _next(self, reading: Reading) -> str:
        wrong_name = self._wrong_name(reading)
        if wrong_name:
            return wrong_name
        if Asked.NAME in reading.asks:
            self.known = True
            name = self.speaker.say("name", me=self.me.name)
            rest = [each for each in reading.asks if each is not Asked.NAME]
            return name if not rest or Asked.CONFIRM in rest or Asked.OPEN in rest else \
                f"{name} {self._pursue(reading)}".strip()
        if not self.opened:
            return self._open()
        if reading.lost and not reading.claims:
            return self._repeat()
        if reading.asks and not self._pardoned and not self.task.at_once and \
                self.speaker.chance(_PARDON):
            self._pardoned = True
            return self.speaker.say("pardon")
        return self._pursue(reading)

    def _pursue(self, reading: Reading) -> str:
        """Go on with the errand that a reply is about, then with the next."""
        open_ones = [self.pursuits[at] for at in sorted(self.opened)
                     if not self.pursuits[at].over]
        if not open_ones:
            return self._open() if len(self.opened) < len(self.pursuits) else self._close("")
        first = next((each for each in open_ones if each.concerns(reading)), open_ones[0])
        last_words = ""
        for pursuit in [first, *(each for each in open_ones if each is not first)]:
            said = pursuit.react(reading)
            if not pursuit.over:
                return said
            last_words = pursuit.last_words
        if len(self.opened) < len(self.pursuits):
            return f"{self.speaker.say('next')}{self.speaker.lower(self._open())}"
        return self._close(last_words)

    def _close(self, last_words: str) -> str:
        self.closing = True
        return last_words or self.speaker.say("nothing_else" if self._offered else "bye")

    def _repeat(self) -> str:
        open_ones = [self.pursuits[at] for at in sorted(self.opened)
                     if not self.pursuits[at].over]
        if self.fruitless and open_ones:
            return open_ones[0].again()
        prefix = self.speaker.say("again")
        self.speaker.refills.extend(self.refills)
        return prefix + (self.speaker.lower(self._last) if prefix else self._last)

    def _wrong_name(self, reading: Reading) -> str:
        """Put right whom the receptionist takes the visitor for, once it has been said."""
        found = _ADDRESSED.match(reading.text)
        if found is None or not self.known:
            return ""
        firsts = {person.name.split()[0].lower() for person in self.world.kb.people.values()}
        wrong = found[1].lower() in firsts and found[1].lower() not in self.me.name.lower().split()
        return self.speaker.say("no_fix", fix=self.speaker.say("name", me=self.me.name)) \
            if wrong and self.fruitless < 2 else ""

    def _note_repetition(self, reading: Reading) -> None:
        answered = {each for at in self.opened for each in self.pursuits[at].answered
                    if not self.pursuits[at].over}
        self.asked_again = bool(set(reading.asks) & (answered - _NOT_REPEATED)) or (
            Asked.NAME in reading.asks and self.known)

    def _progress(self) -> object:
        return self.known, frozenset(self.opened), tuple(each.progress()
                                                         for each in self.pursuits)


def _pursuit(errand: Errand, speaker: Speaker, world: World, visitor: str) -> Pursuit:
    if isinstance(errand, Question):
        return QuestionPursuit(errand, speaker, world, visitor)
    if isinstance(errand, Booking):
        return BookingPursuit(errand, speaker, world, visitor)
    if isinstance(errand, Change):
        return ChangePursuit(errand, speaker, world, visitor)
    if isinstance(errand, Cancellation):
        return CancellationPursuit(errand, speaker, world, visitor)
    return MessagePursuit(errand, speaker, world, visitor)


def _same_subject(one: Errand, other: Errand) -> bool:
    return isinstance(one, Question) and isinstance(other, Question) and bool(one.about) \
        and one.about == other.about

