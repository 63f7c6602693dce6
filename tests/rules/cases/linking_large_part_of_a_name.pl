% program: linking.pl
% All words, half of the name and more: 1 - 0.40 * 0.75 = 0.70.
named(m). type_agrees(m, e).
words_covered_above(m, e, 0.99). words_covered_above(m, e, 0.49).
name_share_above(m, e, 0.25). name_share_above(m, e, 0.49).
query(refers_to(m, e)).
% expect: refers_to(m,e) = 0.70
