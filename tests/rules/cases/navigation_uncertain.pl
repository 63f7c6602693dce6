% program: navigation.pl
% a is nearest unless b, which may not be a fuel station at all, is.
category(a, fuel). 0.4::category(b, fuel). distance(a, 3). distance(b, 2).
query(nearest(_, _)).
% expect: nearest(fuel,a) = 0.6
% expect: nearest(fuel,b) = 0.4
