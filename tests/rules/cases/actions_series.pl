% program: actions.pl
% Of an event that takes place repeatedly it is asked whether one or all are meant.
action(a, cancel). by(a, p). has(a, speaker). has(a, event). about(a, e). organizer(e, p).
recurring(e).
action(b, cancel). by(b, p). has(b, speaker). has(b, event). about(b, f). organizer(f, p).
query(asks(a, _)). query(asks(b, _)).
% expect: asks(a,occurrences) = 1.0
% expect: nothing matches asks(b,_)
