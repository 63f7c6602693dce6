% Places around the car: which is nearest, which is reached without traffic, which is quickest.
%
% Stored facts, over ids; distances are numbers:
%   category(P, C)      P is a C
%   distance(P, X)      P is X miles away
%   delay(P, T)         how much the traffic on the way to P delays: 0 not, 1 somewhat, 2 a lot,
%                       3 the way is obstructed
%   limit(N)            a distance that is spoken of
%   chosen(P)           P is one of the places that are named
%
% The paper's rule for this domain (section 4.1) compares the distances of two points of interest.

listed(C, P) :- category(P, C).
nearer(P, Q) :- distance(P, X), distance(Q, Y), X < Y.
rival(P, Q) :- category(P, C), category(Q, C).
nearest(C, P) :- category(P, C), distance(P, _), \+ (rival(P, Q), nearer(Q, P)).

within(P, N) :- limit(N), distance(P, X), X =< N.
beyond(P, N) :- limit(N), distance(P, X), X > N.
none_within(C, N) :- limit(N), category(_, C), \+ (category(P, C), within(P, N)).

% P beats Q when it is no farther and its way no busier, and one of both is better. What nothing
% of its category beats can be the quickest; how much time traffic costs nobody knows, so a near
% place with traffic and a far one without may both be.
beats(P, Q) :- distance(P, X), distance(Q, Y), X < Y, delay(P, S), delay(Q, T), S =< T.
beats(P, Q) :- distance(P, X), distance(Q, Y), X =< Y, delay(P, S), delay(Q, T), S < T.
quickest(C, P) :- category(P, C), distance(P, _), delay(P, _), \+ (rival(P, Q), beats(Q, P)).
% The same among places that are named, of whatever category.
quickest_chosen(P) :- chosen(P), distance(P, _), delay(P, _), \+ (chosen(Q), beats(Q, P)).

clear_way(C, P) :- category(P, C), delay(P, T), T < 2.
no_clear_way(C) :- category(P, C), delay(P, _), \+ clear_way(C, _).
free_way(C, P) :- category(P, C), delay(P, 0).
no_free_way(C) :- category(P, C), delay(P, _), \+ free_way(C, _).
busier(P, Q) :- delay(P, S), delay(Q, T), S > T.
least_traffic(C, P) :- category(P, C), delay(P, _), \+ (rival(P, Q), busier(P, Q)).
less_traffic(P, Q) :- rival(P, Q), delay(P, S), delay(Q, T), T < S.
