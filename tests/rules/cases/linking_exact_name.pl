% program: linking.pl
% The same name, whatever its length: only the rule for exact names.
named(m). type_agrees(m, e). exact_name(m, e).
query(refers_to(m, e)). query(comparable(m, e)).
% expect: refers_to(m,e) = 0.97
% expect: comparable(m,e) = 1.0
