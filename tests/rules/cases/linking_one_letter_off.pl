% program: linking.pl
% One edit in a name of six or seven letters.
named(m). type_agrees(m, e). words_alike(m, e).
lev_distance_below(m, e, 2). lev_distance_below(m, e, 3). name_longer(m, e, 5).
query(refers_to(m, e)).
% expect: refers_to(m,e) = 0.72
