% program: commonsense.pl
% Back to back at 10:00 (600): one event is over then, the other on. e3 is not known as an event.
event(e1). event(e2). window(ten, 600, 600). window(day, 0, 1440).
start(e1, 540). end(e1, 600). start(e2, 600). end(e2, 660). start(e3, 600). end(e3, 660).
query(event_during(_, _)).
% expect: event_during(ten,e2) = 1.0
% expect: event_during(day,e1) = 1.0
% expect: event_during(day,e2) = 1.0
