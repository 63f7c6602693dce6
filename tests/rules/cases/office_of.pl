% program: commonsense.pl
% A shared office, an empty one, and a place that is no room asked about.
room(r1). room(r2). office(p1, r1). office(p2, r1). office(p3, r3).
query(office_of(_, _)).
% expect: office_of(r1,p1) = 1.0
% expect: office_of(r1,p2) = 1.0
