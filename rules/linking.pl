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
% the string of M (rules/features.py) are certain:
%   exact_name(M, E)                        the same, case and accents aside
%   words_alike(M, E)                       each word of M is spelt somewhat like one of E's
%   same_sound(M, E)                        the words sound the same, one by one
%   jw_similarity_above(M, E, X)            Jaro-Winkler similarity
%   lev_distance_below(M, E, N)             Levenshtein distance
%   name_longer(M, E, N)                    the shorter of both has more than N letters
%   words_covered_above(M, E, X)            share of M's words that the name has
%   name_share_above(M, E, X)               share of the name, by information, that M has
%
% The weights of the string and recency rules start from those that Walker et al. estimated
% (appendix A.1); rules they weighted zero are left out. Similarity counts only for names long
% enough that one letter does not make another name (Beta and Zeta), and whole names are similar
% only if their words are (not "design seminar" and "design workshop").

% --- names

comparable(M, E) :- named(M), type_agrees(M, E).

0.97::refers_to(M, E) :- comparable(M, E), exact_name(M, E).
0.61::refers_to(M, E) :- comparable(M, E), jw_similarity_above(M, E, 0.9), name_longer(M, E, 4),
    words_alike(M, E).
0.30::refers_to(M, E) :- comparable(M, E), jw_similarity_above(M, E, 0.95), name_longer(M, E, 4),
    words_alike(M, E).
0.72::refers_to(M, E) :- comparable(M, E), lev_distance_below(M, E, 2), name_longer(M, E, 5),
    words_alike(M, E).
0.30::refers_to(M, E) :- comparable(M, E), lev_distance_below(M, E, 3), name_longer(M, E, 7),
    words_alike(M, E).
0.55::refers_to(M, E) :- comparable(M, E), same_sound(M, E).
% Part of a name, each word of the mention found in it: "Ines", "the lens meeting".
0.60::refers_to(M, E) :- comparable(M, E), words_covered_above(M, E, 0.99),
    name_share_above(M, E, 0.25).
0.25::refers_to(M, E) :- comparable(M, E), words_covered_above(M, E, 0.49),
    name_share_above(M, E, 0.49).
% Another mention of the same turn has to do with it: "Bo's seminar".
0.50::refers_to(M, E) :- comparable(M, E), words_covered_above(M, E, 0.99), related(M, E).

% --- recency: what the last turns were about

% A topic is mentioned too: 0.27 and 0.13 for any mention, 0.80 and 0.70 for being the topic, in one
% weight, since both rest on the same link.
0.854::recent(M, E) :- topic(M, E, 1).
0.27::recent(M, E) :- mentioned(M, E, 1).
0.739::recent(M, E) :- topic(M, E, 2).
0.13::recent(M, E) :- mentioned(M, E, 2).
0.10::recent(M, E) :- mentioned(M, E, 3).
0.07::recent(M, E) :- mentioned(M, E, 4).
0.05::recent(M, E) :- mentioned(M, E, 5).
0.04::recent(M, E) :- mentioned(M, E, 6).

refers_to(M, E) :- anaphoric(M), type_agrees(M, E), recent(M, E).
0.90::refers_to(M, E) :- anaphoric(M), type_agrees(M, E), mentioned_before(M, E).

% "Anna and Bo of the Optics group are free." "Invite them!"
0.90::refers_to(M, E) :- plural(M), type_agrees(M, E), among_people(M, E, 1).
0.80::refers_to(M, E) :- plural(M), type_agrees(M, E), among_people(M, E, 2).
0.60::refers_to(M, E) :- plural(M), type_agrees(M, E), among_people(M, E, 3).

% --- relations: "its organiser", "her office", "the organiser"

0.95::refers_to(M, E) :- relational(M), value_of_possessor(M, E).

% --- the speaker

0.99::refers_to(M, E) :- first_person(M), is_speaker(E).
