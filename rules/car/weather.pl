% The weather of a week: what day it is, what a relative day is like, when and where it will rain.
%
% Stored facts, over ids; temperatures are numbers:
%   today(D), follows(D, E)             D is today, E is the day after D
%   forecast(P, D, C, L, H)             at P on D the weather is C, from L up to H degrees
%   counts_as(C, K)                     weather C is of kind K: drizzle counts as rain
%   comes_near(C, K)                    weather C neither is of kind K nor rules it out: storms, rain
%   stretch(W, M, N)                    W is from M until N days after today: tomorrow is 1, 1
%   has_day(W, D)                       D belongs to W: Saturday to the weekend, Friday to Friday
%
% The paper's rule for this domain (section 4.1) determines today and the weather of a day at a
% place; a relative day is a stretch here, so tomorrow and this week are cases of the same rules.

ahead(D, 0) :- today(D).
ahead(E, N) :- ahead(D, M), M < 6, follows(D, E), N is M + 1.
in_stretch(W, D) :- stretch(W, M, N), ahead(D, A), M =< A, A =< N.
in_stretch(W, D) :- has_day(W, D).
relative_day(W, D) :- stretch(W, N, N), ahead(D, N).

weather_then(P, W, D, C, L, H) :- in_stretch(W, D), forecast(P, D, C, L, H).
known(P, W) :- weather_then(P, W, _, _, _, _).
will_be(P, K, W, D) :- counts_as(C, K), weather_then(P, W, D, C, _, _).
nearly_be(P, K, W, C, D) :- comes_near(C, K), weather_then(P, W, D, C, _, _),
    \+ will_be(P, K, W, _).
will_not_be(P, K, W) :- known(P, W), \+ will_be(P, K, W, _), \+ nearly_be(P, K, W, _, _).

% --- hottest and coldest days and places

hotter_day(P, W, H) :- weather_then(P, W, _, _, _, X), X > H.
hottest_day(P, W, D, H) :- weather_then(P, W, D, _, _, H), \+ hotter_day(P, W, H).
colder_day(P, W, L) :- weather_then(P, W, _, _, X, _), X < L.
coldest_day(P, W, D, L) :- weather_then(P, W, D, _, L, _), \+ colder_day(P, W, L).
hottest_place(W, P, H) :- weather_then(P, W, _, _, _, H), \+ hotter_day(_, W, H).
coldest_place(W, P, L) :- weather_then(P, W, _, _, L, _), \+ colder_day(_, W, L).
