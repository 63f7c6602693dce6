% program: commonsense.pl
% Both at e1 with 0.9 * 0.5 = 0.45.
person(p1). person(p2). 0.9::attendee(e1, p1). 0.5::attendee(e1, p2).
query(shared_event(p1, p2, e1)).
% expect: shared_event(p1,p2,e1) = 0.45
