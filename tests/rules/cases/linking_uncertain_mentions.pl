% program: linking.pl
% The mention of the last turn means a with 0.9, the one before with 0.5:
% 1 - (1 - 0.9 * 0.27) * (1 - 0.5 * 0.13) = 1 - 0.757 * 0.935 = 0.292205
anaphoric(m). type_agrees(m, a).
0.9::mentioned(m, a, 1). 0.5::mentioned(m, a, 2).
query(refers_to(m, a)).
% expect: refers_to(m,a) = 0.292205
