% program: commonsense.pl
% e1 comes first, if p1 is invited at all (0.6); else e2, to which p1 is invited with 0.5:
% 0.4 * 0.5 = 0.2; nothing comes with 0.4 * 0.5 = 0.2.
now(540). person(p1). soon(e1). soon(e2).
start(e1, 600). end(e1, 660). 0.6::attendee(e1, p1).
start(e2, 700). end(e2, 760). 0.5::attendee(e2, p1).
query(next_event(p1, _)). query(no_next_event(p1)).
% expect: next_event(p1,e1) = 0.6
% expect: next_event(p1,e2) = 0.2
% expect: no_next_event(p1) = 0.2
