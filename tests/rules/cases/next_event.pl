% program: commonsense.pl
% At 9:00 (540): an event that starts right now is not next; two later ones tie; p2 has none.
% e5 comes too, but is no candidate.
now(540). person(p1). person(p2).
start(e0, 540). end(e0, 600). attendee(e0, p1). attendee(e0, p2).
start(e1, 600). end(e1, 660). attendee(e1, p1).
start(e2, 600). end(e2, 630). organizer(e2, p1).
start(e3, 601). end(e3, 602). attendee(e3, p1).
start(e4, 100). end(e4, 200). attendee(e4, p2).
start(e5, 601). end(e5, 602). attendee(e5, p1).
soon(e0). soon(e1). soon(e2). soon(e3). soon(e4).
query(coming(_, _, _)). query(next_event(_, _)). query(no_next_event(_)).
% expect: coming(p1,e1,600) = 1.0
% expect: coming(p1,e2,600) = 1.0
% expect: coming(p1,e3,601) = 1.0
% expect: next_event(p1,e1) = 1.0
% expect: next_event(p1,e2) = 1.0
% expect: no_next_event(p2) = 1.0
