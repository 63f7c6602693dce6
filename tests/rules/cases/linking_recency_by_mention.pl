% program: linking.pl
% The further back, the less; seven turns back is forgotten.
mentioned(m, a, 1). mentioned(m, b, 2). mentioned(m, c, 3). mentioned(m, d, 4).
mentioned(m, f, 5). mentioned(m, g, 6). mentioned(m, h, 7).
query(recent(m, _)).
% expect: recent(m,a) = 0.27
% expect: recent(m,b) = 0.13
% expect: recent(m,c) = 0.10
% expect: recent(m,d) = 0.07
% expect: recent(m,f) = 0.05
% expect: recent(m,g) = 0.04
