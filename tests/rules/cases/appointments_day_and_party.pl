% program: appointments.pl
% On Friday there are a dinner and a meeting, both dinners are with Jo.
activity(d1, dinner). activity(d2, dinner). activity(m, meeting).
day(d1, fri). day(m, fri). day(d2, sat). party(d1, jo). party(d2, jo).
query(on_day(fri, _)). query(with_party(jo, _)). query(matching_day(dinner, _, _)).
query(matching_party(dinner, _, _)).
% expect: on_day(fri,d1) = 1.0
% expect: on_day(fri,m) = 1.0
% expect: with_party(jo,d1) = 1.0
% expect: with_party(jo,d2) = 1.0
% expect: matching_day(dinner,fri,d1) = 1.0
% expect: matching_day(dinner,sat,d2) = 1.0
% expect: matching_party(dinner,jo,d1) = 1.0
% expect: matching_party(dinner,jo,d2) = 1.0
