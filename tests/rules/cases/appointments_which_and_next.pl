% program: appointments.pl
% Two dinners of the month in order, one of a weekday that cannot be compared with them; one
% meeting; the party has no time.
activity(d1, dinner). activity(d2, dinner). activity(d3, dinner). activity(m, meeting).
activity(p, party).
place_in_time(d1, month, 500). place_in_time(d2, month, 900). place_in_time(d3, week, 100).
place_in_time(m, month, 100).
query(referent(meeting, _)). query(referent(dinner, _)). query(several(_)).
query(before(m, _)). query(before(d3, _)). query(next_appointment(_, _)).
% expect: referent(meeting,m) = 1.0
% expect: referent(dinner,d1) = 1.0
% expect: referent(dinner,d2) = 1.0
% expect: referent(dinner,d3) = 1.0
% expect: several(dinner) = 1.0
% expect: before(m,d1) = 1.0
% expect: before(m,d2) = 1.0
% expect: nothing matches before(d3,_)
% expect: next_appointment(dinner,d1) = 1.0
% expect: next_appointment(dinner,d3) = 1.0
% expect: next_appointment(meeting,m) = 1.0
