% program: actions.pl
% Who may book and change: members book, assistants do everything, attendees change what has no
% organiser. Each state of an action by itself.
member(p). assistant(s). organizer(e, p). attendee(f, q).
action(a, message). has(a, speaker).
action(b, cancel). by(b, q). about(b, e). has(b, event). has(b, speaker).
action(c, message). has(c, recipient). has(c, message). has(c, speaker).
action(d, message). has(d, recipient). has(d, message). has(d, speaker).
takes(d, x, 1, 2). engaged(x, g, 1, 2).
query(may_book(_)). query(may_change(_, e)). query(may_change(_, f)).
query(refused(_)). query(blocked(_)). query(incomplete(_)). query(ready(_)).
query(missing(a, _, _)). query(known(c, recipient)). query(in_series(b)).
% expect: may_book(p) = 1.0
% expect: may_book(s) = 1.0
% expect: may_change(p,e) = 1.0
% expect: may_change(s,e) = 1.0
% expect: may_change(q,f) = 1.0
% expect: may_change(s,f) = 1.0
% expect: refused(b) = 1.0
% expect: blocked(d) = 1.0
% expect: incomplete(a) = 1.0
% expect: ready(c) = 1.0
% expect: missing(a,recipient,1) = 1.0
% expect: missing(a,message,2) = 1.0
% expect: known(c,recipient) = 1.0
% expect: nothing matches in_series(b)
