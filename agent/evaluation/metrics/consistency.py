"""Whether a reply is consistent with the question, with the dialogue before it, and with a table.

The three questions of CI-ToD (Qin et al., *Don't be Contradicted with Anything!*, EMNLP 2021). A
reply is read into values of the table's columns; how they lie to those of the question, of the
dialogue and of the table's rows are features, and for each question a model of boosted trees has
learned from labelled replies which of them tell of an inconsistency.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from frontdesk.data.datasets.ci_tod import LABELS, LabelledReply
from frontdesk.generation.voice.negation import is_denied
from frontdesk.kg.car.car_words import (
    PERIODS,
    WEATHER_KINDS,
    WEEKDAYS,
    is_weather,
    kinds_of_weather,
)
from frontdesk.kg.graph.errors import InputError

#: What a reply can be inconsistent with, in the order of CI-ToD's labels.
KINDS = tuple(LABELS.values())

#: The part that a column plays: what is spoken of, its kind, when it is, or what is said of it.
_ROLES = {"event": "subject", "poi": "subject", "location": "subject", "poi_type": "kind",
          "date": "when", "time": "when"}
_ROLE_NAMES = ("subject", "kind", "when", "value")
#: Words that ask for a column.
_ASKED = {
    "time": "time when hour", "date": "date day when", "agenda": "agenda about purpose",
    "party": "who party parties attending attend with whom", "room": "where location room",
    "address": "address where located", "distance": "far distance miles close",
    "traffic_info": "traffic", "poi": "where nearest closest find",
    "temperature": "temperature hot cold high low highest lowest"}
#: Words of questions and of replies whose presence is a feature: the most frequent ones of what is
#: learned from.
_MOST_WORDS = 40
_NEAREST = frozenset({"nearest", "closest"})
#: Values that are known by their form. Both temperatures of a forecast are of one column.
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("time", re.compile(r"\b\d{1,2}(?::\d{2})? ?[ap]\.?m\b")),
    ("distance", re.compile(r"\b\d+ miles?\b")),
    ("temperature", re.compile(r"-?\b\d+ ?f\b")),
    ("date", re.compile(r"\b(?:the )?\d{1,2}(?:st|nd|rd|th)\b")))
_ONE_COLUMN = {"low_temperature": "temperature", "high_temperature": "temperature",
               "weather_attribute": "weather"}


@dataclass(frozen=True)
class _Value:
    """A value in a text: its column, its words, and whether it is denied."""

    column: str
    text: str
    denied: bool = False

    @property
    def role(self) -> str:
        return _ROLES.get(self.column, "value")


class ConsistencyChecker:
    """Finds inconsistent replies."""

    def __init__(self, *, seed: int = 0) -> None:
        self._seed = seed
        self._lexicon: dict[str, str] = _lexicon(())
        self._said: tuple[str, ...] = ()
        self._heard: tuple[str, ...] = ()
        self._names: tuple[str, ...] = ()
        self._models: dict[str, Any] = {}

    def fit(self, cases: Sequence[LabelledReply]) -> None:
        """Learn from labelled replies.

        Raises:
            InputError: There is nothing to tell apart.
        """
        from sklearn.ensemble import HistGradientBoostingClassifier

        self._lexicon = _lexicon(cases)
        self._said = _frequent(case.turns[-1][1] for case in cases)
        self._heard = _frequent(case.turns[-2][1] for case in cases if len(case.turns) > 1)
        features = [self.features(case) for case in cases]
        self._names = tuple(features[0]) if features else ()
        matrix = self._matrix(features)
        for kind in KINDS:
            wrong = [kind in case.inconsistent for case in cases]
            if len(set(wrong)) < 2:
                raise InputError(f"of the replies to learn from, all or none are inconsistent with "
                                 f"the {kind}", remedy="Give replies of both sorts")
            model = HistGradientBoostingClassifier(max_iter=200, learning_rate=0.05,
                                                   l2_regularization=1.0, random_state=self._seed)
            self._models[kind] = model.fit(matrix, wrong)

    def probabilities(self, cases: Sequence[LabelledReply]) -> npt.NDArray[np.float64]:
        """How probably each reply is inconsistent, ``(n_cases, 3)`` in the order of KINDS.

        Raises:
            InputError: Nothing was learned.
        """
        if not self._models:
            raise InputError("the checker of consistency has learned nothing",
                             remedy="Call fit before probabilities")
        if not cases:
            return np.zeros((0, len(KINDS)))
        matrix = self._matrix([self.features(case) for case in cases])
        return np.stack([self._models[kind].predict_proba(matrix)[:, 1] for kind in KINDS], axis=1)

    def _matrix(self, features: Sequence[Mapping[str, float]]) -> npt.NDArray[np.float64]:
        return np.array([[float(each[name]) for name in self._names] for each in features])

    def features(self, case: LabelledReply) -> dict[str, float]:
        """How the values of a reply lie to those of what it is checked against, by name."""
        words = {**{f"says {word}": float(word in _words(case.turns[-1][1]))
                    for word in self._said},
                 **{f"hears {word}": float(len(case.turns) > 1 and word in _words(
                     case.turns[-2][1])) for word in self._heard}}
        return words | _Comparison(case, _ValueReader(case.rows, self._lexicon)).features()


class _ValueReader:
    """Finds the values of columns in texts."""

    def __init__(self, rows: Iterable[Mapping[str, str]], lexicon: Mapping[str, str]) -> None:
        self._column = dict(lexicon)
        for row in rows:
            self._column.update({value: _column(name) for name, value in row.items()})
        known = sorted(self._column, key=lambda each: (-len(each), each))
        self._known = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, known)) or '(?!)'})(?!\w)")

    def values(self, text: str) -> list[_Value]:
        """The values of a text, as they stand in it."""
        found, rest = [], text
        for match in self._known.finditer(text):
            column = self._column[match.group()]
            found.append((match.start(), _Value(column, _canonical(column, match.group()),
                                                is_denied(text, match.start()))))
            rest = rest[:match.start()] + "_" * len(match.group()) + rest[match.end():]
        for column, pattern in _FORMS:
            found += [(match.start(), _Value(column, match.group(),
                                             is_denied(text, match.start())))
                      for match in pattern.finditer(rest)]
        return [value for _, value in sorted(found, key=lambda each: each[0])]


class _Comparison:
    """The features of one case."""

    def __init__(self, case: LabelledReply, reader: _ValueReader) -> None:
        self.case = case
        *before, (_, self.reply) = case.turns
        self.question = before[-1][1] if before else ""
        self.said = [(speaker, reader.values(text)) for speaker, text in before[:-1]]
        self.asked = reader.values(self.question)
        self.stated = list(dict.fromkeys(reader.values(self.reply)))
        self.rows = [frozenset(_canonical(_column(name), value) for name, value in row.items())
                     for row in case.rows]
        self.history = [value for _, values in self.said for value in values]

    def features(self) -> dict[str, float]:
        own = [values for speaker, values in self.said if speaker == self.case.turns[-1][0]]
        sources = {
            "question": self.asked, "history": self.history,
            "own": [value for values in own for value in values],
            "last": own[-1] if own else [], "before": self.history + self.asked}
        result: dict[str, float] = {
            "turns": len(self.case.turns), "rows": len(self.rows) > 0,
            "stated": len(self.stated), "asked": len(self.asked), "said": len(self.history)}
        for name, values in sources.items():
            result |= {f"{name} {key}": number for key, number in self._against(values).items()}
        for part in (self._in_table(), self._anchored(), self._kinds(), self._requested(),
                     self._weather()):
            result |= part
        return result

    def _against(self, source: Sequence[_Value]) -> dict[str, float]:
        """How many values the same columns share with a source, and how many differ."""
        result: dict[str, float] = {}
        totals = {"same": 0, "other": 0, "left out": 0}
        columns = [*_ROLES, "room", "agenda", "party", "address", "distance", "traffic_info",
                   "weather", "temperature"]
        by_role = {(role, key): 0 for role in _ROLE_NAMES for key in totals}
        for column in columns:
            there = {value.text for value in source if value.column == column}
            here = {value.text for value in self.stated if value.column == column}
            numbers = {"same": len(there & here), "other": len(here - there) if there else 0,
                       "left out": len(there - here) if here else 0}
            for key, number in numbers.items():
                result[f"{column} {key}"] = number
                totals[key] += number
                by_role[_ROLES.get(column, "value"), key] += number
        return result | totals | {f"{role} {key}": number
                                  for (role, key), number in by_role.items()}

    def _in_table(self) -> dict[str, float]:
        """How far one row of the table has all that is stated together."""
        wrong = max(0.0, self._weather()["weather wrong"])
        texts = [value.text for value in self.stated if not value.denied]
        known = {text for row in self.rows for text in row}
        before = {value.text for value in (*self.history, *self.asked)}
        pairs = [(one, other) for one, other in combinations(self.stated, 2)
                 if one.column != other.column and not one.denied and not other.denied]
        apart = [pair for pair in pairs
                 if not any({each.text for each in pair} <= row for row in self.rows)]
        best = max((sum(text in row for text in texts) for row in self.rows), default=0)
        wanted = {*texts, *(value.text for value in self.asked if value.role != "value")}
        together = max((len(wanted & row) for row in self.rows), default=0)
        return {
            "not in table": sum(text not in known for text in texts),
            "from nowhere": sum(text not in known and text not in before for text in texts),
            "new": sum(text not in before for text in texts),
            "pairs": len(pairs), "pairs apart": len(apart) + wrong,
            "share apart": (len(apart) + wrong) / max(1, len(pairs)),
            "outside of best row": len(texts) - best + wrong,
            "share of best row": best / max(1, len(texts)),
            "outside with question": len(wanted) - together}

    def _anchored(self) -> dict[str, float]:
        """Whether what is stated is so of what was spoken of last."""
        result: dict[str, float] = {}
        for column in ("event", "poi", "poi_type", "location", "date"):
            last = next((value.text for value in reversed((*self.history, *self.asked))
                         if value.column == column), "")
            others = [value.text for value in self.stated
                      if value.column != column and not value.denied]
            measured = last and all(value.column != column for value in self.stated)
            rows = [row for row in self.rows if last in row]
            best = max((sum(each in row for each in others) for row in rows), default=0)
            bad = sum(not any(each in row for row in rows) for each in others)
            result |= {f"{column} of": len(others) if measured else -1,
                       f"{column} of no row": bad if measured else -1,
                       f"{column} outside of best row": len(others) - best if measured else -1}
        return result

    def _kinds(self) -> dict[str, float]:
        """Whether what is stated is of the kind that was asked for, and the nearest of it."""
        kind_of = {row[name]: row["poi_type"] for row in self.case.rows if "poi_type" in row
                   for name in ("poi", "address") if name in row}

        def kinds(values: Iterable[_Value], columns: Sequence[str] = ("poi",)) -> set[str]:
            return {kind_of.get(value.text, "") if value.column in columns else value.text
                    for value in values if value.column in (*columns, "poi_type")} - {""}

        here, there, before = kinds(self.stated), kinds(self.asked), kinds(self.history)
        at = kinds([value for value in self.stated if value.column == "address"], ("address",))
        miles: dict[str, list[tuple[int, str]]] = {}
        for row in self.case.rows:
            number = re.match(r"\d+", row.get("distance", ""))
            if number and "poi_type" in row and "poi" in row:
                miles.setdefault(row["poi_type"], []).append((int(number[0]), row["poi"]))
        farther = [value.text != min(miles[kind])[1] for value in self.stated
                   if value.column == "poi" and (kind := kind_of.get(value.text, "")) in miles]
        near = bool(_NEAREST & {*_words(self.question), *_words(self.reply)})
        return {"kind of question": bool(here & there), "kind of history": bool(here & before),
                "not kind of question": bool(here and there and not here & there),
                "not kind of history": bool(here and before and not here & before),
                "address of other kind": bool(at and there | before and not at & (there | before)),
                "not the nearest": sum(farther) if near and farther else -1}

    def _requested(self) -> dict[str, float]:
        """Which columns the question asks for, and whether the reply has them."""
        words = set(_words(self.question))
        result: dict[str, float] = {}
        missing = given = 0
        for column, cues in _ASKED.items():
            asked = not words.isdisjoint(cues.split())
            has = any(value.column == column for value in self.stated)
            result |= {f"asks {column}": asked, f"states {column}": has,
                       f"owes {column}": asked and not has}
            missing, given = missing + (asked and not has), given + (asked and has)
        return result | {"owes": missing, "gives": given}

    def _weather(self) -> dict[str, float]:
        """Whether the rows of the place and day have the weather that is stated or denied."""
        def last(column: str) -> set[str]:
            for values in (self.stated, self.asked, self.history):
                found = {value.text for value in values if value.column == column}
                if found:
                    return found
            return set()

        places, days = last("location"), last("date") & set(WEEKDAYS)
        rows = [row for row in self.case.rows if row.get("location") in places
                and (not days or row.get("date") in days)]
        wrong = right = 0
        for value in self.stated if rows else ():
            if value.column == "weather":
                so = any(is_weather(row.get("weather_attribute", ""), value.text)
                         for row in rows)
                wrong, right = wrong + (so == value.denied), right + (so != value.denied)
        return {"weather wrong": wrong if rows else -1, "weather right": right if rows else -1}


def _lexicon(cases: Iterable[LabelledReply]) -> dict[str, str]:
    """Values whose column is known: those of tables, days, and words for weather."""
    lexicon = {value: _column(name) for case in cases for row in case.rows
               for name, value in row.items()}
    for kind in WEATHER_KINDS.values():
        lexicon |= dict.fromkeys((kind.name, *kind.terms, *kind.asked), "weather")
    return lexicon | dict.fromkeys((*WEEKDAYS, *PERIODS), "date")


def _frequent(texts: Iterable[str]) -> tuple[str, ...]:
    """The words that the most texts have."""
    counts = Counter(word for text in texts for word in set(_words(text)))
    return tuple(sorted(counts, key=lambda word: (-counts[word], word))[:_MOST_WORDS])


def _canonical(column: str, text: str) -> str:
    """A value with one form for all inflections of a word for weather: rain, rainy, raining."""
    if column != "weather":
        return text
    return next(iter(kinds_of_weather(text)), text)


def _column(name: str) -> str:
    return _ONE_COLUMN.get(name, name)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
