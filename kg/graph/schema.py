"""The schema: every predicate with its argument types, templates and the questions it answers.

This is the one table that the whole product reads. Verbalisation fills ``template``; relevance
compares an utterance with ``questions``; proofs, checks and drawing use the types.

Template syntax: ``{0}`` is the first argument as people say it; ``{0.is}``, ``{0.has}``,
``{0.possessive}``, ``{1.on}``, ... are forms of it (see :mod:`frontdesk.kg.english.phrases`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from frontdesk.kg.graph.entities import Type

#: The type of an argument of a predicate.
ArgumentType = Type

P, G, R, E = ArgumentType.PERSON, ArgumentType.GROUP, ArgumentType.ROOM, ArgumentType.EVENT
PS, RS, ES = ArgumentType.PEOPLE, ArgumentType.ROOMS, ArgumentType.EVENTS
W = ArgumentType.WINDOW


@dataclass(frozen=True)
class Predicate:
    """One row of the schema.

    Args:
        name: As in facts and ProbLog programs.
        arguments: Type of each argument; the first is what the fact is about.
        questions: Questions that the fact answers, entities replaced by their type
            (``the event``), windows by ``then``. Compared by meaning, so a few suffice.
        cues: Lower-case words and phrases that ask for it where no forms tell what is asked.
        derived: A rule derives it, it is never stored.
        polarity: For yes/no questions: +1 says that the topic holds (free, attending),
            -1 that it does not, 0 when the fact answers no yes/no question.
    """

    name: str
    arguments: tuple[ArgumentType, ...]
    template: str
    questions: tuple[str, ...]
    cues: tuple[str, ...] = ()
    derived: bool = False
    polarity: int = 0

    @property
    def is_state(self) -> bool:
        """Whether it says of entities that something is so, at a time or in general."""
        first, *others = self.arguments
        return first in (P, G, R, E, PS, RS, ES) and others in ([], [W])

    @property
    def is_general(self) -> bool:
        """Whether it tells at a time who or what there is, of whatever is known."""
        return self.arguments in ((PS, W), (RS, W), (ES, W))


_STORED = (
    Predicate("date", (E, ArgumentType.DATE), "{0} is {1.day}.",
              ("What is the date of the event?", "What day is the event on?",
               "Which day is the event?")),
    Predicate("start_time", (E, ArgumentType.TIME), "{0} starts at {1}.",
              ("What time does the event start?", "When does the event begin?",
               "At what time is the event?")),
    Predicate("end_time", (E, ArgumentType.TIME), "{0} ends at {1}.",
              ("What time does the event end?", "When does the event finish?",
               "When is the event over?", "Until when does the event last?")),
    Predicate("location", (E, R), "{0} is in {1}.",
              ("Where is the event?", "Which room is the event in?",
               "Where does the event take place?", "What is the location of the event?")),
    Predicate("organizer", (E, P), "{0} is organised by {1}.",
              ("Who organises the event?", "Who is the organizer of the event?",
               "Who is in charge of the event?", "Who is hosting the event?")),
    Predicate("attendees", (E, PS), "{1} {1.is} attending {0}.",
              ("Who is attending the event?", "Who are the attendees of the event?",
               "Who is invited to the event?", "Who will be at the event?")),
    Predicate("held_by", (E, G), "{0} is held by {1}.",
              ("What group is holding the event?", "Which group does the event belong to?",
               "Which team has the event?")),
    Predicate("email", (P, ArgumentType.TEXT), "{0.possessive} email address is {1}.",
              ("What is the email address of the person?", "How can I write to the person?")),
    Predicate("phone", (P, ArgumentType.PHONE), "{0.possessive} phone number is {1}.",
              ("What is the phone number of the person?", "How can I call the person?")),
    Predicate("office", (P, R), "{0.possessive} office is {1}.",
              ("Where is the person's office?", "What is the office number of the person?",
               "Where does the person sit?", "Which office does the person have?")),
    Predicate("member_of", (P, G), "{0} {0.is} in {1}.",
              ("Which group is the person in?", "What group does the person work in?",
               "Who is the person?")),
    Predicate("members", (G, PS), "{1} {1.is} in {0}.",
              ("Who is in the group?", "Who are the members of the group?",
               "Which people belong to the group?", "Who can I contact in the group?")),
    Predicate("floor", (R, ArgumentType.FLOOR), "{0} is on {1}.",
              ("Which floor is the room on?", "What floor is the room?")),
)

_DERIVED = (
    Predicate("takes_place", (E, W), "{0} is {1}.",
              ("When is the event?", "When does the event take place?",
               "What time and what day is the event?", "When will the event be held?"),
              derived=True),
    Predicate("duration", (E, ArgumentType.MINUTES), "{0} lasts {1}.",
              ("How long is the event?", "What is the duration of the event?",
               "How long does the event last?"), derived=True),
    Predicate("attends", (P, E), "{0} {0.is} attending {1}.",
              ("Is the person attending the event?", "Will the person be at the event?",
               "Is the person invited to the event?"), derived=True, polarity=1),
    Predicate("does_not_attend", (P, E), "{0} {0.is} not attending {1}.",
              ("Is the person attending the event?", "Will the person be at the event?",
               "Is the person invited to the event?"), derived=True, polarity=-1),
    Predicate("organises", (P, ES), "{0} {0.organise} {1.times}.",
              ("Which events does the person organise?",
               "What meetings is the person organizing?"), derived=True),
    Predicate("organises_nothing", (P,), "{0} {0.organise} no events.",
              ("Which events does the person organise?",
               "What meetings is the person organizing?"), derived=True),
    Predicate("office_floor", (P, ArgumentType.FLOOR), "{0.possessive} office is on {1}.",
              ("Which floor is the person's office on?", "What floor is the person on?"),
              derived=True),
    Predicate("office_of", (R, PS), "{1} {1.has} {0} as {1.their} office.",
              ("Whose office is the room?", "Who sits in the room?", "Who works in the room?"),
              derived=True),
    Predicate("group_size", (G, ArgumentType.NUMBER), "{0} has {1.members}.",
              ("How many people are in the group?", "How many members does the group have?",
               "What is the size of the group?"), derived=True),
    Predicate("event_size", (E, ArgumentType.NUMBER), "{0} has {1.attendees}.",
              ("How many people attend the event?", "How many attendees does the event have?"),
              derived=True),
    Predicate("person_available", (P, W), "{0} {0.is} free {1}.",
              ("Is the person free then?", "Is the person available then?",
               "Is the person busy then?", "Can I meet the person then?"),
              derived=True, polarity=1),
    Predicate("person_busy", (P, W, ES), "{0} {0.is} not free {1} because of {2.times}.",
              ("Is the person free then?", "Is the person available then?",
               "Is the person busy then?", "Can I meet the person then?"),
              derived=True, polarity=-1),
    Predicate("person_free_slots", (P, W, ArgumentType.SLOTS), "{0} {0.is} free {1} {2}.",
              ("When is the person free then?", "When is the person available?",
               "Is the person free then?", "What time can I meet the person?"),
              derived=True, polarity=1),
    Predicate("room_available", (R, W), "{0} is free {1}.",
              ("Is the room free then?", "Is the room available then?",
               "Is the room in use then?"), derived=True, polarity=1),
    Predicate("room_busy", (R, W, ES), "{0} is not free {1} because of {2.times}.",
              ("Is the room free then?", "Is the room available then?",
               "Is the room in use then?", "What is in the room then?"), derived=True, polarity=-1),
    Predicate("room_free_slots", (R, W, ArgumentType.SLOTS), "{0} is free {1} {2}.",
              ("When is the room free then?", "When is the room available?",
               "Is the room free then?"), derived=True,
              polarity=1),
    Predicate("available_rooms", (RS, W), "{0} {0.is} free {1}.",
              ("Which rooms are free then?", "What rooms are available then?",
               "Is there a free room then?", "Are there any rooms available?"),
              derived=True, polarity=1),
    Predicate("no_rooms_available", (W,), "No meeting room is free {0}.",
              ("Which rooms are free then?", "What rooms are available then?",
               "Is there a free room then?", "Are there any rooms available?"),
              derived=True, polarity=-1),
    Predicate("available_members", (PS, G, W), "{0} of {1} {0.is} free {2}.",
              ("Who in the group is free then?", "Which members of the group are available?",
               "Is anyone from the group available?"), derived=True, polarity=1),
    Predicate("no_members_available", (G, W), "Nobody of {0} is free {1}.",
              ("Who in the group is free then?", "Which members of the group are available?",
               "Is anyone from the group available?"), derived=True, polarity=-1),
    Predicate("person_events", (P, W, ES), "{0} {0.has} {2.count} {1}: {2.times}.",
              ("What events does the person have then?",
               "What meetings are on the person's calendar then?",
               "What is the person doing then?", "Does the person have any events then?"),
              derived=True, polarity=1),
    Predicate("no_person_events", (P, W), "{0} {0.has} no events {1}.",
              ("What events does the person have then?",
               "What meetings are on the person's calendar then?",
               "What is the person doing then?", "Does the person have any events then?"),
              derived=True, polarity=-1),
    Predicate("group_events", (G, W, ES), "{0} has {2.count} {1}: {2.times}.",
              ("What events does the group have then?", "Which meetings does the group hold?"),
              derived=True, polarity=1),
    Predicate("no_group_events", (G, W), "{0} has no events {1}.",
              ("What events does the group have then?", "Which meetings does the group hold?"),
              derived=True, polarity=-1),
    Predicate("room_events", (R, W, ES), "{0} has {2.count} {1}: {2.times}.",
              ("What events are in the room then?", "What is happening in the room then?",
               "Which meeting is in the room?"), derived=True, polarity=1),
    Predicate("no_room_events", (R, W), "{0} has no events {1}.",
              ("What events are in the room then?", "What is happening in the room then?",
               "Which meeting is in the room?"), derived=True, polarity=-1),
    Predicate("events_during", (ES, W), "There {0.is} {0.count} {1}: {0.times}.",
              ("What events are there then?", "Which meetings take place then?",
               "What is on the calendar then?"), derived=True, polarity=1),
    Predicate("no_events_during", (W,), "There are no events {0}.",
              ("What events are there then?", "Which meetings take place then?",
               "What is on the calendar then?"), derived=True, polarity=-1),
    Predicate("next_event", (P, E, W), "{0.possessive} next event is {1}, {2}.",
              ("What is the person's next event?", "When is the person's next meeting?",
               "Where does the person have to be next?"), derived=True),
    Predicate("no_next_event", (P,), "{0} {0.has} no coming events.",
              ("What is the person's next event?", "When is the person's next meeting?"),
              derived=True),
    Predicate("located_now", (P, R, E, W), "{0} {0.is} in {1} now, at {2}, {3}.",
              ("Where is the person now?", "Where can I find the person?",
               "Is the person in a meeting?"), derived=True),
    Predicate("in_event_now", (P, E, W), "{0} {0.is} now at {1}, {2}.",
              ("Where is the person now?", "Where can I find the person?",
               "Is the person in a meeting?"), derived=True),
    Predicate("office_now", (P, R),
              "{0} {0.is} not at any event now; {0.their} office is {1}.",
              ("Where is the person now?", "Where can I find the person?",
               "Is the person in a meeting?"), derived=True),
    Predicate("shared_events", (P, P, ES), "{0} and {1} are both at {2.times}.",
              ("What events do both people attend?",
               "Does the person have a meeting with the person?"),
              derived=True, polarity=1),
    Predicate("no_shared_events", (P, P), "{0} and {1} have no event together.",
              ("What events do both people attend?",
               "Does the person have a meeting with the person?"),
              derived=True, polarity=-1),
    Predicate("conflict", (P, E, E), "{0} {0.has} two events at the same time: {1} and {2}.",
              ("Which events of the person overlap?", "Is the person double-booked?",
               "Are there conflicts in the person's calendar?"), derived=True, polarity=1),
    Predicate("no_conflicts", (P,), "{0} {0.has} no overlapping events.",
              ("Which events of the person overlap?", "Is the person double-booked?",
               "Are there conflicts in the person's calendar?"), derived=True, polarity=-1),
    Predicate("today", (ArgumentType.DATE,), "Today is {0}.",
              ("What is the date today?", "What day is it today?"),
              derived=True),
    Predicate("time_now", (ArgumentType.TIME,), "It is {0} now.",
              ("What time is it now?",), derived=True),
)

#: What is wanted but not done yet: the state of the dialogue's pending action.
_PENDING = (
    Predicate("pending_title", (ArgumentType.TEXT, ArgumentType.TEXT), "{0} is to be called {1}.",
              ("What will the new event be called?",), derived=True),
    Predicate("pending_time", (ArgumentType.TEXT, W), "{0} is to be {1}.",
              ("When will the new event be?",), derived=True),
    Predicate("pending_location", (ArgumentType.TEXT, R), "{0} is to be in {1}.",
              ("Where will the new event be?",), derived=True),
    Predicate("pending_attendees", (ArgumentType.TEXT, PS), "{1} {1.is} to come to {0}.",
              ("Who will be at the new event?",), derived=True),
    Predicate("pending_missing", (ArgumentType.TEXT, ArgumentType.TEXT), "{0} has no {1} yet.",
              ("What is missing for the new event?",), derived=True),
    Predicate("pending_unconfirmed", (ArgumentType.TEXT,), "{0} is not confirmed yet.",
              ("Is the new event booked?",), derived=True),
)

#: Every predicate by its name.
PREDICATES: dict[str, Predicate] = {row.name: row for row in (*_STORED, *_DERIVED, *_PENDING)}

@dataclass(frozen=True, eq=False)
class Schema(Mapping[str, Predicate]):
    """The predicates of one domain by name.

    Args:
        predicates: Its rows, the stored ones first.
        filler_cues: Cues that go along with any question; they count only where there are no
            others.
        negative_topic: Words that ask the opposite of what a predicate's positive polarity says.
        answer_types: Types of arguments that answer ``who``, ``when``, ``where`` and ``how much``.
        value_types: Types of entities that are what is said of others: a day, a distance.
        plurals: By the types of lists, the type of what is in them.
    """

    name: str
    predicates: Mapping[str, Predicate]
    filler_cues: frozenset[str] = frozenset()
    negative_topic: frozenset[str] = frozenset()
    answer_types: Mapping[str, frozenset[Type]] = field(default_factory=dict)
    value_types: frozenset[Type] = frozenset()
    plurals: Mapping[Type, Type] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Predicate:
        return self.predicates[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.predicates)

    def __len__(self) -> int:
        return len(self.predicates)

    def extended(self, rows: Iterable[Predicate]) -> Schema:
        """This schema with further predicates.

        Raises:
            ValueError: One of them has the name of another.
        """
        predicates = dict(self.predicates)
        for row in rows:
            if row.name in predicates:
                raise ValueError(f"there are two predicates {row.name!r}")
            predicates[row.name] = row
        return replace(self, predicates=predicates)

    __hash__ = object.__hash__


#: Nouns that name the value of a stored predicate: "the organiser of the meeting", "her office".
RELATION_NOUNS: dict[str, str] = {
    "organiser": "organizer", "organizer": "organizer", "host": "organizer",
    "attendees": "attendees", "participants": "attendees",
    "room": "location", "location": "location", "venue": "location",
    "office": "office",
    "group": "member_of", "team": "member_of", "department": "member_of",
    "members": "members",
}

#: What has such a value, by stored predicate.
RELATION_OWNERS: dict[str, frozenset[ArgumentType]] = {
    "organizer": frozenset({E}), "attendees": frozenset({E}), "location": frozenset({E, P}),
    "office": frozenset({P}), "member_of": frozenset({P, E}), "members": frozenset({G, E}),
}

#: Nouns that name a type of entity.
TYPE_NOUNS: dict[str, ArgumentType] = {
    **dict.fromkeys(("meeting", "event", "workshop", "seminar", "discussion", "appointment",
                     "session", "talk", "interview", "conference", "update"), E),
    **dict.fromkeys(("room", "office", "boardroom", "lab", "hall"), R),
    **dict.fromkeys(("group", "team", "department", "unit"), G),
    **dict.fromkeys(("person", "colleague", "employee", "man", "woman", "guy", "lady"), P),
}

#: The domain of an organisation's calendar, people and rooms.
ORGANISATION = Schema(
    "organisation", PREDICATES,
    answer_types={
        "who": frozenset({P, PS, G}),
        "when": frozenset({ArgumentType.DATE, ArgumentType.TIME, W, ArgumentType.SLOTS}),
        "where": frozenset({R, RS, ArgumentType.FLOOR}),
        "how much": frozenset({ArgumentType.NUMBER, ArgumentType.MINUTES, PS, ES, RS})})
