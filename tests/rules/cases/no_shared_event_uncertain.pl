% program: commonsense.pl
% Both come to e1 with 0.5 * 0.4 = 0.2, to e2 with 0.5: to neither with 0.8 * 0.5 = 0.4.
person(p1). person(p2).
0.5::attendee(e1, p1). 0.4::attendee(e1, p2). organizer(e2, p1). 0.5::attendee(e2, p2).
query(no_shared_event(p1, p2)).
% expect: no_shared_event(p1,p2) = 0.4
