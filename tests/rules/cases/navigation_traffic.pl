% program: navigation.pl
% Moderate traffic (1) is no heavy traffic; nothing is known of the way to d.
category(a, fuel). category(b, fuel). category(c, cafe). category(d, park).
delay(a, 1). delay(b, 2). delay(c, 3).
query(clear_way(_, _)). query(no_clear_way(_)). query(less_traffic(_, _)).
% expect: clear_way(fuel,a) = 1.0
% expect: no_clear_way(cafe) = 1.0
% expect: less_traffic(b,a) = 1.0
