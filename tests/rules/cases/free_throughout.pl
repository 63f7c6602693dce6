% program: commonsense.pl
% 9-10 is p1's with 0.7: free throughout the morning with 0.3, before and after it for certain,
% whether these are slots of their own or not. An event without length is no engagement.
person(p1). start(e1, 540). end(e1, 600). 0.7::attendee(e1, p1).
start(e2, 630). end(e2, 630). attendee(e2, p1).
window(w, 480, 720). window(before, 480, 540). window(after, 600, 720). window(within, 550, 560).
query(free_throughout(p1, _)).
% expect: free_throughout(p1,w) = 0.3
% expect: free_throughout(p1,before) = 1.0
% expect: free_throughout(p1,after) = 1.0
% expect: free_throughout(p1,within) = 0.3
