% program: commonsense.pl conflicts.pl queries.pl
% p1 of g1 is at e1 and perhaps at e2; r1 has e1 and e3, g2 holds e2 and e4; e5 is later.
person(p1). group(g1). group(g2). room(r1). member_of(p1, g1).
start(e1, 540). end(e1, 600). attendee(e1, p1). location(e1, r1).
start(e2, 570). end(e2, 630). 0.5::attendee(e2, p1). held_by(e2, g2).
start(e3, 550). end(e3, 560). location(e3, r1).
start(e4, 600). end(e4, 660). held_by(e4, g2).
start(e5, 700). end(e5, 760). attendee(e5, p1).
near(e1, e2). near(e1, e3). near(e2, e4). near(e1, e5).
query(double_booked(_, _, _)). query(collides(_, _)).
% expect: double_booked(p1,e1,e2) = 0.5
% expect: double_booked(g1,e1,e2) = 0.5
% expect: double_booked(r1,e1,e3) = 1.0
% expect: double_booked(g2,e2,e4) = 1.0
% expect: collides(e1,e2) = 0.5
% expect: collides(e1,e3) = 1.0
% expect: collides(e2,e4) = 1.0
