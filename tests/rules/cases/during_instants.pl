% program: commonsense.pl
% An event from 9:00 (540) to 10:00 (600) and instants around it: [start, end).
event(e1). start(e1, 540). end(e1, 600).
window(before, 539, 539). window(at_start, 540, 540). window(inside, 570, 570).
window(at_last_minute, 599, 599). window(at_end, 600, 600).
query(event_during(_, e1)).
% expect: event_during(at_start,e1) = 1.0
% expect: event_during(inside,e1) = 1.0
% expect: event_during(at_last_minute,e1) = 1.0
