% program: commonsense.pl
% An event without length happens in a stretch around it, never at an instant.
event(e1). start(e1, 540). end(e1, 540).
window(at_it, 540, 540). window(around, 480, 600). window(from_it, 540, 600).
query(event_during(_, e1)).
% expect: event_during(around,e1) = 1.0
