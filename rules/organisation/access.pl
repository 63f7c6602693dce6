% Who may be told what.
%
% Stored facts, over ids:
%   viewer(V), role(V, R): R is visitor (nobody the organisation knows), employee or assistant
%   private(E): an event of which others may know no more than when it takes whose time
%   takes_part(V, E): the viewer organises or attends it
%   shows(R, A): the settings let a role be told A: titles, office, phone, email or group

% --- events: whoever may not see one knows it as a private event

sees(V, E) :- takes_part(V, E).
sees(V, _) :- role(V, assistant).
sees(V, E) :- role(V, R), shows(R, titles), \+ private(E).
hidden(V, E) :- viewer(V), event(E), \+ sees(V, E).

% What may be told of a hidden event: that somebody or something is taken, and when.
tells_time(date).  tells_time(start_time).  tells_time(end_time).  tells_time(takes_place).
tells_time(duration).  tells_time(person_busy).  tells_time(room_busy).
tells_time(person_events).  tells_time(room_events).  tells_time(events_during).
tells_time(in_event_now).  tells_time(conflict).

% --- people: what a role may be told of them

about(office, office).  about(office, office_floor).  about(office, office_of).
about(office, office_now).
about(phone, phone).  about(email, email).
about(group, member_of).  about(group, members).  about(group, group_size).
about(group, available_members).  about(group, no_members_available).
guarded(P) :- about(_, P).
tells(V, P) :- role(V, R), about(A, P), shows(R, A).
tells(V, P) :- role(V, assistant), about(_, P).
withholds(V, P) :- viewer(V), guarded(P), \+ tells(V, P).
