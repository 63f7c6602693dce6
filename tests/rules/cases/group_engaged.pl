% program: commonsense.pl queries.pl
% Of what g1 holds only e1 is in the window; a member of g2 attends e2 in it, g3 has nothing.
group(g1). group(g2). group(g3). person(p1). member_of(p1, g2). window(w, 540, 600).
start(e1, 599). end(e1, 660). held_by(e1, g1).
start(e2, 550). end(e2, 560). attendee(e2, p1).
start(e3, 600). end(e3, 660). held_by(e3, g1).
query(with_group(_, _)). query(group_engaged(_, w)). query(busy_in(g1, w)). query(busy_in(g3, w)).
query(free_in(g2, w)). query(free_in(g3, w)).
% expect: with_group(g1,e1) = 1.0
% expect: with_group(g1,e3) = 1.0
% expect: with_group(g2,e2) = 1.0
% expect: group_engaged(g1,w) = 1.0
% expect: group_engaged(g2,w) = 1.0
% expect: busy_in(g1,w) = 1.0
% expect: free_in(g3,w) = 1.0
% expect: nothing matches busy_in(g3,w)
% expect: nothing matches free_in(g2,w)
