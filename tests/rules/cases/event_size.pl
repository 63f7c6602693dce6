% program: commonsense.pl
% The organiser counts once, on the list (e1) or not (e2); e3 has nobody.
event(e1). event(e2). event(e3).
organizer(e1, p1). attendee(e1, p1). attendee(e1, p2).
organizer(e2, p1). attendee(e2, p2).
query(event_size(_, _)).
% expect: event_size(e1,2) = 1.0
% expect: event_size(e2,2) = 1.0
% expect: event_size(e3,0) = 1.0
