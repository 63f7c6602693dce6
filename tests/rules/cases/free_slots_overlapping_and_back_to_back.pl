% program: commonsense.pl
% 9-11 and 10-12 overlap, 12-13 follows at once, 10:30-10:45 is within: free until 9 and from 13.
person(p1). window(w, 480, 1080).
start(e1, 540). end(e1, 660). attendee(e1, p1). start(e2, 600). end(e2, 720). attendee(e2, p1).
start(e3, 720). end(e3, 780). attendee(e3, p1). start(e4, 630). end(e4, 645). attendee(e4, p1).
query(free_slot(p1, w, _, _)).
% expect: free_slot(p1,w,480,540) = 1.0
% expect: free_slot(p1,w,780,1080) = 1.0
