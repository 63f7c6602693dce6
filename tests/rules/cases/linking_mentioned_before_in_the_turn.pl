% program: linking.pl
% "When is the retreat and where is it?"; what came before means a with 0.7: 0.9 * 0.7 = 0.63.
% b is the last topic: 0.854.
anaphoric(m). type_agrees(m, _).
0.7::mentioned_before(m, a). topic(m, b, 1).
query(refers_to(m, a)). query(refers_to(m, b)).
% expect: refers_to(m,a) = 0.63
% expect: refers_to(m,b) = 0.854
