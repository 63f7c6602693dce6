% program: commonsense.pl
% The same event and stretches: one that ends when it starts, or starts when it ends, is free of it.
event(e1). start(e1, 540). end(e1, 600).
window(until_start, 480, 540). window(into_start, 480, 541). window(inside, 550, 560).
window(around, 0, 1440). window(same, 540, 600). window(last_minute, 599, 660).
window(from_end, 600, 660).
query(event_during(_, e1)).
% expect: event_during(into_start,e1) = 1.0
% expect: event_during(inside,e1) = 1.0
% expect: event_during(around,e1) = 1.0
% expect: event_during(same,e1) = 1.0
% expect: event_during(last_minute,e1) = 1.0
