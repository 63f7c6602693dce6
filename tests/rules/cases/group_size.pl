% program: commonsense.pl
% Two members, none, and one who belongs with 0.5: one member or two.
group(g1). group(g2). group(g3).
member_of(p1, g1). member_of(p2, g1). member_of(p3, g3). 0.5::member_of(p4, g3).
query(group_size(_, _)).
% expect: group_size(g1,2) = 1.0
% expect: group_size(g2,0) = 1.0
% expect: group_size(g3,1) = 0.5
% expect: group_size(g3,2) = 0.5
