% program: commonsense.pl
% From 8:00 (480) to 18:00 (1080), busy 9-10 and 11-12: free before, between and after.
person(p1). window(w, 480, 1080).
start(e1, 540). end(e1, 600). attendee(e1, p1).
start(e2, 660). end(e2, 720). attendee(e2, p1).
query(opens(p1, w, _)). query(closes(p1, w, 480, _)). query(free_slot(p1, _, _, _)).
% expect: opens(p1,w,480) = 1.0
% expect: opens(p1,w,600) = 1.0
% expect: opens(p1,w,720) = 1.0
% expect: closes(p1,w,480,540) = 1.0
% expect: closes(p1,w,480,660) = 1.0
% expect: free_slot(p1,w,480,540) = 1.0
% expect: free_slot(p1,w,600,660) = 1.0
% expect: free_slot(p1,w,720,1080) = 1.0
