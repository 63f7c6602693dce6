% program: commonsense.pl
% On the list with 0.4, organiser with 0.5: 1 - 0.6 * 0.5 = 0.7.
0.4::attendee(e1, p1). 0.5::organizer(e1, p1).
query(attends(p1, e1)).
% expect: attends(p1,e1) = 0.7
