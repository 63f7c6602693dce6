% program: commonsense.pl
% Nobody is available at a time that is not asked about, and no stranger at any.
person(p1). window(w, 540, 540).
query(person_available(p2, w)). query(person_available(p1, v)). query(person_busy(p1, w, _)).
% expect: nothing matches person_available(p2,w)
% expect: nothing matches person_available(p1,v)
% expect: nothing matches person_busy(p1,w,_)
