% program: commonsense.pl
% At e1 with 0.3, which is in r1 for sure: in r1 with 0.3, else in the office with 0.7.
now(600). person(p1). office(p1, o1).
start(e1, 540). end(e1, 660). location(e1, r1). 0.3::attendee(e1, p1).
query(located_now(p1, _, _)). query(office_now(p1, _)).
% expect: located_now(p1,r1,e1) = 0.3
% expect: office_now(p1,o1) = 0.7
