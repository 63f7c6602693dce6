% program: linking.pl
% Every word of the mention is in the name: "Amanda". m says a quarter of what tells the name
% apart, l less, so that l does not refer.
named(m). type_agrees(m, e).
words_covered_above(m, e, 0.99). words_covered_above(m, e, 0.49). name_share_above(m, e, 0.25).
named(l). type_agrees(l, e).
words_covered_above(l, e, 0.99). words_covered_above(l, e, 0.49).
query(refers_to(m, e)). query(refers_to(l, e)).
% expect: refers_to(m,e) = 0.60
% expect: nothing matches refers_to(l,e)
