% program: navigation.pl
% The way to b is free; every way to a cafe is busy, the one to d the least. Of a and c, a is quicker.
category(a, fuel). category(b, fuel). category(c, cafe). category(d, cafe).
distance(a, 2). distance(b, 5). distance(c, 3). distance(d, 4).
delay(a, 2). delay(b, 0). delay(c, 3). delay(d, 1).
chosen(a). chosen(c).
query(free_way(_, _)). query(no_free_way(_)). query(least_traffic(_, _)). query(quickest_chosen(_)).
query(busier(c, _)).
% expect: free_way(fuel,b) = 1.0
% expect: no_free_way(cafe) = 1.0
% expect: least_traffic(fuel,b) = 1.0
% expect: least_traffic(cafe,d) = 1.0
% expect: quickest_chosen(a) = 1.0
% expect: busier(c,a) = 1.0
% expect: busier(c,b) = 1.0
% expect: busier(c,d) = 1.0
