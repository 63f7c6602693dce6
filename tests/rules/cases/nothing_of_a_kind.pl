% program: commonsense.pl
% p1 organises e1, at which p2 is too; p3 organises nothing and is at nothing of theirs.
person(p1). person(p2). person(p3).
organizer(e1, p1). attendee(e1, p2). attendee(e2, p3).
query(organises_nothing(_)). query(no_shared_event(p1, p2)). query(no_shared_event(p2, p1)).
query(no_shared_event(p1, p3)). query(no_shared_event(p3, p2)).
% expect: organises_nothing(p2) = 1.0
% expect: organises_nothing(p3) = 1.0
% expect: nothing matches no_shared_event(p1,p2)
% expect: nothing matches no_shared_event(p2,p1)
% expect: no_shared_event(p1,p3) = 1.0
% expect: no_shared_event(p3,p2) = 1.0
