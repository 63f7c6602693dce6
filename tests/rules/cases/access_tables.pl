% program: access.pl
% What may be told of hidden events, and what each thing that roles can be told covers.
query(tells_time(_)). query(about(office, _)). query(about(phone, _)). query(about(email, _)).
query(about(group, _)).
% expect: tells_time(date) = 1.0
% expect: tells_time(start_time) = 1.0
% expect: tells_time(end_time) = 1.0
% expect: tells_time(takes_place) = 1.0
% expect: tells_time(duration) = 1.0
% expect: tells_time(person_busy) = 1.0
% expect: tells_time(room_busy) = 1.0
% expect: tells_time(person_events) = 1.0
% expect: tells_time(room_events) = 1.0
% expect: tells_time(events_during) = 1.0
% expect: tells_time(in_event_now) = 1.0
% expect: tells_time(conflict) = 1.0
% expect: about(office,office) = 1.0
% expect: about(office,office_floor) = 1.0
% expect: about(office,office_of) = 1.0
% expect: about(office,office_now) = 1.0
% expect: about(phone,phone) = 1.0
% expect: about(email,email) = 1.0
% expect: about(group,member_of) = 1.0
% expect: about(group,members) = 1.0
% expect: about(group,group_size) = 1.0
% expect: about(group,available_members) = 1.0
% expect: about(group,no_members_available) = 1.0
