% program: linking.pl
% The topic of the last turn is mentioned in it too: 1 - 0.20 * 0.73 = 0.854.
% The topic of the turn before: 1 - 0.30 * 0.87 = 0.739.
anaphoric(m). type_agrees(m, _).
topic(m, a, 1). mentioned(m, a, 1).
topic(m, b, 2). mentioned(m, b, 2).
query(refers_to(m, a)). query(refers_to(m, b)).
% expect: refers_to(m,a) = 0.854
% expect: refers_to(m,b) = 0.739
