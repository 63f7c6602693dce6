% program: commonsense.pl
% The only meeting room is taken all day, with 0.8: free with 0.2. The other one is for sure.
room(r1). bookable(r1). room(r2). bookable(r2). window(w, 720, 720).
start(e1, 0). end(e1, 1440). 0.8::location(e1, r1). start(e2, 700). end(e2, 800). location(e2, r2).
query(available_room(w, _)).
% expect: available_room(w,r1) = 0.2
