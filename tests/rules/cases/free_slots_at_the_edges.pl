% program: commonsense.pl
% Busy at both edges of the window, into it and out of it: free only between, from 9 to 17.
room(r1). window(w, 480, 1080).
start(e1, 420). end(e1, 540). location(e1, r1). start(e2, 1020). end(e2, 1140). location(e2, r1).
query(free_slot(r1, _, _, _)).
% expect: free_slot(r1,w,540,1020) = 1.0
