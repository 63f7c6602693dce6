% program: commonsense.pl
% The same event and stretches: one that ends when it starts, or starts when it ends, is free of it.
start(e1, 540). end(e1, 600).
window(until_start, 480, 540). window(into_start, 480, 541). window(inside, 550, 560).
window(around, 0, 1440). window(same, 540, 600). window(last_minute, 599, 660).
window(from_end, 600, 660).
query(during(e1, _)).
% expect: during(e1,into_start) = 1.0
% expect: during(e1,inside) = 1.0
% expect: during(e1,around) = 1.0
% expect: during(e1,same) = 1.0
% expect: during(e1,last_minute) = 1.0
