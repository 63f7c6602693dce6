% program: commonsense.pl
% An organiser who is not on the list attends; p2 is invited with 0.75.
person(p1). person(p2). person(p3). event(e1).
organizer(e1, p1). 0.75::attendee(e1, p2).
query(does_not_attend(_, _)).
% expect: does_not_attend(p2,e1) = 0.25
% expect: does_not_attend(p3,e1) = 1.0
