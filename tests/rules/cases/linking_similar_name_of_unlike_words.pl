% program: linking.pl
% "paradigms seminar" is no "paradigms workshop", however similar both are as a whole.
named(m). type_agrees(m, e).
jw_similarity_above(m, e, 0.9). jw_similarity_above(m, e, 0.95). name_longer(m, e, 4).
query(refers_to(m, e)).
% expect: nothing matches refers_to(m,e)
