% program: linking.pl
% Misheard: the words sound the same, whatever their spelling.
named(m). type_agrees(m, e). same_sound(m, e).
query(refers_to(m, e)).
% expect: refers_to(m,e) = 0.55
