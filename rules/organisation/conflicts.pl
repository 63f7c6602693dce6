% Conflicts in a calendar: two events at the same time for one person, in one room, of one group.
% Stored facts as in commonsense.pl, which this program goes with, and near(E, F): candidates
% for a conflict, in one order or in both, found beforehand to keep the search small.

overlap(E, F) :- start(E, A), end(E, B), start(F, C), end(F, D), C < B, A < D.
person_conflict(P, E, F) :- near(E, F), person(P), attends(P, E), attends(P, F), overlap(E, F).
no_conflicts(P) :- person(P), \+ person_conflict(P, _, _).
room_conflict(R, E, F) :- near(E, F), room(R), location(E, R), location(F, R), overlap(E, F).
group_conflict(G, E, F) :- near(E, F), group(G), held_by(E, G), held_by(F, G), overlap(E, F).
