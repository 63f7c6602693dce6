% program: actions.pl
% Of a new meeting nothing is known but its title: who wants it is asked before when it is to be.
action(a, create). has(a, title). now(100).
query(asks(a, _)). query(asks_first(a)). query(confirms(a)).
% expect: asks(a,speaker) = 1.0
% expect: asks_first(a) = 1.0
% expect: nothing matches confirms(a)
