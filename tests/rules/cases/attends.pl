% program: commonsense.pl
% p1 organises and is on the list, p2 organises and is not, p3 is on the list; e4 has nobody.
event(e1). event(e2). event(e4).
organizer(e1, p1). attendee(e1, p1). attendee(e1, p3). organizer(e2, p2).
query(attends(_, _)).
% expect: attends(p1,e1) = 1.0
% expect: attends(p3,e1) = 1.0
% expect: attends(p2,e2) = 1.0
