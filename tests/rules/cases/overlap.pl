% program: commonsense.pl conflicts.pl
% 9-10, back to back with 10-11; 9:30-10:30 overlaps both; e4 is within e3.
% e5 has no length: at the start of e1 it overlaps nothing.
start(e1, 540). end(e1, 600). start(e2, 600). end(e2, 660).
start(e3, 570). end(e3, 630). start(e4, 571). end(e4, 572).
start(e5, 540). end(e5, 540).
query(overlap(e1, _)). query(overlap(e2, _)). query(overlap(e4, e3)). query(overlap(e5, _)).
% expect: overlap(e1,e1) = 1.0
% expect: overlap(e2,e2) = 1.0
% expect: overlap(e1,e3) = 1.0
% expect: overlap(e2,e3) = 1.0
% expect: overlap(e1,e4) = 1.0
% expect: overlap(e4,e3) = 1.0
% expect: nothing matches overlap(e5,_)
