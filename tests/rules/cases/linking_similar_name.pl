% program: linking.pl
% Jaro-Winkler between 0.9 and 0.95 with words that are alike.
named(m). type_agrees(m, e).
jw_similarity_above(m, e, 0.9). name_longer(m, e, 4). words_alike(m, e).
query(refers_to(m, e)).
% expect: refers_to(m,e) = 0.61
