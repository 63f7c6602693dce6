% What questions about a calendar ask for, besides commonsense.pl and conflicts.pl: where people
% are, who is in, what takes the time of the same people, rooms or groups.
%
% Further facts, over ids:
%   hidden(E): of the event no more may be told than when it takes whose time
%   away(E): who attends it is not in: leave, a day off, something that takes place elsewhere
%   working(W): some of the window is in working hours
%   presumed(P, W): nothing tells where they are then, nor that they are not in

located(E, R) :- location(E, R), \+ hidden(E).
comes(P, E) :- attends(P, E), \+ hidden(E).

% Groups are at what they hold and at what a member attends.
with_group(G, E) :- held_by(E, G).
with_group(G, E) :- attends(P, E), member_of(P, G).

% When an event is: it takes some of a stretch of time, or starts in it.
overlaps(E, W) :- stretch(W, S, U), during(E, S, U).
begins(E, W) :- window(W, S, T), start(E, A), S =< A, A < T.

free_in(X, W) :- person_available(X, W).
free_in(X, W) :- room_available(X, W).
free_in(G, W) :- group(G), window(W, _, _), \+ group_engaged(G, W).
busy_in(X, W) :- person_busy(X, W, _).
busy_in(X, W) :- room_busy(X, W, _).
busy_in(G, W) :- group_engaged(G, W).
group_engaged(G, W) :- group(G), with_group(G, E), stretch(W, S, U), during(E, S, U).

% Double booking; of a group two events that it holds, or that one of its members attends.
double_booked(P, E, F) :- person_conflict(P, E, F).
double_booked(R, E, F) :- room_conflict(R, E, F).
double_booked(G, E, F) :- group_conflict(G, E, F).
double_booked(G, E, F) :- group(G), member_of(P, G), person_conflict(P, E, F).
collides(E, F) :- double_booked(_, E, F).

% Events that take the time of a person, a room or a group.
takes(P, E) :- person(P), attends(P, E).
takes(R, E) :- room(R), location(E, R).
takes(G, E) :- group(G), with_group(G, E).

% People: in the room of the event that they are at, else in their office while people work; in
% where they have an office or are at an event then, and are not away.
absent(P, W) :- person_busy(P, W, E), away(E).
engaged_at_event(P, W, E) :- person_busy(P, W, E), \+ away(E).
engaged_at_some(P, W) :- engaged_at_event(P, W, _).
place(P, W, R) :- engaged_at_event(P, W, E), located(E, R), \+ absent(P, W).
place(P, W, R) :- office(P, R), working(W), \+ person_busy(P, W, _).
expected(P, W) :- office(P, _), working(W).
expected(P, W) :- engaged_at_some(P, W).
expected(P, W) :- presumed(P, W).
present(P, W) :- expected(P, W), \+ absent(P, W).
