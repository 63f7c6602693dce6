% program: commonsense.pl
% A person by attending, a room by location, neither by an event without length.
person(p1). room(r1). organizer(e1, p1). attendee(e2, p1).
start(e1, 540). end(e1, 600). location(e1, r1).
start(e2, 700). end(e2, 700). location(e2, r1).
query(engaged(_, _, _)). query(engaged_at(p1, 539)). query(engaged_at(p1, 540)).
query(engaged_at(p1, 599)). query(engaged_at(r1, 600)). query(engaged_at(r1, 700)).
% expect: engaged(p1,540,600) = 1.0
% expect: engaged(r1,540,600) = 1.0
% expect: engaged_at(p1,540) = 1.0
% expect: engaged_at(p1,599) = 1.0
% expect: nothing matches engaged_at(p1,539)
% expect: nothing matches engaged_at(r1,600)
% expect: nothing matches engaged_at(r1,700)
