% program: commonsense.pl
% p1 organises all three and stays away, but is on the list of e3; p2 comes to e1.
event(e1). event(e2). event(e3).
organizer(e1, p1). not_coming(e1, p1). attendee(e1, p2). organizer(e2, p1). not_coming(e2, p1).
organizer(e3, p1). not_coming(e3, p1). attendee(e3, p1).
person(p1).
query(attends(_, _)). query(organises(p1, _)).
% expect: attends(p2,e1) = 1.0
% expect: attends(p1,e3) = 1.0
% expect: organises(p1,e1) = 1.0
% expect: organises(p1,e2) = 1.0
% expect: organises(p1,e3) = 1.0
