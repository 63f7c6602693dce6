% program: commonsense.pl
% Ground floor, basement, and an office whose floor nobody knows.
office(p1, r1). floor(r1, 0). office(p2, r2). floor(r2, -1). office(p3, r3). floor(r4, 2).
query(office_floor(_, _)).
% expect: office_floor(p1,0) = 1.0
% expect: office_floor(p2,-1) = 1.0
