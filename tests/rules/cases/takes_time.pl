% program: commonsense.pl queries.pl
% p1 of g1 may come to e1, which is in r1; g2 holds it.
person(p1). group(g1). group(g2). room(r1). member_of(p1, g1).
0.5::attendee(e1, p1). location(e1, r1). held_by(e1, g2).
query(takes(_, _)).
% expect: takes(p1,e1) = 0.5
% expect: takes(g1,e1) = 0.5
% expect: takes(g2,e1) = 1.0
% expect: takes(r1,e1) = 1.0
