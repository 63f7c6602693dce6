% program: commonsense.pl
% p1 is busy with 0.5, p2 with 0.6: nobody is free with 0.3.
window(w, 480, 600). event(e1). start(e1, 540). end(e1, 600). group(g1).
person(p1). person(p2). member_of(p1, g1). member_of(p2, g1).
0.5::attendee(e1, p1). 0.6::attendee(e1, p2).
query(no_available_member(g1, w)). query(available_member(g1, w, _)).
% expect: no_available_member(g1,w) = 0.3
% expect: available_member(g1,w,p1) = 0.5
% expect: available_member(g1,w,p2) = 0.4
