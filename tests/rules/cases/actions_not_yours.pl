% program: actions.pl
% One event is organised by somebody else, one by nobody, one is over; an assistant may change all.
action(a, cancel). by(a, p). about(a, e). about(a, f). about(a, g). has(a, event). has(a, speaker).
organizer(e, q). attendee(f, p). organizer(g, p). over(g).
action(b, cancel). by(b, s). about(b, e). assistant(s). has(b, event). has(b, speaker).
query(refuses(a, _, _)). query(refuses(b, _, _)). query(confirms(b)).
% expect: refuses(a,not_yours,e) = 1.0
% expect: refuses(a,over,g) = 1.0
% expect: nothing matches refuses(b,_,_)
% expect: confirms(b) = 1.0
