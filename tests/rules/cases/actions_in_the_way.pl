% program: actions.pl
% The room is taken for a minute of the time: nothing is done although it is confirmed.
action(a, create). has(a, speaker). has(a, title). has(a, start). by(a, p). member(p).
now(100). begins(a, 200). takes(a, r, 200, 260). engaged(r, e, 259, 300). confirmed(a).
query(in_the_way(a, _, _)). query(offers(a)). query(does(a)).
% expect: in_the_way(a,r,e) = 1.0
% expect: offers(a) = 1.0
% expect: nothing matches does(a)
