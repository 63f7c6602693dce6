% program: linking.pl
% "They" means several people spoken of together, less surely the longer ago; "she" does not.
plural(m). type_agrees(m, _).
among_people(m, a, 1). among_people(m, b, 2). among_people(m, c, 3). among_people(m, d, 4).
anaphoric(n). type_agrees(n, _). among_people(n, a, 1).
query(refers_to(m, _)). query(refers_to(n, a)).
% expect: refers_to(m,a) = 0.90
% expect: refers_to(m,b) = 0.80
% expect: refers_to(m,c) = 0.60
% expect: nothing matches refers_to(n,a)
