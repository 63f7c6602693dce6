% program: commonsense.pl queries.pl
% p1 comes to the event in r1 with 0.75, else stays in the office; p2 is on leave with 0.4.
window(w, 600, 660). working(w).
person(p1). person(p2).
office(p1, o1). office(p2, o2).
start(e1, 540). end(e1, 660). 0.75::attendee(e1, p1). location(e1, r1).
start(e2, 0). end(e2, 1440). 0.4::attendee(e2, p2). away(e2).
query(place(_, w, _)). query(present(_, w)).
% expect: place(p1,w,r1) = 0.75
% expect: place(p1,w,o1) = 0.25
% expect: place(p2,w,o2) = 0.6
% expect: present(p1,w) = 1.0
% expect: present(p2,w) = 0.6
