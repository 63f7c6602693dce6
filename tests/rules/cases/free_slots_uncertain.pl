% program: commonsense.pl
% The one event, 9-10, is p1's with 0.7: two slots with 0.7, the whole window with 0.3.
person(p1). window(w, 480, 1080). start(e1, 540). end(e1, 600). 0.7::attendee(e1, p1).
query(free_slot(p1, w, _, _)).
% expect: free_slot(p1,w,480,540) = 0.7
% expect: free_slot(p1,w,600,1080) = 0.7
% expect: free_slot(p1,w,480,1080) = 0.3
