% program: linking.pl
% Half of the mention's words are half of the name. l has half of the words, but little of it.
named(m). type_agrees(m, e).
words_covered_above(m, e, 0.49). name_share_above(m, e, 0.25). name_share_above(m, e, 0.49).
named(l). type_agrees(l, e).
words_covered_above(l, e, 0.49). name_share_above(l, e, 0.25).
query(refers_to(m, e)). query(refers_to(l, e)).
% expect: refers_to(m,e) = 0.25
% expect: nothing matches refers_to(l,e)
