% program: linking.pl
topic(m, a, 1). topic(m, b, 2). topic(m, c, 3).
query(recent(m, _)).
% A topic of three turns ago is no more than mentioned.
% expect: recent(m,a) = 0.80
% expect: recent(m,b) = 0.70
