% program: linking.pl
% Name features, relatedness and topics say nothing about a mention that is of no kind.
type_agrees(m, e). exact_name(m, e). same_sound(m, e). related(m, e).
topic(m, e, 1). mentioned_before(m, e). value_of_possessor(m, e). is_speaker(e).
query(refers_to(m, e)). query(comparable(m, e)).
% expect: nothing matches refers_to(m,e)
% expect: nothing matches comparable(m,e)
