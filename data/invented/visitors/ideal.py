"""A receptionist that does everything right, for it can read visitors' minds.

It looks up in the visitor what was meant, so it never misunderstands; what it says and does is
checked against the calendar. Training dialogues have it on the receptionist's side: its replies are
true by construction, while an agent's would teach it its own mistakes.
"""

from __future__ import annotations

import datetime as dt
import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from frontdesk.data.datasets.training_dialogues import TrainingDialogue, TrainingTurn
from frontdesk.data.invented.dialogues.dialogue_wording import draw
from frontdesk.data.invented.dialogues.spoken import listing
from frontdesk.data.invented.visitors.booking_pursuit import BookingPursuit
from frontdesk.data.invented.visitors.change_pursuit import (
    CancellationPursuit,
    ChangePursuit,
    MessagePursuit,
)
from frontdesk.data.invented.visitors.hold_visit import hold_visit, new_visitor
from frontdesk.data.invented.visitors.ideal_answers import answer
from frontdesk.data.invented.visitors.pursuit import Pursuit, capital
from frontdesk.data.invented.visitors.question_pursuit import QuestionPursuit
from frontdesk.data.invented.visitors.tasks import draw_visit
from frontdesk.data.invented.visitors.visited_organisations import Split, World
from frontdesk.data.invented.visitors.visitor import Visitor
from frontdesk.data.invented.visitors.visitor_goals import ANY_ROOM, Change, Slot, Wish
from frontdesk.kg.english.phrases import say_on
from frontdesk.kg.graph.changes import EventChange, Message, with_changes
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

_ASKED = (Slot.DAY, Slot.TIME, Slot.PEOPLE, Slot.LENGTH, Slot.TITLE, Slot.PLACE)
_LENGTH = 60
#: Less confident readings make no sense.
_UNDERSTOOD = 0.6


@cache
def _patterns() -> Mapping[str, Sequence[str]]:
    text = files("frontdesk.data.invented.visitors").joinpath("receptionist.toml")
    return tomllib.loads(text.read_text("utf-8"))


class IdealReceptionist:
    """Serves one visitor without a fault.

    Args:
        rng: Its wordings are drawn from it.
    """

    def __init__(self, visitor: Visitor, rng: random.Random) -> None:
        self.visitor, self.rng, self.world = visitor, rng, visitor.world
        self.kb = visitor.world.kb
        self.sent: list[Message] = []
        self._asked: set[tuple[int | None, str]] = set()
        self._confirmed: dict[int, Wish | None] = {}
        self._booked: dict[int, Event] = {}
        self._new, self._last = 0, ""

    def organisation(self) -> KnowledgeBase:
        """The organisation as it is now."""
        return self.kb

    def messages(self) -> Sequence[Message]:
        """What was passed on."""
        return self.sent

    def reply(self, hypotheses: Sequence[Hypothesis], now: dt.datetime) -> str:
        """Answer the visitor."""
        if (hypotheses[0].confidence or 1.0) < _UNDERSTOOD:
            return self.say("sorry")
        if not self.visitor.puzzled:
            self._last = self._answer()
        return self._last

    def _answer(self) -> str:
        visitor = self.visitor
        if visitor.closing:
            return self.say("bye")
        if not visitor.opened:
            return self.say("hello", first=visitor.me.name.split()[0] if visitor.known else "")
        if not visitor.known and self._once(None, "name"):
            return self.say("ask_name")
        said = []
        for at in sorted(visitor.opened):
            pursuit = visitor.pursuits[at]
            if not pursuit.over:
                said.append(self._serve(at, pursuit))
                if said[-1].endswith("?"):
                    break
        return " ".join(said) or self.say("else")

    def say(self, key: str, **slots: str) -> str:
        """A sentence of the patterns."""
        text = draw(self.rng, _patterns()[key])
        for name, value in slots.items():
            text = text.replace(f"{{{name}}}", value)
            text = text.replace(f"{{{name.capitalize()}}}", capital(value))
        return capital(text.replace(" !", "!"))

    def _serve(self, at: int, pursuit: Pursuit) -> str:
        if isinstance(pursuit, QuestionPursuit):
            world = replace(self.world, kb=self.kb)
            return answer(pursuit.errand, world, self.visitor.me, self.say)
        if isinstance(pursuit, BookingPursuit):
            return self._book(at, pursuit)
        if isinstance(pursuit, ChangePursuit | CancellationPursuit):
            return self._change(at, pursuit)
        assert isinstance(pursuit, MessagePursuit)  # noqa: S101 - there are no others
        return self._pass_on(pursuit)

    def _once(self, at: int | None, what: str) -> bool:
        first = (at, what) not in self._asked
        self._asked.add((at, what))
        return first

    # Booking

    def _book(self, at: int, pursuit: BookingPursuit) -> str:
        if pursuit.errand.stranger and Slot.PEOPLE in pursuit.said:
            return self.say("no_person", name=pursuit.errand.stranger)
        wish = pursuit.now
        missing = [slot for slot in _ASKED if slot in wish.filled() and slot not in pursuit.said]
        for slot in missing:
            if self._once(at, slot):
                return self.say(f"ask_{slot}")
        if wish.title is None and self._once(at, Slot.TITLE):
            return self.say("ask_title")
        if wish.place is None and self.rng.random() < 0.4 and self._once(at, "room"):
            return self.say("offer_room")
        before, as_it_is = self._booked.get(at), self.kb
        if before is not None:  # something of it is wanted otherwise
            self.kb = with_changes(self.kb, [EventChange(before, None)])
        event, why = self._planned(wish)
        if event is None:
            self.kb = as_it_is
            return why
        if before is None and self._confirmed.get(at) != wish:
            self._confirmed[at] = wish
            if self.rng.random() < 0.7 or pursuit.will_change:
                return self.say("confirm_booking", meeting=self._meeting(event))
        self._booked[at] = event = replace(event, id=before.id) if before else event
        self._commit(EventChange(None, event))
        return self.say("booked", meeting=self._meeting(event))

    def _planned(self, wish: Wish) -> tuple[Event | None, str]:
        """The meeting that a wish asks for, or what is in its way."""
        minutes, day = wish.minutes or _LENGTH, wish.days[0] if wish.days else self.world.now.date()
        world, me = replace(self.world, kb=self.kb), self.visitor.me.id
        if wish.start is not None and wish.start <= world.now:
            return None, self.say("past", time=f"{wish.start:%H:%M}")
        fixed = [me, *wish.people]
        place = [wish.place] if wish.place and wish.place != ANY_ROOM else []
        starts = [wish.start] if wish.start else world.starts(
            day, minutes, max(8, wish.earliest), min(18, wish.latest))
        for start in starts:
            event = self._at(start, minutes, wish, world)
            if event is not None:
                return event, ""
        if wish.start is None or (wish.place == ANY_ROOM and world.free(fixed, wish.start,
                                                                        minutes)):
            return None, self.say("no_room")
        taken = next((each for each in [*fixed, *place]
                      if not world.free([each], wish.start, minutes)), me)
        said = self.say("busy", who=self.kb.entity(taken).name, time=f"{wish.start:%H:%M}")
        if taken in self.kb.rooms:
            rooms = [room for room in self.kb.bookable_rooms()
                     if world.free([room.id], wish.start, minutes)]
            return None, f"{said} {self.say('suggest_room', room=rooms[0].name)}" if rooms else said
        other = next((each for each in world.starts(day, minutes)
                      if self._at(each, minutes, wish, world)), None)
        return None, f"{said} {self.say('suggest_time', time=f'{other:%H:%M}')}" if other else said

    def _at(self, start: dt.datetime, minutes: int, wish: Wish, world: World) -> Event | None:
        """The meeting at a start; None where somebody or the room is taken."""
        me, people = self.visitor.me.id, list(wish.people)
        for group, count in wish.members:
            free = [person.id for person in self.kb.members(group)
                    if person.id != me and person.id not in people
                    and world.free([person.id], start, minutes)]
            if len(free) < count:
                return None
            people += free[:count]
        rooms: list[str | None] = [wish.place]
        if wish.place == ANY_ROOM:
            rooms = [room.id for room in self.kb.bookable_rooms()
                     if world.free([room.id], start, minutes)]
        if not rooms or not world.free([each for each in (me, *people, rooms[0]) if each], start,
                                       minutes):
            return None
        return Event(f"new-{self._new}", wish.title or "meeting", start,
                     start + dt.timedelta(minutes=minutes), location=rooms[0], organizer=me,
                     attendees=(me, *people))

    def _meeting(self, event: Event) -> str:
        people = [self.kb.people[each].name for each in event.attendees
                  if each != self.visitor.me.id]
        where = f" in {self.kb.rooms[event.location].name}" if event.location else ""
        who = f" with {listing(people)}" if people else ""
        minutes = int((event.end - event.start).total_seconds()) // 60
        return (f'"{event.name}" {say_on(event.start.date(), self.world.now.date())} at '
                f"{event.start:%H:%M} for {minutes} minutes{where}{who}")

    def _commit(self, *changes: EventChange) -> None:
        self.kb = with_changes(self.kb, changes)
        self._new += 1

    # Changes

    def _change(self, at: int, pursuit: ChangePursuit | CancellationPursuit) -> str:
        name = f"the {pursuit.event.name}"
        if pursuit.impossible:
            stranger = getattr(pursuit.errand, "stranger", "")
            return self.say("no_person", name=stranger) if stranger else \
                self.say("not_yours", event=name)
        if isinstance(pursuit, CancellationPursuit):
            series = pursuit.errand.series or pursuit.errand.one_of_series
            if series and self._once(at, "series"):
                return self.say("which_of_series")
            changes = [EventChange(event, None) for event in pursuit.events]
            words, done = f"cancel {name}", f"{name} is cancelled"
        else:
            changes = [EventChange(event, _changed(event, pursuit.errand))
                       for event in pursuit.events]
            words, done = self._words(pursuit.errand, name, changes)
        if self._once(at, "confirm") and self.rng.random() < 0.7:
            return self.say("confirm_change", change=words)
        self._commit(*changes)
        return self.say("changed", done=done)

    def _words(self, errand: Change, name: str,
               changes: Sequence[EventChange]) -> tuple[str, str]:
        """A change, as it is to be done and when it is done."""
        people = listing([self.kb.people[each].name for each in (*errand.add, *errand.remove)])
        if errand.add:
            return f"invite {people} to {name}", f"I've invited {people} to {name}"
        if errand.remove:
            return f"take {people} off {name}", f"I've removed {people} from {name}"
        after, wish = changes[0].event, errand.wish
        if wish.title:
            return f'rename {name} to "{wish.title}"', f'I\'ve renamed {name} to "{wish.title}"'
        if wish.place:
            room = self.kb.rooms[wish.place].name
            return f"move {name} to {room}", f"{name} has been moved to {room}"
        if wish.minutes:
            return (f"make {name} {wish.minutes} minutes long",
                    f"I've changed {name} to {wish.minutes} minutes")
        when = f"{say_on(after.start.date(), self.world.now.date())} at {after.start:%H:%M}"
        if len(changes) > 1:
            when = say_on(after.start.date(), self.world.now.date())
            name = listing([f"the {change.event.name}" for change in changes])
        return f"have {name} {when}", f"I've moved {name}, now {when}"

    def _pass_on(self, pursuit: MessagePursuit) -> str:
        errand = pursuit.errand
        if errand.impossible:
            return self.say("no_person", name=errand.stranger)
        if not pursuit.text_said:
            return self.say("ask_message", name=pursuit.name)
        self.sent.append(Message(errand.recipient, errand.text, self.visitor.me.id))
        return self.say("told", name=pursuit.name)


def _changed(event: Event, errand: Change) -> Event:
    """The event as a change wants it."""
    wish = errand.wish
    day = wish.days[0] if wish.days else event.start.date()
    start = wish.start or dt.datetime.combine(day, event.start.time(), event.start.tzinfo)
    length = dt.timedelta(minutes=wish.minutes) if wish.minutes else event.end - event.start
    people = [each for each in event.attendees if each not in errand.remove]
    return replace(event, name=wish.title or event.name, location=wish.place or event.location,
                   start=start, end=start + length, attendees=(*people, *errand.add))


#: Share of the dialogues in which the visitor is heard through the simulated recogniser.
_HEARD = 0.5


def visit_dialogues(n: int, seed: int) -> Iterator[TrainingDialogue]:
    """Dialogues of the visitors of the training split, half of them as a recogniser hears them.

    The receptionist's side is the ideal one's, whose replies are true by construction and which
    does what it says; those of an agent would teach it its own mistakes.

    Args:
        n: How many, at least 0.
        seed: The same seed gives the same dialogues; the first of many are those of few.
    """
    for number in range(n):
        task, world, rng = draw_visit(Split.TRAINING, seed, number)
        heard = random.Random(f"{seed} heard {number}").random() < _HEARD
        visitor = new_visitor(task, world, rng, Split.TRAINING, heard=heard)
        visit = hold_visit(visitor, IdealReceptionist(visitor, rng), rng, heard=heard)
        turns = tuple(TrainingTurn(turn.hypotheses[0].text, turn.reply, turn.now)
                      for turn in visit.turns)
        yield TrainingDialogue(f"visit-{seed}-{number}", world.kb, turns, "simulated")
