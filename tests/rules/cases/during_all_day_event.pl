% program: commonsense.pl
% All of day 1 (1440 to 2880): busy at noon and in the night, not on the days beside it.
event(e1). start(e1, 1440). end(e1, 2880).
window(noon, 2160, 2160). window(midnight, 1440, 1440). window(next_midnight, 2880, 2880).
window(day_0, 0, 1440). window(day_1, 1440, 2880). window(day_2, 2880, 4320).
query(event_during(_, e1)).
% expect: event_during(noon,e1) = 1.0
% expect: event_during(midnight,e1) = 1.0
% expect: event_during(day_1,e1) = 1.0
