% Conflicts in a calendar: two events at the same time for one person or in one room.
% Stored facts as in commonsense.pl, which this program goes with.

overlap(E, F) :- start(E, A), start(F, C), E @< F, end(E, B), C < B, end(F, D), A < D.
person_conflict(P, E, F) :- person(P), attends(P, E), attends(P, F), overlap(E, F).
room_conflict(R, E, F) :- room(R), location(E, R), location(F, R), overlap(E, F).
no_conflicts(P) :- person(P), \+ person_conflict(P, _, _).
