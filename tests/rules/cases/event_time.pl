% program: commonsense.pl
% 90 minutes, no length, over midnight; e4 has no end.
start(e1, 540). end(e1, 630). start(e2, 540). end(e2, 540). start(e3, 1380). end(e3, 1500).
start(e4, 540).
query(takes_place(_, _, _)). query(duration(_, _)).
% expect: takes_place(e1,540,630) = 1.0
% expect: takes_place(e2,540,540) = 1.0
% expect: takes_place(e3,1380,1500) = 1.0
% expect: duration(e1,90) = 1.0
% expect: duration(e2,0) = 1.0
% expect: duration(e3,120) = 1.0
