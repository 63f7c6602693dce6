% program: linking.pl
% A misspelt long name: similar twice, one edit, same sound, half the words.
% 1 - 0.39 * 0.70 * 0.28 * 0.70 * 0.45 * 0.75 = 1 - 0.01805895 = 0.98194105
%   0.39*0.70 = 0.273; *0.28 = 0.07644; *0.70 = 0.053508; *0.45 = 0.0240786; *0.75 = 0.01805895
named(m). type_agrees(m, e). words_alike(m, e).
jw_similarity_above(m, e, 0.9). jw_similarity_above(m, e, 0.95).
lev_distance_below(m, e, 2). lev_distance_below(m, e, 3).
name_longer(m, e, 4). name_longer(m, e, 5). name_longer(m, e, 7).
same_sound(m, e). words_covered_above(m, e, 0.49). name_share_above(m, e, 0.49).
query(refers_to(m, e)).
% expect: refers_to(m,e) = 0.98194105
