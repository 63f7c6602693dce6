% program: linking.pl
% "I" is the speaker, known with 0.8: 0.99 * 0.8 = 0.792; nobody else, and no pronoun is.
first_person(m). 0.8::is_speaker(a). anaphoric(n). type_agrees(n, _).
query(refers_to(m, a)). query(refers_to(m, b)). query(refers_to(n, a)).
% expect: refers_to(m,a) = 0.792
% expect: nothing matches refers_to(m,b)
% expect: nothing matches refers_to(n,a)
