"""One simulated dialogue in the making: who speaks, when, and what was said so far."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Iterable

from frontdesk.data.datasets.training_dialogues import TrainingTurn
from frontdesk.data.invented.dialogues import speech_noise as noise
from frontdesk.data.invented.dialogues.dialogue_wording import AGENT, USER, draw
from frontdesk.data.invented.dialogues.invented_organisations import CLOSES, OPENS
from frontdesk.data.invented.dialogues.spoken import Style, say_day, spoken_time
from frontdesk.data.invented.invented_names import FEMALE, MALE
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

_PRONOUNS = {"f": ("her", "she", "her"), "m": ("his", "he", "him"), "": ("their", "they", "them")}
_GENDER = dict.fromkeys(FEMALE, "f") | dict.fromkeys(MALE, "m")
#: Words that get a small letter after a comma.
_SMALL_TEXT = """
The What When Where Would How Who Your You Should Shall Did Is It At Her His There That Just Can
Could To So This First Anything Was Not Any Everyone All Today Tomorrow Hi Hello Ok OK Okay Done
Which Is Are Should Does Do In I'd Happy Glad Sorry Yes No Great Sure Alright Thank Thanks Welcome
My One
"""
_SMALL = frozenset(_SMALL_TEXT.split())
_SLOT = re.compile(r"\{(\w+)\}")
_START = re.compile(r"(?:^|(?<=[\w\"][!?] )|(?<=\w\w\. )|(?<=\"\. ))[a-z]")
_STARTED = re.compile(r"(?:^|(?<=[.!?] ))([A-Z]\w*)")
_HALF_HOUR = dt.timedelta(minutes=30)
#: Shares of misheard names, of hesitations and of utterances that were not heard at all.
_MISHEARD, _HESITANT, _LOST = 0.22, 0.12, 0.045

Slots = dict[str, str]


def pronouns(person: Person) -> tuple[str, str, str]:
    """``her``, ``she``, ``her``: possessive, subject and object."""
    return _PRONOUNS[_GENDER.get(person.name.split()[0], "")]


class Scene:
    """Collects the turns of a dialogue.

    Args:
        now: When the user begins to speak, in the organisation's time zone.
        rng: All is drawn from it.

    Attributes:
        turns: What was said.
        speaker: The user, who belongs to the organisation.
        known: The agent has heard the user's name.
        changed: The user's calendar is no longer that of the knowledge base.
        booked: A meeting has been booked.
        agreed: The agent has just offered to set up a meeting, and the user wants it.
    """

    def __init__(self, kb: KnowledgeBase, now: dt.datetime, rng: random.Random) -> None:
        self.kb = kb
        self.now = now
        self.rng = rng
        self.style = Style.draw(rng)
        self.heard = rng.random() < 0.65
        self.turns: list[TrainingTurn] = []
        self.speaker = rng.choice(list(kb.people.values()))
        self.known = False
        self.changed = False
        self.booked = self.agreed = False
        self._said, self._reply, self._needs_name = "", "", False
        self._last: Person | None = None

    @property
    def today(self) -> dt.date:
        """The present day."""
        return self.now.date()

    def chance(self, probability: float) -> bool:
        """True with a probability."""
        return self.rng.random() < probability

    # What is said

    def open_with(self, said: str, reply: str) -> None:
        """What the next utterance and the reply to it begin with."""
        self._said, self._reply = said, reply

    def turn(self, said: str, *replies: str) -> None:
        """Add a turn; now and then the user is not understood at first.

        Args:
            said: By the user.
            replies: Sentences of the agent; empty ones are left out.
        """
        if self.turns and self.heard and self.chance(_LOST):
            self.lost()
        said = f"{self._said} {said}".strip()
        if self._needs_name:
            self._needs_name, self.known = False, True
            self._add(said, f"{self._reply} {self.agent('ask_name')}".strip())
            if self.chance(0.12):
                self._add(noise.lost(self.rng), self.agent("name_again"))
            said, self._reply = self.user("i_am"), self.agent("thanks_named")
        reply = " ".join(each for each in (self._reply, *replies) if each)
        self._said = self._reply = ""
        self._add(said, reply)

    def lost(self) -> None:
        """Add a turn that the agent did not understand."""
        self._add(noise.lost(self.rng), self.agent("sorry"))

    def need_name(self) -> None:
        """Have the agent ask for the user's name before it answers next, if it does not know it."""
        self._needs_name = not self.known

    def _add(self, said: str, reply: str) -> None:
        if self.heard and self.chance(_HESITANT) and said != noise.UNHEARD:
            said = self.rng.choice(USER["hesitation"]) + said
        self.turns.append(TrainingTurn(said, self._cased(reply), self.now))
        self.now += dt.timedelta(seconds=self.rng.randint(5, 25))

    def user(self, key: str, **slots: object) -> str:
        """An utterance of the user.

        Args:
            key: What is said, a key of ``user.toml``.
            slots: Texts, people, events and rooms by the name of their slot.
        """
        text = draw(self.rng, USER[key])
        texts = {name: self.spoken(value) if name in _NAMES else value
                 for name, value in self._slots(slots).items()}
        texts.setdefault("me", self.spoken(self.speaker.name))
        texts.setdefault("robot", self.rng.choice(USER["robot"]))
        if self.turns and key not in _SHORT and self.chance(0.3):
            before = self.rng.choice(USER["going_on"])
            if before == "And " and text.split()[0] in _SMALL:
                text = text[0].lower() + text[1:]
            text = before + text
        text = noise.as_heard(text) if self.heard else text
        text = _SLOT.sub(lambda match: texts[match[1]], text).replace(".m..", ".m.")
        return text if self.heard else _START.sub(lambda match: match[0].upper(), text)

    def agent(self, key: str, **slots: object) -> str:
        """A reply of the agent, without capital letters after its opener.

        Args:
            key: What is replied, a key of ``agent.toml``.
            slots: Texts, people, events and rooms by the name of their slot.
        """
        text = draw(self.rng, AGENT[key])
        texts = self._slots(slots)
        texts.setdefault("first", self.speaker.name.split()[0])
        texts.setdefault("else", draw(self.rng, AGENT["ask_else"]))
        self._last = next((each for each in slots.values() if isinstance(each, Person)), self._last)
        if "{ok}" in text:
            # Who greets seldom says OK as well.
            text = text.replace("{ok}", "").lstrip() if self._reply and self.chance(0.8) \
                else self._opened(text)
        return _SLOT.sub(lambda match: texts[match[1]], text)

    def _opened(self, text: str) -> str:
        before, after = text.split("{ok}", 1)
        opener = self.rng.choice(self.style.openers)
        if opener.endswith(","):
            word = re.match(r" (\w+)", after)
            if word and word[1] in _SMALL:
                after = f" {after[1].lower()}{after[2:]}"
            elif after.startswith((" {Her}", " {She}")):
                after = after.replace("{H", "{h", 1).replace("{S", "{s", 1)
            elif not after.strip():
                opener = opener[:-1] + "!"
        return before + opener + after

    def _cased(self, reply: str) -> str:
        reply = _START.sub(lambda match: match[0].upper(), reply)
        if self.style.relaxed:
            reply = _STARTED.sub(lambda match: match[1].lower() if match[1] in _SMALL else match[1],
                                 reply)
        return reply

    def _slots(self, slots: dict[str, object]) -> Slots:
        texts: Slots = {}
        for name, value in slots.items():
            if isinstance(value, Person):
                texts |= self._of_person(value)
            elif isinstance(value, Event):
                texts = self._of_event(value) | texts
            elif isinstance(value, Room):
                texts[name] = value.name
            else:
                texts[name] = str(value)
        return texts

    def _of_person(self, person: Person) -> Slots:
        her, she, them = pronouns(person)
        first = person.name.split()[0]
        short = first if self._last is person and self.chance(0.7) else person.name
        return {"person": person.name, "Person": f"{short}'s", "short": short, "her": her,
                "Her": her.capitalize(), "she": she, "She": she.capitalize(), "them": them}

    def _of_event(self, event: Event) -> Slots:
        name = event.name
        form = self.rng.random()
        named = f"the {name}" if form < 0.42 else f'"{name}"' if form > 0.95 else name
        return {"event": named, "title": self.quoted(name), "time": self.style.time(event.start),
                "end": self.style.time(event.end), "start": self.style.time(event.start),
                "day": self.day(event.start.date()),
                "room": self.place(event.location) if event.location else ""}

    # Phrases

    def quoted(self, title: str) -> str:
        """A title, in quotation marks if that is the agent's style."""
        return f'"{title}"' if self.style.quotes and self.chance(0.85) else title

    def place(self, room: str) -> str:
        """``the Beta conference room``, ``room 214``."""
        known = self.kb.rooms[room]
        if not known.bookable:
            return f"room {known.name}"
        form = self.rng.random()
        return f"the {known.name} conference room" if form < 0.75 else \
            f"the {known.name} meeting room" if form < 0.85 else known.name

    def day(self, day: dt.date) -> str:
        """``today``, ``tomorrow`` or ``on March 21``."""
        return say_day(day, self.today)

    def clock(self, moment: dt.datetime) -> str:
        """As the user says it."""
        return spoken_time(moment, self.rng)

    def spoken(self, value: str) -> str:
        """A name as it is heard."""
        if not self.heard or not self.chance(_MISHEARD):
            return value
        return noise.misheard(value, self.rng)

    # The calendar

    def busy(self, entity_id: str, start: dt.datetime, end: dt.datetime) -> list[Event]:
        """The events of a person or in a room that overlap with a span."""
        return [event for event in self.kb.events_of(entity_id)
                if event.start < end and start < event.end]

    def busy_now(self, entity_id: str) -> list[Event]:
        """The events of a person or in a room that are going on."""
        return self.busy(entity_id, self.now, self.now + dt.timedelta(seconds=1))

    def next_free(self, ids: Iterable[str], minutes: int, day: dt.date,
                  earliest: int = OPENS, latest: int = CLOSES) -> dt.datetime | None:
        """The first start on a half hour to come at which all are free; None if there is none.

        Args:
            ids: Of people and rooms.
            minutes: How long they have to be free.
            earliest, latest: Hours between which to look.
        """
        ids = list(ids)
        start = dt.datetime.combine(day, dt.time(earliest), self.now.tzinfo)
        length = dt.timedelta(minutes=minutes)
        last = dt.datetime.combine(day, dt.time(latest), self.now.tzinfo) - length
        while start <= last:
            if start > self.now and not any(self.busy(each, start, start + length)
                                            for each in ids):
                return start
            start += _HALF_HOUR
        return None

    def colleagues(self) -> list[Person]:
        """Everybody but the user."""
        return [person for person in self.kb.people.values() if person is not self.speaker]

    def upcoming(self) -> list[Event]:
        """Events that are still to come."""
        return [event for event in self.kb.events.values() if event.start > self.now]


#: Slots of the user that may be misheard.
_NAMES = frozenset({"person", "event", "me", "group"})
#: Utterances that nothing is put before.
_SHORT = frozenset({
    "noise", "yes", "no", "no_more", "thanks", "thanks_bye", "i_am", "introduce", "greet",
    "say_time", "say_title", "say_room", "say_minutes", "say_invite", "any_room",
    "own_office", "any_time", "nobody", "outside", "right", "its_her", "its_called",
    "fix_title", "say_invite_all", "say_invite_group", "just_anyone", "never_mind"})
