% program: access.pl
% A visitor who may see no titles sees no event by its name; phone numbers are withheld.
viewer(v). role(v, visitor). shows(visitor, office). event(e). event(f). takes_part(v, f).
query(hidden(v, _)). query(withholds(v, phone)). query(withholds(v, office_now)).
query(withholds(v, members)).
% expect: hidden(v,e) = 1.0
% expect: withholds(v,phone) = 1.0
% expect: nothing matches withholds(v,office_now)
% expect: withholds(v,members) = 1.0
