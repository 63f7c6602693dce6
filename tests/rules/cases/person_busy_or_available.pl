% program: commonsense.pl
% e1 from 9:00 to 10:00, e2 back to back until 11:00. p1 attends both, p2 organises e1 without
% being on its list, p3 does nothing; p4 is no person that is asked about.
person(p1). person(p2). person(p3).
start(e1, 540). end(e1, 600). organizer(e1, p2). attendee(e1, p1). attendee(e1, p4).
start(e2, 600). end(e2, 660). attendee(e2, p1).
window(at_ten, 600, 600). window(at_eleven, 660, 660). window(nine_to_eleven, 540, 660).
query(person_busy(_, _, _)). query(person_available(_, _)).
% expect: person_busy(p1,at_ten,e2) = 1.0
% expect: person_busy(p1,nine_to_eleven,e1) = 1.0
% expect: person_busy(p1,nine_to_eleven,e2) = 1.0
% expect: person_busy(p2,nine_to_eleven,e1) = 1.0
% expect: person_available(p1,at_eleven) = 1.0
% expect: person_available(p2,at_ten) = 1.0
% expect: person_available(p2,at_eleven) = 1.0
% expect: person_available(p3,at_ten) = 1.0
% expect: person_available(p3,at_eleven) = 1.0
% expect: person_available(p3,nine_to_eleven) = 1.0
