% program: commonsense.pl
% An event without length happens in a stretch around it, never at an instant.
start(e1, 540). end(e1, 540).
window(at_it, 540, 540). window(around, 480, 600). window(from_it, 540, 600).
query(during(e1, _)).
% expect: during(e1,around) = 1.0
