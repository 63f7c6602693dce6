% program: weather.pl
% As likely as it is that today is known rightly.
0.75::today(mon). follows(mon, tue). stretch(tomorrow, 1, 1).
forecast(p, tue, snow, 20, 30). counts_as(snow, snow).
query(will_be(p, snow, tomorrow, _)). query(relative_day(_, _)).
% expect: will_be(p,snow,tomorrow,tue) = 0.75
% expect: relative_day(tomorrow,tue) = 0.75
