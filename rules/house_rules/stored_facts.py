"""What the packaged programs may ask for besides what they define: the facts given to them.

The opening comment of each program says the same; a test compares both.
"""

from __future__ import annotations

from collections.abc import Mapping

_CALENDAR = {
    "person(P)": "P is a person",
    "group(G)": "G is a group",
    "room(R)": "R is a room",
    "bookable(R)": "R is a room for meetings, nobody's office",
    "event(E)": "E is an event",
    "now(T)": "it is T",
    "window(W, S, T)": "W is a time spoken of, from S to T",
    "start(E, S)": "E starts at S",
    "end(E, T)": "E ends at T",
    "location(E, R)": "E is in R",
    "organizer(E, P)": "E is organised by P",
    "attendee(E, P)": "P is invited to E",
    "not_coming(E, P)": "P organises E and does not come",
    "held_by(E, G)": "E is held by G",
    "member_of(P, G)": "P is in G",
    "office(P, R)": "R is P's office",
    "floor(R, F)": "R is on floor F",
    "soon(E)": "E can be somebody's next event",
}

#: The facts given to each packaged program, as they are written, with what they say. Times are
#: minutes since 1970-01-01 00:00 UTC.
STORED_FACTS: Mapping[str, Mapping[str, str]] = {
    "commonsense.pl": _CALENDAR,
    "conflicts.pl": {"near(E, F)": "E and F can be a conflict"},
    "linking.pl": {
        "named(M)": "M is a name",
        "anaphoric(M)": "M refers back",
        "first_person(M)": "M is the speaker's word for themselves",
        "relational(M)": "M is a relation of something",
        "type_agrees(M, E)": "E is of a type that M can refer to",
        "topic(M, E, D)": "the turn D turns before is mainly about E",
        "mentioned(M, E, D)": "the turn D turns before mentions E",
        "plural(M)": "M means several",
        "among_people(M, E, D)": "E is one of the people whom the turn D turns before mentions",
        "mentioned_before(M, E)": "something before M in the turn refers to E",
        "value_of_possessor(M, E)": "E is the relation's value for the possessor",
        "related(M, E)": "something else in the turn has a stored fact with E",
        "is_speaker(E)": "the user is E",
        "exact_name(M, E)": "the same, case and accents aside",
        "words_alike(M, E)": "each word of M is spelt somewhat like one of E's",
        "same_sound(M, E)": "the words sound the same",
        "jw_similarity_above(M, E, X)": "the Jaro-Winkler similarity is above X",
        "lev_distance_below(M, E, N)": "the Levenshtein distance is below N",
        "name_longer(M, E, N)": "both have more than N letters",
        "words_covered_above(M, E, X)": "the name has more than the share X of M's words",
        "name_share_above(M, E, X)": "M has more than the share X of the name",
    },
    "navigation.pl": {
        "category(P, C)": "P is a C",
        "distance(P, X)": "P is X miles away",
        "delay(P, T)": "the traffic on the way to P delays, from 0 to 3",
        "limit(N)": "N is a distance spoken of",
        "chosen(P)": "P is named",
    },
    "weather.pl": {
        "today(D)": "D is today",
        "follows(D, E)": "E is the day after D",
        "forecast(P, D, C, L, H)": "at P on D the weather is C, from L to H degrees",
        "counts_as(C, K)": "weather C is of kind K",
        "comes_near(C, K)": "weather C does not rule out K",
        "stretch(W, M, N)": "W is from M until N days after today",
        "has_day(W, D)": "D belongs to W",
    },
    "appointments.pl": {
        "activity(A, K)": "A is a K",
        "day(A, D)": "A is on D",
        "party(A, Q)": "A is with Q",
        "place_in_time(A, S, N)": "A is the N-th minute of the scale S",
    },
}


def stored_signatures(*programs: str) -> frozenset[str]:
    """``name/arity`` of the facts given to some packaged programs."""
    return frozenset(f"{atom.partition('(')[0]}/{atom.count(',') + 1}"
                     for program in programs for atom in STORED_FACTS.get(program, ()))
