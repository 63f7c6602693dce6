% program: commonsense.pl conflicts.pl
% 9-10, back to back with 10-11; 9:30-10:30 overlaps both; each pair once. e4 is within e3.
start(e1, 540). end(e1, 600). start(e2, 600). end(e2, 660).
start(e3, 570). end(e3, 630). start(e4, 571). end(e4, 572).
query(overlap(_, _)).
% expect: overlap(e1,e3) = 1.0
% expect: overlap(e2,e3) = 1.0
% expect: overlap(e1,e4) = 1.0
% expect: overlap(e3,e4) = 1.0
