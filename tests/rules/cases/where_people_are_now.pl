% program: commonsense.pl
% At 10:00 (600): p1's event starts, p2's ends, p3's goes on somewhere unknown, p4's is later.
now(600).
person(p1). person(p2). person(p3). person(p4). person(p5).
office(p1, o1). office(p2, o2). office(p3, o3). office(p4, o4).
start(e1, 600). end(e1, 660). attendee(e1, p1). location(e1, r1).
start(e2, 540). end(e2, 600). attendee(e2, p2). location(e2, r2).
start(e3, 540). end(e3, 660). organizer(e3, p3).
start(e4, 601). end(e4, 660). attendee(e4, p4). location(e4, r2).
query(in_event_now(_, _)). query(located_now(_, _, _)). query(office_now(_, _)).
% expect: in_event_now(p1,e1) = 1.0
% expect: in_event_now(p3,e3) = 1.0
% expect: located_now(p1,r1,e1) = 1.0
% expect: office_now(p2,o2) = 1.0
% expect: office_now(p4,o4) = 1.0
