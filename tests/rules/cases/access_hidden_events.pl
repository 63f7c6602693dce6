% program: access.pl
% Private events are hidden from all but who takes part, those of a role without titles too.
viewer(v). role(v, employee). shows(employee, titles).
event(e). event(f). event(g). private(e). private(f). takes_part(v, f).
query(hidden(v, _)).
% expect: hidden(v,e) = 1.0
