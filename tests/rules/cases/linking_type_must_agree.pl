% program: linking.pl
% An exact name, and a pronoun for the last topic, of the wrong type: neither refers.
named(m). exact_name(m, e).
anaphoric(p). topic(p, e, 1). mentioned_before(p, e). related(p, e).
query(refers_to(_, _)). query(comparable(_, _)).
% expect: nothing matches refers_to(_,_)
% expect: nothing matches comparable(_,_)
