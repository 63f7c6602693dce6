% program: linking.pl
% One weight for the topic and the mention of it that it rests on; half as sure, half of it.
0.5::topic(m, c, 1).
topic(m, a, 1). topic(m, b, 2). topic(m, d, 3).
query(recent(m, _)).
% A topic of three turns ago is no more than mentioned.
% expect: recent(m,a) = 0.854
% expect: recent(m,b) = 0.739
% expect: recent(m,c) = 0.427
