% program: weather.pl
% Wednesday: the week goes on with Thursday and ends before the next Wednesday; tomorrow is one
% day, the next two days are none in particular; the weekend is what has its days.
today(wed). follows(wed, thu). follows(thu, fri). follows(fri, sat). follows(sat, sun).
follows(sun, mon). follows(mon, tue). follows(tue, wed).
stretch(tomorrow, 1, 1). stretch(two_days, 0, 1). has_day(weekend, sat). has_day(weekend, sun).
query(ahead(_, 0)). query(ahead(tue, _)). query(ahead(wed, _)).
query(in_stretch(_, _)). query(relative_day(_, _)).
% expect: ahead(wed,0) = 1.0
% expect: ahead(tue,6) = 1.0
% expect: in_stretch(tomorrow,thu) = 1.0
% expect: in_stretch(two_days,wed) = 1.0
% expect: in_stretch(two_days,thu) = 1.0
% expect: in_stretch(weekend,sat) = 1.0
% expect: in_stretch(weekend,sun) = 1.0
% expect: relative_day(tomorrow,thu) = 1.0
