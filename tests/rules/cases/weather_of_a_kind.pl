% program: weather.pl
% Drizzle counts as rain: it rains in p1 on the second day alone. Of p3 nothing is known.
today(mon). follows(mon, tue). stretch(days, 0, 1).
forecast(p1, mon, fog, 20, 30). forecast(p1, tue, drizzle, 40, 50).
forecast(p2, mon, fog, 10, 30). forecast(p2, tue, sun, 40, 45).
counts_as(drizzle, rain). counts_as(rain, rain).
query(known(_, _)). query(will_be(_, rain, days, _)). query(will_not_be(_, rain, days)).
query(weather_then(p1, _, _, _, _, _)).
% expect: known(p1,days) = 1.0
% expect: known(p2,days) = 1.0
% expect: will_be(p1,rain,days,tue) = 1.0
% expect: will_not_be(p2,rain,days) = 1.0
% expect: weather_then(p1,days,mon,fog,20,30) = 1.0
% expect: weather_then(p1,days,tue,drizzle,40,50) = 1.0
