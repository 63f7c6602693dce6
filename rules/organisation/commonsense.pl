% Commonsense about a calendar: who and what is free, busy, next, where, with whom.
%
% Stored facts, over ids; times are minutes since 1970-01-01 00:00 UTC:
%   person(P), group(G), room(R), bookable(R), event(E), now(T), window(W, S, T)
%   start(E, S), end(E, T), location(E, R), organizer(E, P), attendee(E, P), held_by(E, G)
%   member_of(P, G), office(P, R), floor(R, F)
%   not_coming(E, P): P organises E and stays away
%   soon(E): candidates for somebody's next event, chosen beforehand to keep the search small
%
% After Walker et al. (appendix A.2), repaired: a room is busy by location, not by attendee; times
% are bound before they are compared; a window of time stands for today, tomorrow and now alike.

attends(P, E) :- attendee(E, P).
attends(P, E) :- organizer(E, P), \+ attendee(E, P), \+ not_coming(E, P).

% A window as minutes from S until before U; an instant takes up its minute. An event happens
% during it when both overlap. The minutes are found once for all events, not for each.
stretch(W, S, U) :- window(W, S, T), U is max(T, S + 1).
during(E, S, U) :- start(E, A), A < U, end(E, B), S < B.

% --- people

person_busy(P, W, E) :- person(P), stretch(W, S, U), attends(P, E), during(E, S, U).
person_available(P, W) :- person(P), window(W, _, _), \+ person_busy(P, W, _).
in_event_now(P, E) :- person(P), now(N), attends(P, E), start(E, A), A =< N, end(E, B), N < B.
located_now(P, R, E) :- in_event_now(P, E), location(E, R).
office_now(P, R) :- office(P, R), \+ in_event_now(P, _).
coming(P, E, S) :- person(P), now(N), soon(E), attends(P, E), start(E, S), S > N.
next_event(P, E) :- coming(P, E, S), \+ (coming(P, _, T), T < S).
no_next_event(P) :- person(P), \+ coming(P, _, _).
organises(P, E) :- person(P), organizer(E, P).
organises_nothing(P) :- person(P), \+ organises(P, _).
shared_event(P, Q, E) :- person(P), person(Q), P @< Q, attends(P, E), attends(Q, E).
no_shared_event(P, Q) :- person(P), person(Q), \+ shared_event(P, Q, _), \+ shared_event(Q, P, _).
does_not_attend(P, E) :- person(P), event(E), \+ attends(P, E).
office_floor(P, F) :- office(P, R), floor(R, F).

% --- groups

group_size(G, N) :- group(G), findall(P, member_of(P, G), Members), length(Members, N).
available_member(G, W, P) :- group(G), member_of(P, G), person_available(P, W).
no_available_member(G, W) :- group(G), window(W, _, _), \+ available_member(G, W, _).
group_busy(G, W, E) :- group(G), stretch(W, S, U), held_by(E, G), during(E, S, U).
group_free(G, W) :- group(G), window(W, _, _), \+ group_busy(G, W, _).

% --- rooms

room_busy(R, W, E) :- room(R), stretch(W, S, U), location(E, R), during(E, S, U).
room_available(R, W) :- room(R), window(W, _, _), \+ room_busy(R, W, _).
available_room(W, R) :- bookable(R), room_available(R, W).
no_available_room(W) :- window(W, _, _), \+ available_room(W, _).
office_of(R, P) :- room(R), office(P, R).

% --- events

event_during(W, E) :- stretch(W, S, U), event(E), during(E, S, U).
no_event_during(W) :- window(W, _, _), \+ event_during(W, _).
event_size(E, N) :- event(E), findall(P, attends(P, E), People), length(People, N).
takes_place(E, S, T) :- start(E, S), end(E, T).
duration(E, M) :- start(E, S), end(E, T), M is T - S.

% --- free slots of X, a person or a room, in a window: from S until T

engaged(X, W, S, T) :- person_busy(X, W, E), start(E, S), end(E, T), S < T.
engaged(X, W, S, T) :- room_busy(X, W, E), start(E, S), end(E, T), S < T.
engaged_at(X, W, S) :- engaged(X, W, A, B), A =< S, S < B.
opens(X, W, S) :- window(W, S, T), S < T, \+ engaged_at(X, W, S).
opens(X, W, S) :- window(W, A, B), engaged(X, W, _, S), A < S, S < B, \+ engaged_at(X, W, S).
closes(X, W, S, T) :- window(W, _, B), engaged(X, W, T, _), S < T, T < B.
free_slot(X, W, S, T) :- opens(X, W, S), closes(X, W, S, T), \+ (closes(X, W, S, U), U < T).
free_slot(X, W, S, T) :- opens(X, W, S), window(W, _, T), \+ closes(X, W, S, _).
% Where attendance is uncertain: whether X is free all the time, if it is a slot or part of one.
free_throughout(X, W) :- window(W, _, _), \+ engaged(X, W, _, _).
