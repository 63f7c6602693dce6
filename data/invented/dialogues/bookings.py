"""Booking a meeting: the agent asks for what is missing, one thing after the other."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from frontdesk.data.invented.dialogues import speech_noise as noise
from frontdesk.data.invented.dialogues.questions import say_length
from frontdesk.data.invented.dialogues.scene import Scene
from frontdesk.data.invented.dialogues.spoken import duration, listing
from frontdesk.data.invented.invented_names import KINDS, TOPICS
from frontdesk.kg.graph.entities import Group, Person, Room

_PLAIN_TITLES = ("meeting", "lunch", "lunch meeting", "coffee meeting", "dinner", "catch up",
                 "introductory meeting", "follow up meeting", "quick chat", "planning",
                 "emergency meeting", "one on one", "discussion", "coffee break")


_PLACES = ("the cafe", "the canteen", "the library", "the lobby", "the coffee bar", "the garden",
           "the university", "the town hall", "the cafeteria", "my house", "the train station")
_MOST_INVITED = 5


@dataclass
class _Booking:
    """What is known of the meeting so far."""

    title: str
    start: dt.datetime
    minutes: int
    people: list[Person] = field(default_factory=list)
    place: str = ""
    known: set[str] = field(default_factory=set)

    @property
    def end(self) -> dt.datetime:
        return self.start + dt.timedelta(minutes=self.minutes)


def book(scene: Scene, person: Person | None = None, room: Room | None = None) -> None:
    """Book a meeting.

    Args:
        person: Somebody just spoken of whom to meet.
        room: One just spoken of in which to meet.
    """
    made = None if scene.booked else _Maker.plan(scene, person, room)
    if made is not None:
        made.run()
    scene.agreed = False


class _Maker:
    """Collects what a booking needs.

    Args:
        pronoun: Whom to meet was just spoken of.
    """

    def __init__(self, scene: Scene, booking: _Booking, *, pronoun: bool) -> None:
        self.pronoun = pronoun
        self.scene = scene
        self.booking = booking
        self.said = ""
        self.reply = ""

    @classmethod
    def plan(cls, scene: Scene, person: Person | None, room: Room | None) -> _Maker | None:
        """Decide on a meeting that can take place; None when there is no time for one."""
        spoken_of = person is not None
        if person is None and scene.chance(0.45):
            person = scene.rng.choice(scene.colleagues())
        people = [person] if person else []
        minutes = scene.rng.choice((30, 30, 30, 60, 60, 60, 90, 120))
        day = scene.today + dt.timedelta(days=scene.rng.choice((0, 0, 0, 1, 1)))
        needed = [scene.speaker.id, *(each.id for each in people), *((room.id,) if room else ())]
        start = scene.next_free(needed, minutes, day, earliest=scene.rng.randint(8, 15))
        if start is None:
            return None
        title = scene.rng.choice(_PLAIN_TITLES) if scene.chance(0.35) else \
            f"{scene.rng.choice(TOPICS)} {scene.rng.choice(KINDS)}"
        made = cls(scene, _Booking(title, start, minutes, people), pronoun=spoken_of)
        if room:
            made.booking.place = room.id
            made.booking.known.add("room")
        return made

    def run(self) -> None:
        """The whole booking."""
        scene, booking = self.scene, self.booking
        scene.changed = scene.booked = True
        self._request()
        if scene.chance(0.04):
            question = self._ask("time", "title")
            scene.turn(self.said, self.reply, question)
            scene.turn(scene.user("never_mind"), scene.agent("never_mind"))
            return
        steps = [("time", self._time), ("title", self._title)]
        if scene.chance(0.35):
            steps.insert(scene.rng.randint(0, 2), ("minutes", self._minutes))
        if scene.chance(0.6):
            steps.append(("room", self._room))
        if scene.chance(0.35):
            steps.append(("invite", self._invite))
        for name, step in steps:
            if name not in booking.known:
                step()
                booking.known.add(name)
        self._finish()

    # Each step leaves what the user said last in ``said`` and the answer to it in ``reply``.

    def _request(self) -> None:
        scene, booking = self.scene, self.booking
        when, day = "", scene.day(booking.start.date())
        if scene.chance(0.3):
            booking.known.add("time")
            when = f" {day} at {scene.clock(booking.start)}"
        elif scene.chance(0.4):
            when = f" {'for ' if scene.chance(0.3) else ''}{day}"
        title = ""
        if scene.chance(0.25):
            booking.known.add("title")
            title = scene.rng.choice((" called ", " named ")) + booking.title
        if scene.agreed:
            scene.agreed = False
            booking.known.clear()
            self.said = scene.user("yes")
        elif booking.people and self.pronoun:
            self.said = scene.user("book_her", person=booking.people[0], when=when)
            booking.known.discard("title")
        else:
            with_ = f" with {scene.spoken(booking.people[0].name)}" if booking.people else ""
            self.said = scene.user("book", when=when, title=title, **{"with": with_})
        self.reply = scene.agent("start_booking")
        if "time" in booking.known and scene.chance(0.6):
            self.reply = scene.agent("ack_time", **self._slots())
        elif "title" in booking.known and scene.chance(0.5):
            self.reply = scene.agent("ack_title", **self._slots())

    def _slots(self) -> dict[str, str]:
        scene, booking = self.scene, self.booking
        people = listing([each.name for each in booking.people])
        day = scene.day(booking.start.date())
        return {"time": scene.style.time(booking.start), "day": day,
                "Day": day[0].upper() + day[1:], "title": scene.quoted(booking.title),
                "place": scene.place(booking.place) if booking.place else "it",
                "with": f", with {people}" if people and scene.chance(0.7) else "",
                "minutes": say_length(booking.minutes), "people": people,
                "who": f"{people} {'is' if len(booking.people) < 2 else 'are'}"}

    def _ask(self, *slots: str) -> str:
        missing = [each for each in slots if each not in self.booking.known]
        return self.scene.agent(f"ask_{missing[0]}") if missing else ""

    def _exchange(self, question: str, said: str, reply: str) -> None:
        """The agent answers what was said before, and asks; the user says something."""
        self.scene.turn(self.said, self.reply, question)
        self.said, self.reply = said, reply

    def _confirmed(self, reply: str, after: str = "", said: str = "right") -> None:
        """The agent asks whether it is right, and the user says yes."""
        self.scene.turn(self.said, reply)
        self.said = self.scene.user(said)
        self.reply = after or self.scene.agent("good")

    def _time(self) -> None:
        scene = self.scene
        slots = self._slots()
        spoken = {"time": scene.clock(self.booking.start), "day": slots["day"],
                  "Day": slots["Day"], "who": f"{self.booking.people[0].name.split()[0]} is"
                  if self.booking.people else "there is a room"}
        self._exchange(scene.agent("ask_time"), "", "")
        if scene.chance(0.3):
            self.said = scene.user("any_time", **spoken)
            first = scene.next_free([scene.speaker.id, *(p.id for p in self.booking.people)],
                                    self.booking.minutes, self.booking.start.date())
            self.booking.start = first or self.booking.start
            alone = "" if self.booking.people else "_alone"
            self._confirmed(scene.agent(f"propose_time{alone}", **self._slots()), said="yes")
            return
        self.said = scene.user("say_time", **spoken)
        if scene.chance(0.25):
            self._confirmed(scene.agent("sure_time", **slots))
        else:
            self.reply = scene.agent("ack_time", **slots)

    def _title(self) -> None:
        scene, title = self.scene, self.booking.title
        self._exchange(scene.agent("ask_title"), "", "")
        if scene.chance(0.12) and " " in title:
            wrong = noise.misheard(title, scene.rng)
            self._exchange_title(wrong)
            return
        self.said = scene.user("say_title", title=title)
        if scene.chance(0.35):
            self._confirmed(scene.agent("sure_title", **self._slots()))
        else:
            self.reply = scene.agent("ack_title", **self._slots())

    def _exchange_title(self, wrong: str) -> None:
        """The title is misunderstood and put right."""
        scene = self.scene
        scene.turn(scene.user("say_title", title=wrong),
                   scene.agent("sure_title", title=scene.quoted(wrong)))
        self.said = scene.user("fix_title", title=self.booking.title)
        self.reply = scene.agent("renamed", title=scene.quoted(self.booking.title))
        if "?" in self.reply:
            self._confirmed(self.reply)

    def _minutes(self) -> None:
        scene = self.scene
        said = scene.user("say_minutes", minutes=duration(self.booking.minutes, scene.rng))
        self._exchange(scene.agent("ask_minutes"), said,
                       scene.agent("ack_minutes", **self._slots()))

    def _room(self) -> None:
        scene, booking = self.scene, self.booking
        free = [room for room in scene.kb.bookable_rooms()
                if not scene.busy(room.id, booking.start, booking.end)]
        choice = scene.rng.random()
        if choice < 0.2 or not free:
            self._exchange(scene.agent("ask_room_if"), scene.user("no"), "")
            return
        question = scene.agent("ask_room_if" if scene.chance(0.6) else "ask_room")
        if choice > 0.95:
            self._outside(question)
            return
        room = scene.rng.choice(free)
        if choice < 0.35 and scene.speaker.office:
            booking.place = scene.speaker.office
            self._exchange(question, scene.user("own_office"), scene.agent(
                "ack_room", place=scene.place(booking.place)))
            return
        booking.place = room.id
        place = scene.rng.choice((f"the {room.name} conference room", room.name))
        if choice < 0.65:
            self._exchange(question, scene.user("any_room"), "")
            if scene.chance(0.5):
                self._confirmed(scene.agent("propose_room", room=room), said="yes",
                                after=scene.agent("ack_room", place=place))
            else:
                self.reply = scene.agent("ack_room", place=place)
            return
        self._named_room(question, room, free)

    def _outside(self, question: str) -> None:
        """A place that is no room of the organisation, perhaps not understood at first."""
        scene = self.scene
        place = scene.rng.choice(_PLACES)
        if scene.chance(0.4):
            wrong = scene.quoted(noise.misheard(place, scene.rng))
            self._exchange(question, scene.user("outside", place=wrong.strip('"')), "")
            question, self.reply = scene.agent("place_again", title=wrong), ""
        self._exchange(question, scene.user("outside", place=place),
                       scene.agent("outside", title=scene.quoted(place)))

    def _named_room(self, question: str, room: Room, free: list[Room]) -> None:
        scene = self.scene
        taken = [each for each in scene.kb.bookable_rooms() if each not in free]
        if taken and scene.chance(0.4):
            self._exchange(question, scene.user("say_room", room=scene.rng.choice(taken)), "")
            refused = next(each for each in taken if each.name in self.said) \
                if any(each.name in self.said for each in taken) else taken[0]
            scene.turn(self.said, scene.agent(
                "room_instead", room=refused, other=room.name,
                at=f"at {scene.style.time(self.booking.start)}"))
            self.said = scene.user("yes")
        else:
            self._exchange(question, scene.user("say_room", room=room), "")
        self.reply = scene.agent("ack_room", place=scene.place(room.id))

    def _invite(self) -> None:
        scene, booking = self.scene, self.booking
        others = [each for each in scene.colleagues() if each not in booking.people]
        free = [each for each in others if not scene.busy(each.id, booking.start, booking.end)]
        if scene.chance(0.2) or not free:
            self._exchange(scene.agent("ask_invite_if"), scene.user("nobody"), "")
            return
        self._exchange(scene.agent("ask_invite" if scene.chance(0.6) else "ask_invite_if"), "", "")
        if scene.chance(0.12):
            self._invite_all(scene.rng.choice(list(scene.kb.groups.values())))
            return
        if scene.chance(0.4):
            person = scene.rng.choice([each for each in free if each.group] or free)
            group = scene.kb.groups[person.group].name if person.group else ""
            self.said = scene.user("say_invite_group", group=group)
            self._confirmed(scene.agent("invite_member", person=person, group=group,
                                        time=scene.style.time(booking.start)), said="yes",
                            after=scene.agent("ack_invite", people=person.name))
            booking.people.append(person)
            return
        new = scene.rng.sample(free, min(len(free), scene.rng.choice((1, 1, 2))))
        booking.people += new
        names = [each.name for each in new]
        self.said = scene.user("say_invite", people=" and ".join(map(scene.spoken, names)))
        self.reply = scene.agent("ack_invite", people=listing(names))

    def _invite_all(self, group: Group) -> None:
        scene = self.scene
        members = [each for each in scene.kb.members(group.id) if each is not scene.speaker]
        self.said = scene.user("say_invite_all", group=group.name)
        if not 0 < len(members) <= _MOST_INVITED:
            self.reply = scene.agent("invite_everyone", group=group.name)
            return
        self.booking.people += [each for each in members if each not in self.booking.people]
        self.reply = scene.agent("invite_all", group=group.name,
                                 people=listing([each.name for each in members]))
        if "?" in self.reply:
            self._confirmed(self.reply)

    def _finish(self) -> None:
        scene = self.scene
        if scene.chance(0.15) and self.booking.place:
            self._confirmed(scene.agent("recap", **self._slots()))
        if self.reply and scene.chance(0.6):
            scene.turn(self.said, self.reply, scene.agent("ask_else") if scene.chance(0.3) else "")
        else:
            scene.turn(self.said, self._done())
        if scene.chance(0.2):
            self._add_somebody()
        elif scene.chance(0.08):
            slots = self._slots()
            scene.turn(scene.user("what_time_booked"), scene.agent("what_time_booked", **slots))

    def _done(self) -> str:
        key = "booked_there" if self.booking.place and self.scene.chance(0.6) else "booked"
        return self.scene.agent(key, **self._slots())

    def _add_somebody(self) -> None:
        scene, booking = self.scene, self.booking
        person = scene.rng.choice([each for each in scene.colleagues()
                                   if each not in booking.people])
        said = scene.user("add_person", person=person)
        conflict = scene.busy(person.id, booking.start, booking.end)
        if conflict:
            scene.turn(said, scene.agent("invite_busy", person=person, event=conflict[0]))
            said = scene.user("yes")
        scene.turn(said, scene.agent("ack_invite", people=person.name))
