% program: commonsense.pl
% A person by attending, a room by location, neither by an event without length, and only by
% what happens during the window: e3 is after it.
person(p1). room(r1). organizer(e1, p1). attendee(e2, p1). attendee(e3, p1). window(w, 480, 720).
start(e1, 540). end(e1, 600). location(e1, r1).
start(e2, 700). end(e2, 700). location(e2, r1).
start(e3, 720). end(e3, 780). location(e3, r1).
query(engaged(_, _, _, _)). query(engaged_at(p1, w, 539)). query(engaged_at(p1, w, 540)).
query(engaged_at(p1, w, 599)). query(engaged_at(r1, w, 600)). query(engaged_at(r1, w, 700)).
query(engaged_at(p1, w, 720)).
% expect: engaged(p1,w,540,600) = 1.0
% expect: engaged(r1,w,540,600) = 1.0
% expect: engaged_at(p1,w,540) = 1.0
% expect: engaged_at(p1,w,599) = 1.0
% expect: nothing matches engaged_at(p1,w,539)
% expect: nothing matches engaged_at(r1,w,600)
% expect: nothing matches engaged_at(r1,w,700)
% expect: nothing matches engaged_at(p1,w,720)
