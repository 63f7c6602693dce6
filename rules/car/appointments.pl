% The driver's calendar: which appointments a word can mean, which comes next, who with, on a day.
%
% Stored facts, over ids:
%   activity(A, K)      appointment A is a K: a dinner, a meeting
%   day(A, D)           A is on D
%   party(A, Q)         A is with Q
%   place_in_time(A, S, N)  A is the N-th minute of the scale S: weekdays and dates of the month
%                       are scales of their own, since the day of the week of a date is not known
%
% The paper's rule for this domain (section 4.1) handles a name with several possible referents.

referent(K, A) :- activity(A, K).
several(K) :- activity(A, K), activity(B, K), A \= B.
before(A, B) :- place_in_time(A, S, M), place_in_time(B, S, N), M < N.
next_appointment(K, A) :- activity(A, K), place_in_time(A, _, _),
    \+ (activity(B, K), before(B, A)).
on_day(D, A) :- day(A, D).
with_party(Q, A) :- party(A, Q).
matching_day(K, D, A) :- activity(A, K), on_day(D, A).
matching_party(K, Q, A) :- activity(A, K), with_party(Q, A).
