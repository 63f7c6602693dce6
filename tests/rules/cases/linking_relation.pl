% program: linking.pl
% "her office", she being the owner of a with 0.6: 0.95 * 0.6 = 0.57. A relation need not agree
% with a type: the noun is the type.
relational(m). 0.6::value_of_possessor(m, a). topic(m, b, 1).
query(refers_to(m, a)). query(refers_to(m, b)).
% expect: refers_to(m,a) = 0.57
% expect: nothing matches refers_to(m,b)
