% program: linking.pl
% Both thresholds of Jaro-Winkler passed: 1 - 0.39 * 0.70 = 0.727.
named(m). type_agrees(m, e).
jw_similarity_above(m, e, 0.9). jw_similarity_above(m, e, 0.95).
name_longer(m, e, 4). words_alike(m, e).
query(refers_to(m, e)).
% expect: refers_to(m,e) = 0.727
