% program: commonsense.pl
% A window from 9:00 (540) to 10:00 and an instant in it, as minutes; e1 lasts from 9:30 to 9:31.
window(w, 540, 600). window(i, 570, 570). start(e1, 570). end(e1, 571).
query(stretch(_, _, _)). query(during(e1, 540, 600)). query(during(e1, 570, 571)).
query(during(e1, 540, 570)). query(during(e1, 571, 600)).
% expect: stretch(w,540,600) = 1.0
% expect: stretch(i,570,571) = 1.0
% expect: during(e1,540,600) = 1.0
% expect: during(e1,570,571) = 1.0
% expect: nothing matches during(e1,540,570)
% expect: nothing matches during(e1,571,600)
