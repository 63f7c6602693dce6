% Entity linking: does mention M of the newest turn refer to entity E?
%
% One pair (M, E) is judged at a time. The evidence is about ids, never about words of the user:
%   named(M), anaphoric(M), first_person(M), relational(M)   how M refers
%   type_agrees(M, E)           E is of a type that M can refer to
%   topic(M, E, D)              the turn D turns before the one of M is mainly about E
%   mentioned(M, E, D)          that turn mentions E in passing, or is too long ago for a topic
%   plural(M)                   M means several: "them"
%   among_people(M, E, D)       E is one of several people whom the turn D turns before mentions
%   mentioned_before(M, E)      something before M in the same turn refers to E
%   value_of_possessor(M, E)    E is the relation's value for the possessor: "her office"
%   related(M, E)               another mention of the turn refers to something that has a stored
%                               fact with E
%   is_speaker(E)               the user is E
% Each may be uncertain: earlier links enter with their probability. Features of the name of E and
% the string of M (rules/linking/features.py) are certain:
%   exact_name(M, E)                        the same, case and accents aside
%   words_alike(M, E)                       each word of M is like one of E's
%   same_sound(M, E)                        the words sound the same, one by one
%   jw_similarity_above(M, E, X)            Jaro-Winkler similarity
%   lev_distance_below(M, E, N)             Levenshtein distance
%   name_longer(M, E, N)                    the shorter of both has more than N letters
%   words_covered_above(M, E, X)            share of M's words that the name has
%   name_share_above(M, E, X)               share of the name, by information, that M has
%
% The weights stand in linking_weights.pl, by the name of the rule; what a rule means in words, for
% whoever asks why, stands in reason/2 beside it. Rules that Walker et al. (appendix A.1) weighted
% zero are left out. Similarity counts only for names long enough that one letter does not make
% another name (Beta and Zeta), and whole names are similar only if their words are (not "design
% seminar" and "design workshop").

:- consult('linking_weights.pl').

% --- names

comparable(M, E) :- named(M), type_agrees(M, E).

reason(exact_name, "the names are the same").
W::refers_to(M, E) :- weight(exact_name, W),
    comparable(M, E), exact_name(M, E).

reason(similar_name, "the names are spelt alike").
W::refers_to(M, E) :- weight(similar_name, W),
    comparable(M, E), jw_similarity_above(M, E, 0.9), name_longer(M, E, 4), words_alike(M, E).

reason(very_similar_name, "the names are spelt very much alike").
W::refers_to(M, E) :- weight(very_similar_name, W),
    comparable(M, E), jw_similarity_above(M, E, 0.95), name_longer(M, E, 4), words_alike(M, E).

reason(one_letter_off, "the names differ by one letter at most").
W::refers_to(M, E) :- weight(one_letter_off, W),
    comparable(M, E), lev_distance_below(M, E, 2), name_longer(M, E, 5), words_alike(M, E).

reason(two_letters_off, "the names differ by two letters at most").
W::refers_to(M, E) :- weight(two_letters_off, W),
    comparable(M, E), lev_distance_below(M, E, 3), name_longer(M, E, 7), words_alike(M, E).

reason(same_sound, "the names sound the same").
W::refers_to(M, E) :- weight(same_sound, W),
    comparable(M, E), same_sound(M, E).

% Each word of the mention is found in the name: "Ines", "the lens meeting".
reason(part_of_name, "all words said are in the name").
W::refers_to(M, E) :- weight(part_of_name, W),
    comparable(M, E), words_covered_above(M, E, 0.99), name_share_above(M, E, 0.25).

reason(some_of_name, "much of the name is among the words said").
W::refers_to(M, E) :- weight(some_of_name, W),
    comparable(M, E), words_covered_above(M, E, 0.49), name_share_above(M, E, 0.49).

% Another mention of the same turn has to do with it: "Bo's seminar".
reason(part_of_related_name, "it has to do with something else in the turn").
W::refers_to(M, E) :- weight(part_of_related_name, W),
    comparable(M, E), words_covered_above(M, E, 0.99), related(M, E).

% --- recency: what the last turns were about

% A topic is mentioned too: its weight holds both, since both rest on the same link.
reason(topic_1, "the turn before was about it").
W::recent(M, E) :- weight(topic_1, W), topic(M, E, 1).
reason(mentioned_1, "mentioned in the turn before").
W::recent(M, E) :- weight(mentioned_1, W), mentioned(M, E, 1).
reason(topic_2, "the conversation was about it two turns before").
W::recent(M, E) :- weight(topic_2, W), topic(M, E, 2).
reason(mentioned_2, "mentioned two turns before").
W::recent(M, E) :- weight(mentioned_2, W), mentioned(M, E, 2).
reason(mentioned_3, "mentioned three turns before").
W::recent(M, E) :- weight(mentioned_3, W), mentioned(M, E, 3).
reason(mentioned_4, "mentioned four turns before").
W::recent(M, E) :- weight(mentioned_4, W), mentioned(M, E, 4).
reason(mentioned_5, "mentioned five turns before").
W::recent(M, E) :- weight(mentioned_5, W), mentioned(M, E, 5).
reason(mentioned_6, "mentioned six turns before").
W::recent(M, E) :- weight(mentioned_6, W), mentioned(M, E, 6).

refers_to(M, E) :- anaphoric(M), type_agrees(M, E), recent(M, E).

reason(mentioned_before, "mentioned earlier in the same turn").
W::refers_to(M, E) :- weight(mentioned_before, W),
    anaphoric(M), type_agrees(M, E), mentioned_before(M, E).

% "Anna and Bo of the Optics group are free." "Invite them!"
reason(people_1, "one of the people of the turn before").
W::refers_to(M, E) :- weight(people_1, W), plural(M), type_agrees(M, E), among_people(M, E, 1).
reason(people_2, "one of the people of two turns before").
W::refers_to(M, E) :- weight(people_2, W), plural(M), type_agrees(M, E), among_people(M, E, 2).
reason(people_3, "one of the people of three turns before").
W::refers_to(M, E) :- weight(people_3, W), plural(M), type_agrees(M, E), among_people(M, E, 3).

% --- relations: "its organiser", "her office", "the organiser"

reason(value_of_possessor, "it is what the words say of their owner").
W::refers_to(M, E) :- weight(value_of_possessor, W), relational(M), value_of_possessor(M, E).

% --- the speaker

reason(speaker, "this is who is speaking").
W::refers_to(M, E) :- weight(speaker, W), first_person(M), is_speaker(E).
