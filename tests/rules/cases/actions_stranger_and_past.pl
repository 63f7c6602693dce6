% program: actions.pl
% Who does not belong to the organisation books nothing, and nothing begins in the past.
action(a, create). by(a, p). now(100). begins(a, 99).
action(b, create). by(b, q). member(q). now(100). begins(b, 100).
query(refuses(a, _, _)). query(refuses(b, _, _)).
% expect: refuses(a,no_member,p) = 1.0
% expect: refuses(a,past,99) = 1.0
% expect: nothing matches refuses(b,_,_)
