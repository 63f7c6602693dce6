% program: linking.pl
mentioned(m, a, 1). mentioned(m, b, 2). mentioned(m, c, 3). mentioned(m, d, 4).
mentioned(m, f, 5).
query(recent(m, _)).
% expect: recent(m,a) = 0.27
% expect: recent(m,b) = 0.13
% expect: recent(m,c) = 0.10
% expect: recent(m,d) = 0.07
