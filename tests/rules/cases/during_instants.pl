% program: commonsense.pl
% An event from 9:00 (540) to 10:00 (600) and instants around it: [start, end).
start(e1, 540). end(e1, 600).
window(before, 539, 539). window(at_start, 540, 540). window(inside, 570, 570).
window(at_last_minute, 599, 599). window(at_end, 600, 600).
query(during(e1, _)).
% expect: during(e1,at_start) = 1.0
% expect: during(e1,inside) = 1.0
% expect: during(e1,at_last_minute) = 1.0
