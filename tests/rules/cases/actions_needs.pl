% program: actions.pl
% What each kind of action needs, in the order in which it is asked for.
query(needs(_, _, _)).
% expect: needs(create,speaker,1) = 1.0
% expect: needs(create,start,2) = 1.0
% expect: needs(create,title,3) = 1.0
% expect: needs(change,speaker,1) = 1.0
% expect: needs(change,event,2) = 1.0
% expect: needs(change,occurrences,3) = 1.0
% expect: needs(change,change,4) = 1.0
% expect: needs(cancel,speaker,1) = 1.0
% expect: needs(cancel,event,2) = 1.0
% expect: needs(cancel,occurrences,3) = 1.0
% expect: needs(message,recipient,1) = 1.0
% expect: needs(message,message,2) = 1.0
% expect: needs(message,speaker,3) = 1.0
