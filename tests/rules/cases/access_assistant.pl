% program: access.pl
% An assistant sees private events and is told everything.
viewer(v). role(v, assistant). event(e). private(e).
query(hidden(v, _)). query(withholds(v, _)).
% expect: nothing matches hidden(v,_)
% expect: nothing matches withholds(v,_)
