% program: commonsense.pl
% Each pair once. p1 and p2 share e1 (one organises it) and nothing else; p3 shares nothing.
person(p1). person(p2). person(p3).
organizer(e1, p1). attendee(e1, p2). attendee(e2, p1). attendee(e3, p3).
query(shared_event(_, _, _)). query(shared_event(p1, p3, _)).
% expect: shared_event(p1,p2,e1) = 1.0
% expect: nothing matches shared_event(p1,p3,_)
