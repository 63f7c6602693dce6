% program: commonsense.pl queries.pl
% At 10:00 (600): p1 is at an event in r1, p2 in the office, p3 at an event without a room, p4 on
% leave, p5 nowhere that is known, but not away, p6 at an event of which nothing may be told, p7 without an office
% at one in r2.
window(w, 600, 600). working(w).
person(p1). person(p2). person(p3). person(p4). person(p5). person(p6). person(p7). person(p8).
% p8 is presumed to be in.
presumed(p8, w).
office(p1, o1). office(p2, o2). office(p3, o3). office(p4, o4). office(p6, o6).
start(e1, 540). end(e1, 660). attendee(e1, p1). location(e1, r1).
start(e3, 540). end(e3, 660). attendee(e3, p3).
start(e4, 0). end(e4, 1440). attendee(e4, p4). away(e4).
start(e6, 540). end(e6, 660). attendee(e6, p6). location(e6, r1). hidden(e6).
start(e7, 540). end(e7, 660). attendee(e7, p7). location(e7, r2).
query(place(_, w, _)). query(present(_, w)). query(located(_, _)). query(comes(_, _)).
query(expected(_, w)).
query(absent(_, w)). query(engaged_at_event(_, w, _)). query(engaged_at_some(_, w)).
% expect: place(p1,w,r1) = 1.0
% expect: place(p2,w,o2) = 1.0
% expect: present(p1,w) = 1.0
% expect: present(p2,w) = 1.0
% expect: present(p3,w) = 1.0
% expect: present(p6,w) = 1.0
% expect: place(p7,w,r2) = 1.0
% expect: present(p7,w) = 1.0
% expect: located(e1,r1) = 1.0
% expect: located(e7,r2) = 1.0
% expect: comes(p1,e1) = 1.0
% expect: comes(p3,e3) = 1.0
% expect: comes(p4,e4) = 1.0
% expect: comes(p7,e7) = 1.0
% expect: absent(p4,w) = 1.0
% expect: engaged_at_event(p1,w,e1) = 1.0
% expect: engaged_at_event(p3,w,e3) = 1.0
% expect: engaged_at_event(p6,w,e6) = 1.0
% expect: engaged_at_event(p7,w,e7) = 1.0
% expect: engaged_at_some(p1,w) = 1.0
% expect: engaged_at_some(p3,w) = 1.0
% expect: engaged_at_some(p6,w) = 1.0
% expect: engaged_at_some(p7,w) = 1.0
% expect: expected(p1,w) = 1.0
% expect: expected(p2,w) = 1.0
% expect: expected(p3,w) = 1.0
% expect: expected(p4,w) = 1.0
% expect: expected(p6,w) = 1.0
% expect: expected(p7,w) = 1.0
% expect: expected(p8,w) = 1.0
% expect: present(p8,w) = 1.0
