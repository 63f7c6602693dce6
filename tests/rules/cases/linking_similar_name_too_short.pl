% program: linking.pl
% Beta and Zeta: four letters, so similarity and distance do not count.
named(m). type_agrees(m, e). words_alike(m, e).
jw_similarity_above(m, e, 0.9). jw_similarity_above(m, e, 0.95).
lev_distance_below(m, e, 2). lev_distance_below(m, e, 3).
query(refers_to(m, e)).
% expect: nothing matches refers_to(m,e)
