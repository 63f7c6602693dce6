% The weights of the rules of linking.pl: the probability that a rule whose body holds makes its head
% true. Set by hand; those of the string and recency rules start from what Walker et al. estimated
% (appendix A.1). Of topic_1 and topic_2, 0.27 and 0.13 are for any mention and 0.80 and 0.70 for
% being the topic. `frontdesk train linking` writes a file of this form.

weight(exact_name, 0.97).
weight(similar_name, 0.61).
weight(very_similar_name, 0.30).
weight(one_letter_off, 0.72).
weight(two_letters_off, 0.30).
weight(same_sound, 0.55).
weight(part_of_name, 0.60).
weight(some_of_name, 0.25).
weight(part_of_related_name, 0.50).
weight(topic_1, 0.854).
weight(mentioned_1, 0.27).
weight(topic_2, 0.739).
weight(mentioned_2, 0.13).
weight(mentioned_3, 0.10).
weight(mentioned_4, 0.07).
weight(mentioned_5, 0.05).
weight(mentioned_6, 0.04).
weight(mentioned_before, 0.90).
weight(people_1, 0.90).
weight(people_2, 0.80).
weight(people_3, 0.60).
weight(value_of_possessor, 0.95).
weight(speaker, 0.99).
