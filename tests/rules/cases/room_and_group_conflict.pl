% program: commonsense.pl conflicts.pl
% e1 and e2 are in r1 at once, e2 and e3 are held by g1 at once; e1 and e3 are back to back.
room(r1). room(r2). group(g1). group(g2).
start(e1, 540). end(e1, 600). location(e1, r1). held_by(e1, g1).
start(e2, 570). end(e2, 630). location(e2, r1). held_by(e2, g2).
start(e3, 600). end(e3, 660). location(e3, r1). held_by(e3, g2).
near(e1, e2). near(e2, e3). near(e1, e3).
query(room_conflict(_, _, _)). query(group_conflict(_, _, _)).
% expect: room_conflict(r1,e1,e2) = 1.0
% expect: room_conflict(r1,e2,e3) = 1.0
% expect: group_conflict(g2,e2,e3) = 1.0
