% program: weather.pl
% Two days of p1 tie for the heat; the cold of p2 is outside the stretch.
has_day(w, mon). has_day(w, tue). has_day(w, wed).
forecast(p1, mon, fog, 20, 70). forecast(p1, tue, sun, 30, 90). forecast(p1, wed, sun, 40, 90).
forecast(p2, mon, fog, 25, 60). forecast(p2, thu, snow, 5, 10).
query(hotter_day(p1, w, 70)). query(colder_day(_, w, 30)).
query(hottest_day(_, w, _, _)). query(coldest_day(_, w, _, _)).
query(hottest_place(w, _, _)). query(coldest_place(w, _, _)).
% expect: hotter_day(p1,w,70) = 1.0
% expect: colder_day(p1,w,30) = 1.0
% expect: colder_day(p2,w,30) = 1.0
% expect: hottest_day(p1,w,tue,90) = 1.0
% expect: hottest_day(p1,w,wed,90) = 1.0
% expect: hottest_day(p2,w,mon,60) = 1.0
% expect: coldest_day(p1,w,mon,20) = 1.0
% expect: coldest_day(p2,w,mon,25) = 1.0
% expect: hottest_place(w,p1,90) = 1.0
% expect: coldest_place(w,p1,20) = 1.0
