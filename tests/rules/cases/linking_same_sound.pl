% program: linking.pl
% Misheard: the sound alone, with a similar sound of 0.55.
named(m). type_agrees(m, e). same_sound(m, e).
query(refers_to(m, e)).
% expect: refers_to(m,e) = 0.55
