% program: commonsense.pl
% In w only e1 takes place, of g1, in r1, with p1 of g1; in v nothing does.
window(w, 480, 600). window(v, 600, 720). event(e1). start(e1, 540). end(e1, 600).
group(g1). group(g2). held_by(e1, g1). room(r1). bookable(r1). location(e1, r1).
person(p1). person(p2). member_of(p1, g1). member_of(p2, g2). attendee(e1, p1).
query(no_event_during(_)). query(group_free(_, _)). query(no_available_member(_, _)).
query(no_available_room(_)).
% expect: no_event_during(v) = 1.0
% expect: group_free(g1,v) = 1.0
% expect: group_free(g2,w) = 1.0
% expect: group_free(g2,v) = 1.0
% expect: no_available_member(g1,w) = 1.0
% expect: no_available_room(w) = 1.0
