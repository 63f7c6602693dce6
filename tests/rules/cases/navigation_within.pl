% program: navigation.pl
% Within 3 miles is 3 miles too; there is no cafe within it.
category(a, fuel). category(b, fuel). category(c, cafe).
distance(a, 3). distance(b, 4). distance(c, 5). limit(3).
query(within(_, _)). query(beyond(_, _)). query(none_within(_, _)).
% expect: within(a,3) = 1.0
% expect: beyond(b,3) = 1.0
% expect: beyond(c,3) = 1.0
% expect: none_within(cafe,3) = 1.0
