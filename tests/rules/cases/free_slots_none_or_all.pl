% program: commonsense.pl
% p1 is busy from edge to edge, p2 only outside, p3 never; an instant has no slots.
person(p1). person(p2). person(p3). window(w, 480, 1080). window(i, 100, 100).
start(e1, 480). end(e1, 1080). attendee(e1, p1).
start(e2, 420). end(e2, 480). attendee(e2, p2). start(e3, 1080). end(e3, 1140). attendee(e3, p2).
query(free_slot(p1, _, _, _)). query(free_slot(p2, _, _, _)). query(free_slot(p3, _, _, _)).
% expect: nothing matches free_slot(p1,_,_,_)
% expect: free_slot(p2,w,480,1080) = 1.0
% expect: free_slot(p3,w,480,1080) = 1.0
