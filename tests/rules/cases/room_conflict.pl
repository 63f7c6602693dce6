% program: commonsense.pl conflicts.pl
% Two events at once in r1, with nobody in common; in r2 one after the other.
room(r1). room(r2).
start(e1, 540). end(e1, 600). location(e1, r1). start(e2, 599). end(e2, 660). location(e2, r1).
start(e3, 540). end(e3, 600). location(e3, r2). start(e4, 600). end(e4, 660). location(e4, r2).
query(room_conflict(_, _, _)).
% expect: room_conflict(r1,e1,e2) = 1.0
