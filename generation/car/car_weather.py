"""Whether the weather that a reply foretells is that of the stored forecasts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from frontdesk.generation.checks.claims import Claim, Verdict
from frontdesk.generation.voice.negation import is_denied
from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.car.car_words import (
    KINDS_OF_TEMPERATURE,
    NOT_COLD,
    NOT_WARM,
    PARTS_OF_WEEK,
    PERIOD_PHRASES,
    PERIODS,
    WARM,
    WEATHER_KINDS,
    WEEKDAYS,
    is_weather,
    kinds_of_weather,
    weather_comes_near,
)
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Fact

#: "Snow is not expected", "rain isn't likely".
_DENIED_AFTER = re.compile(r"\W*(?:is|are|was|were|will)(?:n['’]t| not)\b", re.IGNORECASE)
_EVERY = re.compile(r"\b(?:every|each) (?:single )?day\b|\b(?:all|the (?:whole|entire)) week\b",
                    re.IGNORECASE)
_ENDS = r"(?:(?P<high>highs?|highest|maximum)|lows?|lowest|minimum)"
#: "A high of 75F", "the high in Alba on Friday is 75F"; "75F high", "75F as the high".
_END_BEFORE = re.compile(rf"\b{_ENDS}\b:?(?: +(?!(?:and|or|with)\b)\w+){{0,8}} *$", re.IGNORECASE)
_END_BEHIND = re.compile(rf" *(?:(?:as|for|is) the )?{_ENDS}\b", re.IGNORECASE)
_WORSE = (Verdict.SUPPORTED, Verdict.UNSUPPORTED, Verdict.CONTRADICTED)
#: Where what is said of one day ends and what is said of another may begin.
_CLAUSE = re.compile(r"[,;]|\bbut\b|\band\b(?=\W+(?:on|it|then|there|clear|will)\b)", re.IGNORECASE)


class WeatherClaims:
    """Reads what a sentence says of the weather."""

    def __init__(self, base: FactBase) -> None:
        self._base = base
        named = {entity.name for entity in base.entities() if entity.type is CarType.WEATHER}
        kinds = {word for kind in WEATHER_KINDS.values() for word in kind.terms}
        self._words = _any_of(named | kinds)
        self._days = _any_of(entity.name for entity in base.entities()
                             if entity.type in (CarType.DAY, CarType.PERIOD))

    def claims(self, sentence: str, places: Collection[str], said: str = "", *,
               each: bool = False) -> Iterator[tuple[int, int, Claim]]:
        """Each word for weather with its claim.

        What is said of days that are named must be so on each of them, what is said of a stretch
        of days, or of none, on one of them; what is denied must be so on none. What only comes
        near the forecast is unsupported.

        Args:
            places: Ids of the places that it is about.
            said: What the user said last, which may have the days.
            each: Whether what it says is said of each of the places, not of one of them.

        Yields:
            Where the word starts and ends, and the claim.
        """
        known = [fact for place in sorted(places) for fact in self._base.facts_about(place)
                 if fact.predicate in ("forecast", "forecast_note")]
        words = list(self._words.finditer(sentence)) if known else []
        for match in words:
            where = self._part_of(match, words, sentence)
            named = self._days_named(where)
            if _EVERY.search(sentence):
                named = named or self.days_in(sentence) or {
                    str(fact.arguments[1]) for fact in known}
            days = named or self.days_in(where) or self.days_in(sentence) or self.days_in(said)
            forecasts = [fact for fact in known if not days or fact.arguments[1] in days]
            denied = is_denied(sentence, match.start()) \
                or _DENIED_AFTER.match(sentence, match.end()) is not None
            # Of each town and each day that are named, else of some of all.
            parts: dict[tuple[object, object], list[Fact]] = {}
            for fact in forecasts:
                place, day = fact.arguments[:2]
                parts.setdefault((place if each else "", day if day in named else ""),
                                 []).append(fact)
            claims = [self._claim(match.group(), part, denied=denied)
                      for part in parts.values()] or [
                          Claim(match.group(), "weather", Verdict.UNSUPPORTED)]
            yield *match.span(), max(claims, key=lambda claim: _WORSE.index(claim.verdict))

    def _part_of(self, match: re.Match[str], words: Sequence[re.Match[str]],
                 sentence: str) -> str:
        """The part of a sentence that says when a word for weather holds.

        Its clause; of one with several words what follows until the next, or what stands before.
        """
        bounds = [0, *(found.end() for found in _CLAUSE.finditer(sentence)), len(sentence)]
        start = max(bound for bound in bounds if bound <= match.start())
        end = min(bound for bound in bounds if bound >= match.end())
        before = max((each.end() for each in words if start <= each.start() < match.start()),
                     default=start)
        behind = min((each.start() for each in words if match.end() <= each.start() < end),
                     default=end)
        if (before, behind) == (start, end):
            return sentence[start:end]
        after = sentence[match.end():behind]
        return after if self._days.search(after) else sentence[before:match.start()]

    def _claim(self, word: str, forecasts: list[Fact], *, denied: bool) -> Claim:
        has = [fact for fact in forecasts if is_weather(self._condition(fact), word)]
        near = [fact for fact in forecasts if any(weather_comes_near(
            self._condition(fact), kind) for kind in kinds_of_weather(word))]
        if has:
            verdict = Verdict.CONTRADICTED if denied else Verdict.SUPPORTED
        elif near:
            verdict = Verdict.UNSUPPORTED
        elif KINDS_OF_TEMPERATURE.intersection(kinds_of_weather(word)):
            verdict = _by_temperature(word, forecasts, denied=denied)
        else:
            verdict = Verdict.SUPPORTED if denied else Verdict.CONTRADICTED
        return Claim(word, "weather", verdict, self._readable((has or near or forecasts)[0]))

    def _days_named(self, text: str) -> set[str]:
        """Ids of the days that a text names by themselves."""
        names = {match.group().lower() for match in self._days.finditer(text)}
        return {each for each in self._base.of_type(CarType.DAY)
                if self._base.entity(each).name.lower() in names}

    def days_in(self, text: str) -> set[str]:
        """Ids of the days that a text names, those of stretches among them."""
        days = {self._base.entity(each).name.lower(): each
                for each in self._base.of_type(CarType.DAY)}
        today = next((self._base.entity(str(fact.arguments[0])).name.lower()
                      for fact in self._base.facts_of("today")), None)
        names = [match.group().lower() for match in self._days.finditer(text)]
        names.extend(name for pattern, name in PERIOD_PHRASES if pattern.search(text))
        found: set[str] = set()
        for name in names:
            if name in PERIODS and today in WEEKDAYS:
                first, last = PERIODS[name]
                since = WEEKDAYS.index(today)
                found |= {days[day] for offset in range(first, last + 1)
                          if (day := WEEKDAYS[(since + offset) % len(WEEKDAYS)]) in days}
            found |= {days[day] for day in (name, *PARTS_OF_WEEK.get(name, ())) if day in days}
        return found

    def _condition(self, forecast: Fact) -> str:
        condition = str(forecast.arguments[2])
        return (condition if forecast.predicate == "forecast_note"
                else self._base.entity(condition).name).lower()

    def _readable(self, forecast: Fact) -> str:
        place, day = (self._base.entity(str(each)).name for each in forecast.arguments[:2])
        degrees = [str(each) for each in forecast.arguments[3:]]
        return f"{place} on {day}: {self._condition(forecast)}" + (
            f", {' to '.join(degrees)} degrees" if degrees else "")


def which_of_day(text: str, start: int, end: int) -> str:
    """Whether a temperature is said to be the ``high`` or the ``low`` of a day, right beside it.

    Args:
        start, end: Character offsets of the temperature.

    Returns:
        Empty where neither is said.
    """
    before = _END_BEFORE.search(text, 0, start)
    found = before or _END_BEHIND.match(text, end)
    return ("high" if found["high"] else "low") if found else ""


def _by_temperature(word: str, forecasts: list[Fact], *, denied: bool) -> Verdict:
    """Of warmth, which the forecast does not name, the temperatures tell where they are clear."""
    degrees = [each for fact in forecasts for each in fact.arguments[3:] if isinstance(each, int)]
    if not degrees:
        return Verdict.UNSUPPORTED
    if "cold" in kinds_of_weather(word):
        so, not_so = max(degrees) <= NOT_WARM, min(degrees) >= NOT_COLD
    else:
        so, not_so = max(degrees) >= WARM, max(degrees) <= NOT_WARM
    if not so and not not_so:
        return Verdict.UNSUPPORTED
    return Verdict.SUPPORTED if so != denied else Verdict.CONTRADICTED


def _any_of(names: Collection[str] | Iterator[str]) -> re.Pattern[str]:
    ordered = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, ordered)) or '(?!)'})(?!\w)",
                      re.IGNORECASE)
