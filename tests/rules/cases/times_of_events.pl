% program: commonsense.pl queries.pl
% From 9:00 to 10:00: e1 takes some of it, e2 starts in it, e3 starts at its end, e4 has no length.
window(w, 540, 600).
start(e1, 500). end(e1, 560).
start(e2, 570). end(e2, 700).
start(e3, 600). end(e3, 660).
start(e4, 540). end(e4, 540).
held_by(e1, g1). member_of(p1, g1). member_of(p2, g2). attendee(e2, p1). organizer(e3, p2).
query(overlaps(_, w)). query(begins(_, w)). query(with_group(_, _)).
% expect: overlaps(e1,w) = 1.0
% expect: overlaps(e2,w) = 1.0
% expect: begins(e2,w) = 1.0
% expect: begins(e4,w) = 1.0
% expect: with_group(g1,e1) = 1.0
% expect: with_group(g1,e2) = 1.0
% expect: with_group(g2,e3) = 1.0
