% program: commonsense.pl
% g1 holds e1 and e2, of which only e1 is in the window; g2 holds nothing.
group(g1). group(g2). window(w, 540, 600).
start(e1, 599). end(e1, 660). held_by(e1, g1).
start(e2, 600). end(e2, 660). held_by(e2, g1).
query(group_busy(_, _, _)).
% expect: group_busy(g1,w,e1) = 1.0
