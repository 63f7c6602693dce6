% program: commonsense.pl queries.pl
% A person, a room and a group: all busy from 9:00 to 10:00, free after that.
window(now, 570, 570). window(later, 600, 660).
person(p1). room(r1). group(g1).
start(e1, 540). end(e1, 600). attendee(e1, p1). location(e1, r1). held_by(e1, g1).
query(free_in(_, _)). query(busy_in(_, _)).
% expect: busy_in(p1,now) = 1.0
% expect: busy_in(r1,now) = 1.0
% expect: busy_in(g1,now) = 1.0
% expect: free_in(p1,later) = 1.0
% expect: free_in(r1,later) = 1.0
% expect: free_in(g1,later) = 1.0
