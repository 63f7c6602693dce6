% program: actions.pl
% Everything is known and confirmed; who is engaged until the start is not in the way.
action(a, create). has(a, speaker). has(a, title). has(a, start). by(a, p). member(p).
now(100). begins(a, 200). takes(a, p, 200, 260). engaged(p, e, 140, 200). confirmed(a).
query(does(a)). query(confirms(a)). query(in_the_way(a, _, _)).
% expect: does(a) = 1.0
% expect: nothing matches confirms(a)
% expect: nothing matches in_the_way(a,_,_)
