% program: actions.pl
% The start was understood with 0.7: it is asked for with 0.3 and the meeting confirmed with 0.7.
action(a, create). has(a, speaker). has(a, title). 0.7::has(a, start). by(a, p). member(p).
now(100). begins(a, 200).
query(confirms(a)). query(asks_first(a)). query(asks(a, start)).
% expect: confirms(a) = 0.7
% expect: asks_first(a) = 0.3
% expect: asks(a,start) = 0.3
