"""The schema: every predicate with its argument types, templates and the questions it answers.

This is the one table that the whole product reads. Verbalisation fills ``template``; relevance
compares an utterance with ``questions`` and ``cues``; proofs, checks and drawing use the types.

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
        template: How a fact is said.
        questions: Questions that the fact answers, entities replaced by their type
            (``the event``), windows by ``then``. Compared by meaning, so a few suffice.
        cues: Lower-case words and phrases that ask for this predicate.
        derived: A rule derives it, it is never stored.
        polarity: For yes/no questions: +1 says that the topic holds (free, attending),
            -1 that it does not, 0 when the fact answers no yes/no question.
    """

    name: str
    arguments: tuple[ArgumentType, ...]
    template: str
    questions: tuple[str, ...]
    cues: tuple[str, ...]
    derived: bool = False
    polarity: int = 0

    @property
    def is_state(self) -> bool:
        """Whether it says of entities that something is so, at a time or in general."""
        first, *others = self.arguments
        return first in (P, G, R, E, PS, RS, ES) and others in ([], [W])


_WHEN = ("when", "what time", "which time", "what day", "which day", "take place", "takes place",
         "taking place", "scheduled", "time", "day")
_WHERE = ("where", "which room", "what room", "location", "place", "held", "venue", "room")
_GROUP = ("what group", "which group", "group", "department", "team", "which team", "what team")
_FREE = ("free", "available", "availability", "busy", "occupied", "open", "vacant", "meet with",
         "in a meeting", "spare", "have time", "has time", "booked", "taken", "in use", "empty",
         "meet", "using", "use", "got time", "got a moment", "gap",
         "have anything", "has anything", "work for", "works for")
_EVENTS = ("events", "meetings", "meeting", "calendar", "schedule", "agenda", "appointments",
           "appointment", "event", "scheduled", "what is on", "what's on", "planned", "happening",
           "going on", "plans", "doing", "anything on", "anything", "something", "have on",
           "do i have")
_CONTACT = ("contact", "reach", "get in touch", "get hold", "contact details")
_ABOUT = ("information", "info", "details", "about")
_ATTEND = ("attend", "attending", "attends", "going", "coming", "come", "invited", "part of",
           "participate", "participating", "take part", "joining", "be at", "there")

_STORED = (
    Predicate("date", (E, ArgumentType.DATE), "{0} is {1.day}.",
              ("What is the date of the event?", "What day is the event on?",
               "Which day is the event?"),
              ("what day", "which day", "what date", "which date", "date", "day")),
    Predicate("start_time", (E, ArgumentType.TIME), "{0} starts at {1}.",
              ("What time does the event start?", "When does the event begin?",
               "At what time is the event?"),
              ("start", "starts", "begin", "begins", "starting", "start time", "kick off",
               "commence")),
    Predicate("end_time", (E, ArgumentType.TIME), "{0} ends at {1}.",
              ("What time does the event end?", "When does the event finish?",
               "When is the event over?", "Until when does the event last?"),
              ("end", "ends", "finish", "finishes", "over", "until when", "ending", "end time",
               "until what time", "done", "conclude")),
    Predicate("location", (E, R), "{0} is in {1}.",
              ("Where is the event?", "Which room is the event in?",
               "Where does the event take place?", "What is the location of the event?"),
              (*_WHERE, *_ABOUT)),
    Predicate("organizer", (E, P), "{0} is organised by {1}.",
              ("Who organises the event?", "Who is the organizer of the event?",
               "Who is in charge of the event?", "Who is hosting the event?"),
              ("organiser", "organizer", "organises", "organizes", "organising", "organizing",
               "organised", "organized", "organise", "organize", "host", "hosts", "hosting",
               "in charge", "responsible", "runs", "running", "leads", "leading", "arranged",
               "arranging", "set up", "chairs", "chairing", *_ABOUT)),
    Predicate("attendees", (E, PS), "{1} {1.is} attending {0}.",
              ("Who is attending the event?", "Who are the attendees of the event?",
               "Who is invited to the event?", "Who will be at the event?"),
              ("attendees", "attendee", "participants", "guests", "people", "invitees", "who",
               *_ATTEND)),
    Predicate("held_by", (E, G), "{0} is held by {1}.",
              ("What group is holding the event?", "Which group does the event belong to?",
               "Which team has the event?"),
              (*_GROUP, "holding")),
    Predicate("email", (P, ArgumentType.TEXT), "{0.possessive} email address is {1}.",
              ("What is the email address of the person?", "How can I write to the person?"),
              ("email", "e-mail", "mail", "email address", "write to", *_CONTACT)),
    Predicate("phone", (P, ArgumentType.PHONE), "{0.possessive} phone number is {1}.",
              ("What is the phone number of the person?", "How can I call the person?"),
              ("phone", "telephone", "phone number", "number", "call", "ring", "mobile",
               *_CONTACT)),
    Predicate("office", (P, R), "{0.possessive} office is {1}.",
              ("Where is the person's office?", "What is the office number of the person?",
               "Where does the person sit?", "Which office does the person have?"),
              ("office", "room number", "sit", "sits", "desk", "where", "find", "office number",
               "which room", "what room", *_ABOUT)),
    Predicate("member_of", (P, G), "{0} {0.is} in {1}.",
              ("Which group is the person in?", "What group does the person work in?",
               "Who is the person?"),
              (*_GROUP, "part of", "work in", "works in", "belong", "belongs", "works for",
               "work for", *_ABOUT)),
    Predicate("members", (G, PS), "{1} {1.is} in {0}.",
              ("Who is in the group?", "Who are the members of the group?",
               "Which people belong to the group?", "Who can I contact in the group?"),
              ("who", "members", "member", "people", "belong", "belongs", "names", "everyone",
               "part of", "anyone", "someone", "somebody", "anybody", "works in", "list",
               "person", *_ABOUT)),
    Predicate("floor", (R, ArgumentType.FLOOR), "{0} is on {1}.",
              ("Which floor is the room on?", "What floor is the room?"),
              ("floor", "storey", "level", "upstairs", "where")),
)

_DERIVED = (
    Predicate("takes_place", (E, W), "{0} is {1}.",
              ("When is the event?", "When does the event take place?",
               "What time and what day is the event?", "When will the event be held?"),
              (*_WHEN, *_ABOUT), derived=True),
    Predicate("duration", (E, ArgumentType.MINUTES), "{0} lasts {1}.",
              ("How long is the event?", "What is the duration of the event?",
               "How long does the event last?"),
              ("how long", "duration", "length", "last", "lasts", "take", "long"), derived=True),
    Predicate("attends", (P, E), "{0} {0.is} attending {1}.",
              ("Is the person attending the event?", "Will the person be at the event?",
               "Is the person invited to the event?"), _ATTEND, derived=True, polarity=1),
    Predicate("does_not_attend", (P, E), "{0} {0.is} not attending {1}.",
              ("Is the person attending the event?", "Will the person be at the event?",
               "Is the person invited to the event?"), _ATTEND, derived=True, polarity=-1),
    Predicate("organises", (P, ES), "{0} {0.organise} {1.times}.",
              ("Which events does the person organise?",
               "What meetings is the person organizing?"),
              ("organise", "organises", "organising", "organize", "organizes", "organizing",
               "host", "hosts", "hosting", "organised", "organized"), derived=True),
    Predicate("organises_nothing", (P,), "{0} {0.organise} no events.",
              ("Which events does the person organise?",
               "What meetings is the person organizing?"),
              ("organise", "organises", "organising", "organize", "organizes", "organizing",
               "host", "hosts", "hosting", "organised", "organized"), derived=True),
    Predicate("office_floor", (P, ArgumentType.FLOOR), "{0.possessive} office is on {1}.",
              ("Which floor is the person's office on?", "What floor is the person on?"),
              ("floor", "storey", "level"), derived=True),
    Predicate("office_of", (R, PS), "{1} {1.has} {0} as {1.their} office.",
              ("Whose office is the room?", "Who sits in the room?", "Who works in the room?"),
              ("whose", "who", "sits", "works in", "owner", "office"), derived=True),
    Predicate("group_size", (G, ArgumentType.NUMBER), "{0} has {1.members}.",
              ("How many people are in the group?", "How many members does the group have?",
               "What is the size of the group?"),
              ("how many", "number of people", "number of members", "size", "count", "how big",
               "how large", "members", "member"), derived=True),
    Predicate("event_size", (E, ArgumentType.NUMBER), "{0} has {1.attendees}.",
              ("How many people attend the event?", "How many attendees does the event have?"),
              ("how many", "number of people", "number of attendees", "size", "count", "attendees",
               "attendee"), derived=True),
    Predicate("person_available", (P, W), "{0} {0.is} free {1}.",
              ("Is the person free then?", "Is the person available then?",
               "Is the person busy then?", "Can I meet the person then?"),
              _FREE, derived=True, polarity=1),
    Predicate("person_busy", (P, W, ES), "{0} {0.is} not free {1} because of {2.times}.",
              ("Is the person free then?", "Is the person available then?",
               "Is the person busy then?", "Can I meet the person then?"),
              _FREE, derived=True, polarity=-1),
    Predicate("person_free_slots", (P, W, ArgumentType.SLOTS), "{0} {0.is} free {1} {2}.",
              ("When is the person free then?", "When is the person available?",
               "Is the person free then?", "What time can I meet the person?"),
              (*_FREE, "when"), derived=True, polarity=1),
    Predicate("room_available", (R, W), "{0} is free {1}.",
              ("Is the room free then?", "Is the room available then?",
               "Is the room in use then?"), _FREE, derived=True, polarity=1),
    Predicate("room_busy", (R, W, ES), "{0} is not free {1} because of {2.times}.",
              ("Is the room free then?", "Is the room available then?",
               "Is the room in use then?", "What is in the room then?"),
              _FREE, derived=True, polarity=-1),
    Predicate("room_free_slots", (R, W, ArgumentType.SLOTS), "{0} is free {1} {2}.",
              ("When is the room free then?", "When is the room available?",
               "Is the room free then?"), (*_FREE, "when", "what time"), derived=True,
              polarity=1),
    Predicate("available_rooms", (RS, W), "{0} {0.is} free {1}.",
              ("Which rooms are free then?", "What rooms are available then?",
               "Is there a free room then?", "Are there any rooms available?"),
              _FREE, derived=True, polarity=1),
    Predicate("no_rooms_available", (W,), "No meeting room is free {0}.",
              ("Which rooms are free then?", "What rooms are available then?",
               "Is there a free room then?", "Are there any rooms available?"),
              _FREE, derived=True, polarity=-1),
    Predicate("available_members", (PS, G, W), "{0} of {1} {0.is} free {2}.",
              ("Who in the group is free then?", "Which members of the group are available?",
               "Is anyone from the group available?"), _FREE, derived=True, polarity=1),
    Predicate("no_members_available", (G, W), "Nobody of {0} is free {1}.",
              ("Who in the group is free then?", "Which members of the group are available?",
               "Is anyone from the group available?"), _FREE, derived=True, polarity=-1),
    Predicate("person_events", (P, W, ES), "{0} {0.has} {2.count} {1}: {2.times}.",
              ("What events does the person have then?",
               "What meetings are on the person's calendar then?",
               "What is the person doing then?", "Does the person have any events then?"),
              (*_EVENTS, "attending", "attend"), derived=True, polarity=1),
    Predicate("no_person_events", (P, W), "{0} {0.has} no events {1}.",
              ("What events does the person have then?",
               "What meetings are on the person's calendar then?",
               "What is the person doing then?", "Does the person have any events then?"),
              (*_EVENTS, "attending", "attend"), derived=True, polarity=-1),
    Predicate("group_events", (G, W, ES), "{0} has {2.count} {1}: {2.times}.",
              ("What events does the group have then?", "Which meetings does the group hold?"),
              _EVENTS, derived=True, polarity=1),
    Predicate("no_group_events", (G, W), "{0} has no events {1}.",
              ("What events does the group have then?", "Which meetings does the group hold?"),
              _EVENTS, derived=True, polarity=-1),
    Predicate("room_events", (R, W, ES), "{0} has {2.count} {1}: {2.times}.",
              ("What events are in the room then?", "What is happening in the room then?",
               "Which meeting is in the room?"), _EVENTS, derived=True, polarity=1),
    Predicate("no_room_events", (R, W), "{0} has no events {1}.",
              ("What events are in the room then?", "What is happening in the room then?",
               "Which meeting is in the room?"), _EVENTS, derived=True, polarity=-1),
    Predicate("events_during", (ES, W), "There {0.is} {0.count} {1}: {0.times}.",
              ("What events are there then?", "Which meetings take place then?",
               "What is on the calendar then?"), _EVENTS, derived=True, polarity=1),
    Predicate("no_events_during", (W,), "There are no events {0}.",
              ("What events are there then?", "Which meetings take place then?",
               "What is on the calendar then?"), _EVENTS, derived=True, polarity=-1),
    Predicate("next_event", (P, E, W), "{0.possessive} next event is {1}, {2}.",
              ("What is the person's next event?", "When is the person's next meeting?",
               "Where does the person have to be next?"),
              ("next", "upcoming", "coming up", "next meeting", "next event"), derived=True),
    Predicate("no_next_event", (P,), "{0} {0.has} no coming events.",
              ("What is the person's next event?", "When is the person's next meeting?"),
              ("next", "upcoming", "coming up", "next meeting", "next event"), derived=True),
    Predicate("located_now", (P, R, E, W), "{0} {0.is} in {1} now, at {2}, {3}.",
              ("Where is the person now?", "Where can I find the person?",
               "Is the person in a meeting?"),
              ("where", "find", "talk to", "speak to", "see", "located"), derived=True),
    Predicate("in_event_now", (P, E, W), "{0} {0.is} now at {1}, {2}.",
              ("Where is the person now?", "Where can I find the person?",
               "Is the person in a meeting?"),
              ("where", "find", "talk to", "speak to", "see", "located"), derived=True),
    Predicate("office_now", (P, R),
              "{0} {0.is} not at any event now; {0.their} office is {1}.",
              ("Where is the person now?", "Where can I find the person?",
               "Is the person in a meeting?"),
              ("where", "find", "talk to", "speak to", "see", "located"), derived=True),
    Predicate("shared_events", (P, P, ES), "{0} and {1} are both at {2.times}.",
              ("What events do both people attend?",
               "Does the person have a meeting with the person?"),
              ("together", "meeting with", "meetings with", "in common", "shared"),
              derived=True, polarity=1),
    Predicate("no_shared_events", (P, P), "{0} and {1} have no event together.",
              ("What events do both people attend?",
               "Does the person have a meeting with the person?"),
              ("together", "meeting with", "meetings with", "in common", "shared"),
              derived=True, polarity=-1),
    Predicate("conflict", (P, E, E), "{0} {0.has} two events at the same time: {1} and {2}.",
              ("Which events of the person overlap?", "Is the person double-booked?",
               "Are there conflicts in the person's calendar?"),
              ("overlap", "overlaps", "overlapping", "conflict", "conflicts", "double-booked",
               "clash", "clashes", "same time"), derived=True, polarity=1),
    Predicate("no_conflicts", (P,), "{0} {0.has} no overlapping events.",
              ("Which events of the person overlap?", "Is the person double-booked?",
               "Are there conflicts in the person's calendar?"),
              ("overlap", "overlaps", "overlapping", "conflict", "conflicts", "double-booked",
               "clash", "clashes", "same time"), derived=True, polarity=-1),
    Predicate("today", (ArgumentType.DATE,), "Today is {0}.",
              ("What is the date today?", "What day is it today?"),
              ("what day is it", "today's date", "what date is it", "date today",
               "what is the date", "what's the date"),
              derived=True),
    Predicate("time_now", (ArgumentType.TIME,), "It is {0} now.",
              ("What time is it now?",),
              ("what time is it", "the time now", "current time", "time is it"), derived=True),
)

#: What is wanted but not done yet: the state of the dialogue's pending action.
_PENDING = (
    Predicate("pending_title", (ArgumentType.TEXT, ArgumentType.TEXT), "{0} is to be called {1}.",
              ("What will the new event be called?",), (), derived=True),
    Predicate("pending_time", (ArgumentType.TEXT, W), "{0} is to be {1}.",
              ("When will the new event be?",), (), derived=True),
    Predicate("pending_location", (ArgumentType.TEXT, R), "{0} is to be in {1}.",
              ("Where will the new event be?",), (), derived=True),
    Predicate("pending_attendees", (ArgumentType.TEXT, PS), "{1} {1.is} to come to {0}.",
              ("Who will be at the new event?",), (), derived=True),
    Predicate("pending_missing", (ArgumentType.TEXT, ArgumentType.TEXT), "{0} has no {1} yet.",
              ("What is missing for the new event?",), (), derived=True),
    Predicate("pending_unconfirmed", (ArgumentType.TEXT,), "{0} is not confirmed yet.",
              ("Is the new event booked?",), (), derived=True),
)

#: Every predicate by its name.
PREDICATES: dict[str, Predicate] = {row.name: row for row in (*_STORED, *_DERIVED, *_PENDING)}

@dataclass(frozen=True, eq=False)
class Schema(Mapping[str, Predicate]):
    """The predicates of one domain by name.

    Args:
        name: Of the domain.
        predicates: Its rows, the stored ones first.
        filler_cues: Cues that go along with any question; they count only where there are no
            others.
        negative_topic: Words that ask the opposite of what a predicate's positive polarity says.
        present: Predicates about the present whose cues hold time expressions themselves.
        answer_types: Types of arguments that answer ``who``, ``when``, ``where`` and ``how much``.
        value_types: Types of entities that are what is said of others: a day, a distance.
        plurals: By the types of lists, the type of what is in them.
    """

    name: str
    predicates: Mapping[str, Predicate]
    filler_cues: frozenset[str] = frozenset()
    negative_topic: frozenset[str] = frozenset()
    present: tuple[str, ...] = ()
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


#: Words that ask the opposite of what a predicate's positive polarity says ("Is she busy?").
NEGATIVE_TOPIC = frozenset({"busy", "occupied", "taken", "booked", "in use", "in a meeting",
                            "unavailable"})

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
    filler_cues=frozenset({
        "who", "whose", "people", "person", "there", "meeting", "meetings", "event", "events",
        "someone", "anyone", "somebody", "anybody", "time", "day", "names", "find", "see",
        "going", "call", "take place", "takes place", "taking place", "scheduled", "held",
        "called", "room", "number", "invited", "list", "belong", "belongs"}),
    negative_topic=NEGATIVE_TOPIC, present=("today", "time_now"),
    answer_types={
        "who": frozenset({P, PS, G}),
        "when": frozenset({ArgumentType.DATE, ArgumentType.TIME, W, ArgumentType.SLOTS}),
        "where": frozenset({R, RS, ArgumentType.FLOOR}),
        "how much": frozenset({ArgumentType.NUMBER, ArgumentType.MINUTES, PS, ES, RS})})
