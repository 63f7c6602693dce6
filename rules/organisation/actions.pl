% What the receptionist does next about an action: ask for what is missing, refuse, offer something
% else, have it confirmed, or do it.
%
% Stored facts, over ids; times are minutes since 1970-01-01 00:00 UTC:
%   action(A, K): K is create, change, cancel or message       by(A, P): for whom it is done
%   has(A, S): what is known of it, as probably as it was understood
%   about(A, E): an event that it changes or cancels            recurring(E)     over(E)
%   organizer(E, P), attendee(E, P), assistant(P), member(P): P belongs to the organisation
%   takes(A, X, S, T): a person or room that is taken from S until T when it is done
%   engaged(X, E, S, T): a person or room is in another event E from S until T
%   begins(A, S), now(T), confirmed(A)

% --- what an action needs, in the order in which it is asked for

needs(create, speaker, 1).  needs(create, start, 2).  needs(create, title, 3).
needs(change, speaker, 1).  needs(change, event, 2).  needs(change, occurrences, 3).
needs(change, change, 4).
needs(cancel, speaker, 1).  needs(cancel, event, 2).  needs(cancel, occurrences, 3).
needs(message, recipient, 1).  needs(message, message, 2).  needs(message, speaker, 3).

known(A, S) :- has(A, S).
known(A, occurrences) :- action(A, _), \+ in_series(A).
in_series(A) :- about(A, E), recurring(E).
missing(A, S, N) :- action(A, K), needs(K, S, N), \+ known(A, S).
asks(A, S) :- missing(A, S, N), \+ (missing(A, _, M), M < N).

% --- who may do what

may_change(P, E) :- organizer(E, P).
may_change(P, E) :- attendee(E, P), \+ organizer(E, _).
may_change(P, _) :- assistant(P).
may_book(P) :- member(P).
may_book(P) :- assistant(P).

refuses(A, not_yours, E) :- about(A, E), by(A, P), \+ may_change(P, E).
refuses(A, over, E) :- about(A, E), over(E).
refuses(A, no_member, P) :- action(A, create), by(A, P), \+ may_book(P).
refuses(A, past, S) :- begins(A, S), now(T), S < T.

% --- what stands in the way

in_the_way(A, X, E) :- takes(A, X, S, T), engaged(X, E, B, C), B < T, S < C.

% --- what is done next

refused(A) :- refuses(A, _, _).
blocked(A) :- in_the_way(A, _, _).
incomplete(A) :- missing(A, _, _).
ready(A) :- action(A, _), \+ incomplete(A), \+ refused(A), \+ blocked(A).
offers(A) :- blocked(A), \+ refused(A).
asks_first(A) :- incomplete(A), \+ refused(A), \+ blocked(A).
confirms(A) :- ready(A), \+ confirmed(A).
does(A) :- ready(A), confirmed(A).
