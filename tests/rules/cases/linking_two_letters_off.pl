% program: linking.pl
% Two edits in a name of eight letters or more.
named(m). type_agrees(m, e). words_alike(m, e).
lev_distance_below(m, e, 3). name_longer(m, e, 5). name_longer(m, e, 7).
query(refers_to(m, e)).
% expect: refers_to(m,e) = 0.30
