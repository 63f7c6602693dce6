% program: access.pl
% What a role is shown: an employee sees an open event and is told phone numbers.
viewer(v). role(v, employee). shows(employee, titles). shows(employee, phone). event(e).
query(sees(v, e)). query(tells(v, _)). query(guarded(email)).
% expect: sees(v,e) = 1.0
% expect: tells(v,phone) = 1.0
% expect: guarded(email) = 1.0
