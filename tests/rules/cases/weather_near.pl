% program: weather.pl
% Storms may bring rain: they neither affirm it nor rule it out, unless it rains on another day.
today(mon). follows(mon, tue). stretch(days, 0, 1).
forecast(p1, mon, storm, 20, 30). forecast(p1, tue, fog, 40, 50).
forecast(p2, mon, storm, 10, 30). forecast(p2, tue, rain, 40, 45).
counts_as(rain, rain). comes_near(storm, rain).
query(nearly_be(_, rain, days, _, _)). query(will_be(_, rain, days, _)). query(will_not_be(_, rain, days)).
% expect: nearly_be(p1,rain,days,storm,mon) = 1.0
% expect: will_be(p2,rain,days,tue) = 1.0
% expect: nothing matches will_not_be(_,rain,days)
