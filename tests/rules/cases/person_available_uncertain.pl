% program: commonsense.pl
% At e1 with 0.9 and, independently, at e2 with 0.5: free with 0.1 * 0.5 = 0.05.
person(p1). window(w, 540, 540).
start(e1, 500). end(e1, 600). 0.9::attendee(e1, p1).
start(e2, 530). end(e2, 560). 0.5::attendee(e2, p1).
query(person_busy(p1, w, _)). query(person_available(p1, w)).
% expect: person_busy(p1,w,e1) = 0.9
% expect: person_busy(p1,w,e2) = 0.5
% expect: person_available(p1,w) = 0.05
