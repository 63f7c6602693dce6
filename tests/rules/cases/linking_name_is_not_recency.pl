% program: linking.pl
% A name does not refer to the last topic because it was the last topic.
named(m). type_agrees(m, a). topic(m, a, 1). mentioned_before(m, a). value_of_possessor(m, a).
query(refers_to(m, a)).
% expect: nothing matches refers_to(m,a)
