% program: actions.pl
% An action about an event that takes place repeatedly is in a series.
action(a, cancel). about(a, e). recurring(e).
query(in_series(a)).
% expect: in_series(a) = 1.0
