% program: linking.pl
% The topic of both last turns: 1 - (1 - 0.854) * (1 - 0.739) = 1 - 0.146 * 0.261 = 0.961894.
% A topic that is mentioned in passing as well: 1 - 0.146 * 0.73 = 0.89342.
anaphoric(m). type_agrees(m, _).
topic(m, a, 1). topic(m, a, 2).
topic(m, b, 1). mentioned(m, b, 1).
query(refers_to(m, a)). query(refers_to(m, b)).
% expect: refers_to(m,a) = 0.961894
% expect: refers_to(m,b) = 0.89342
