% program: commonsense.pl
% A room is busy by what takes place in it, not by who attends. r3 is an office, not for booking.
room(r1). room(r2). room(r3). bookable(r1). bookable(r2). person(p1). office(p1, r3).
start(e1, 540). end(e1, 600). location(e1, r1). attendee(e1, p1).
window(inside, 570, 570). window(at_end, 600, 600). window(until_start, 480, 540).
query(room_busy(_, _, _)). query(room_available(_, inside)). query(room_available(r1, _)).
query(available_room(_, _)).
% expect: room_busy(r1,inside,e1) = 1.0
% expect: room_available(r2,inside) = 1.0
% expect: room_available(r3,inside) = 1.0
% expect: room_available(r1,at_end) = 1.0
% expect: room_available(r1,until_start) = 1.0
% expect: available_room(inside,r2) = 1.0
% expect: available_room(at_end,r1) = 1.0
% expect: available_room(at_end,r2) = 1.0
% expect: available_room(until_start,r1) = 1.0
% expect: available_room(until_start,r2) = 1.0
