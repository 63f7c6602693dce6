% program: commonsense.pl conflicts.pl
% p1 organises e1 and attends e2 (half an hour at once); p2's events are back to back.
% e4 is at the time of both, but was not proposed as a candidate.
person(p1). person(p2). person(p3).
start(e1, 540). end(e1, 600). organizer(e1, p1).
start(e2, 570). end(e2, 630). attendee(e2, p1).
start(e3, 630). end(e3, 660). attendee(e3, p2). attendee(e2, p2).
start(e4, 540). end(e4, 630). attendee(e4, p1).
near(e1, e2). near(e2, e3). near(e1, e3).
query(person_conflict(_, _, _)). query(no_conflicts(_)).
% expect: person_conflict(p1,e1,e2) = 1.0
% expect: no_conflicts(p2) = 1.0
% expect: no_conflicts(p3) = 1.0
