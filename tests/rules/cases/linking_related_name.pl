% program: linking.pl
% "Richard Chambers' seminar": too little of the name, but Richard has to do with e.
% Richard is the right one with 0.8: 0.5 * 0.8 = 0.4. Nothing said of f is in its name.
named(m). type_agrees(m, _). words_covered_above(m, e, 0.99).
0.8::related(m, e). related(m, f).
query(refers_to(m, e)). query(refers_to(m, f)).
% expect: refers_to(m,e) = 0.4
% expect: nothing matches refers_to(m,f)
