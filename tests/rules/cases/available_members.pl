% program: commonsense.pl
% p1 is at e1, p2 is free, p3 is of no group; everybody of g2 is at e1.
group(g1). group(g2). person(p1). person(p2). person(p3).
member_of(p1, g1). member_of(p2, g1). member_of(p1, g2). window(w, 540, 540).
start(e1, 500). end(e1, 541). attendee(e1, p1).
query(available_member(_, w, _)).
% expect: available_member(g1,w,p2) = 1.0
