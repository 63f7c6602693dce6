% program: navigation.pl
% a and b tie among the fuel stations; c is nearer, but a cafe; how far d is nobody knows.
category(a, fuel). category(b, fuel). category(e, fuel). category(d, fuel). category(c, cafe).
distance(a, 3). distance(b, 3). distance(e, 5). distance(c, 1).
query(nearer(c, _)). query(nearer(e, _)). query(rival(c, _)). query(nearest(_, _)). query(listed(cafe, _)).
% expect: nearer(c,a) = 1.0
% expect: nearer(c,b) = 1.0
% expect: nearer(c,e) = 1.0
% expect: nothing matches nearer(e,_)
% expect: rival(c,c) = 1.0
% expect: nearest(fuel,a) = 1.0
% expect: nearest(fuel,b) = 1.0
% expect: nearest(cafe,c) = 1.0
% expect: listed(cafe,c) = 1.0
