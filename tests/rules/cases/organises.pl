% program: commonsense.pl
% To attend is not to organise.
person(p1). person(p2). organizer(e1, p1). organizer(e2, p1). attendee(e1, p2).
query(organises(_, _)).
% expect: organises(p1,e1) = 1.0
% expect: organises(p1,e2) = 1.0
