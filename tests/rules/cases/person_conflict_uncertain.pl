% program: commonsense.pl conflicts.pl
% At both with 0.8 * 0.5 = 0.4; no conflict with 0.6.
person(p1). near(e1, e2). start(e1, 540). end(e1, 600). 0.8::attendee(e1, p1).
start(e2, 540). end(e2, 600). 0.5::attendee(e2, p1).
query(person_conflict(p1, _, _)). query(no_conflicts(p1)).
% expect: person_conflict(p1,e1,e2) = 0.4
% expect: no_conflicts(p1) = 0.6
