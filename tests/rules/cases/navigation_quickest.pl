% program: navigation.pl
% a is near with traffic, b far without: both can be quickest. c is as far as a and busier, d
% farther than b and no freer: both are beaten. e is alone of its kind.
category(a, fuel). category(b, fuel). category(c, fuel). category(d, fuel). category(e, cafe).
distance(a, 2). distance(b, 5). distance(c, 2). distance(d, 6). distance(e, 9).
delay(a, 1). delay(b, 0). delay(c, 2). delay(d, 0). delay(e, 3).
query(beats(_, c)). query(beats(_, d)). query(beats(d, _)). query(quickest(_, _)).
% expect: beats(a,c) = 1.0
% expect: beats(b,d) = 1.0
% expect: beats(d,e) = 1.0
% expect: quickest(fuel,a) = 1.0
% expect: quickest(fuel,b) = 1.0
% expect: quickest(cafe,e) = 1.0
