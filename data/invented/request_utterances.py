"""Invented utterances of people who speak with a receptionist, labelled with their intents.

The patterns are in ``request_utterances.toml``. An utterance has one request or several, perhaps a
greeting before and thanks after, hesitation, and is as somebody writes it, or as a speech
recogniser hears it.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from frontdesk.data.invented.dialogues import speech_noise as noise
from frontdesk.data.invented.dialogues.dialogue_wording import USER, draw
from frontdesk.data.invented.request_values import INVENTED, NAMES
from frontdesk.kg.graph.intents import Intent

__all__ = ["Part", "RequestUtterance", "Way", "invent_utterance", "ways"]

Part = Literal["training", "held out"]

#: Every so many-th pattern of a way is held out; of short lists the last.
_EVERY = 6
#: Shares of utterances that answer what was asked, begin with a greeting or an acknowledgement,
#: have a second request, end in thanks.
_ASKED, _ANSWERS, _OPENED, _ACKNOWLEDGED, _TWICE, _CLOSED = 0.5, 0.7, 0.25, 0.15, 0.22, 0.13
#: Of those that are no answer, but said after a question that yes or no answers, those that begin
#: with it; shares of requests after some words of why, and of utterances with hesitation.
_YES_FIRST, _CONTEXT, _HESITANT = 0.5, 0.06, 0.08
#: Share of utterances with nothing asked before that only greet, thank and the like.
_COURTESY = 0.2
#: Shares of utterances as heard, of small letters among the written ones, of misheard words and
#: names, of words said twice or not heard.
_HEARD, _SMALL, _WORD, _NAME, _LOST = 0.55, 0.35, 0.02, 0.25, 0.015
#: Shares of mentions that nobody finds, and of those that are found where there are none.
_MISSED, _FANCIED = 0.12, 0.02
_SLOT = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"(.)\?(?=[\w ])")
#: A word of a name in the making: these are misheard more often than others.
_MARK = "\u0001"
_ACKNOWLEDGEMENTS = ("okay", "great", "okay great", "alright", "perfect", "good", "and", "also",
                     "so", "ok then", "right", "well", "now", "oh and", "cool")
_HESITATIONS = ("um", "uh", "well", "so", "yeah", "I think", "let me see", "hmm", "please",
                "I mean", "actually", "er", "I'm", "yeah", "just")
_BETWEEN = (" and ", " and ", ", and ", ". ", ". Also ", " and also ", ", ", " and then ",
            ". Then ", " ")
_CLOSINGS = (" please", " thanks", " thank you", " if that's possible", " if possible", " for me")
_THANKS = frozenset({" thanks", " thank you"})
_YES_OR_NO = frozenset({Intent.CONFIRM, Intent.DENY, Intent.THANK})
#: What a value that is given sets.
_SETS = {"date": Intent.SET_DATE, "time": Intent.SET_TIME, "clock": Intent.SET_TIME,
         "minutes": Intent.SET_DURATION, "place": Intent.SET_PLACE, "room": Intent.SET_PLACE,
         "title": Intent.SET_NAME, "people": Intent.INVITE}
#: Of which kind the mention is that a slot leaves.
_MENTIONS = {"date": "time", "time": "time", "clock": "time", "clockname": "time",
             "dayname": "time", "hour": "time", "minutes": "time", "name": "person",
             "first": "person", "last": "person", "me": "person", "roomname": "room",
             "named": "event"}


@dataclass(frozen=True)
class RequestUtterance:
    """An utterance and what it is meant to do.

    Args:
        text: As it is written or heard.
        intents: Several, one or none.
        asked: What the receptionist asked for before; see
            :data:`~frontdesk.kg.models.intent_head.ASKED`.
        time, person, room, event: Whether a mention of that kind was found, which now and then
            is wrong.
    """

    text: str
    intents: frozenset[Intent]
    asked: str = ""
    time: bool = False
    person: bool = False
    room: bool = False
    event: bool = False


@dataclass(frozen=True)
class Way:
    """Patterns that say the same.

    Args:
        intents: That each has.
        patterns: See :mod:`~frontdesk.data.invented.dialogues.dialogue_wording`; one that is listed
        twice
            is drawn twice as often.
        asked: What was asked for before; empty: anything.
        place: ``first``, ``main`` or ``last`` in an utterance of several parts.
        sets: A value given in it adds its intent.
        often: Weight among the ways, beside that of the number of patterns.
    """

    intents: frozenset[Intent]
    patterns: tuple[str, ...]
    asked: tuple[str, ...] = ()
    place: str = "main"
    sets: bool = False
    often: float = 1.0

    def of(self, part: Part) -> Way:
        """With the patterns of one part of them alone; no pattern is in both."""
        distinct = list(dict.fromkeys(self.patterns))
        held_out = set(distinct[_EVERY - 1::_EVERY]) or {distinct[-1]}
        return replace(self, patterns=tuple(pattern for pattern in self.patterns
                                            if (pattern in held_out) is (part == "held out")))


@cache
def _file() -> Mapping[str, Any]:
    text = files(__package__).joinpath("request_utterances.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _values() -> Mapping[str, Sequence[str]]:
    return {name: tuple(patterns) for name, patterns in _file()["values"].items()}


@cache
def ways(part: Part | None = None) -> Mapping[str, Way]:
    """All ways of saying something by name.

    Args:
        part: Of their patterns; None for all.
    """
    found = {name: _way(table, table["patterns"]) for name, table in _file()["ways"].items()}
    found |= {f"simulated {name}": _way({"often": 0.3, **table}, USER[name])
              for name, table in _file()["simulated"].items()}
    return found if part is None else {name: way.of(part) for name, way in found.items()}


def _way(table: Mapping[str, Any], patterns: Sequence[str]) -> Way:
    return Way(frozenset(Intent(each) for each in table["intents"]), tuple(patterns),
               tuple(table.get("asked", ())), table.get("place", "main"),
               table.get("sets", False), table.get("often", 1.0))


def invent_utterance(rng: random.Random, part: Part | None = None, *,
                     asked: Sequence[str]) -> RequestUtterance:
    """One utterance.

    Args:
        rng: All is drawn from it.
        part: Of the patterns; None for all.
        asked: What a receptionist may have asked for before, beside nothing.
    """
    return _Speaker(rng, ways(part)).utterance(
        rng.choice(asked) if rng.random() < _ASKED else "")


class _Speaker:
    """Says one utterance.

    Args:
        rng: All is drawn from it.
        ways: What can be said.
    """

    def __init__(self, rng: random.Random, ways: Mapping[str, Way]) -> None:
        self.rng = rng
        self.ways = list(ways.values())
        self.intents: set[Intent] = set()
        self.mentions: set[str] = set()

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def utterance(self, asked: str) -> RequestUtterance:
        """After ``asked`` was asked for."""
        if asked and self.chance(_ANSWERS) and (answers := [
                way for way in self.ways if asked in way.asked]):
            text = self._say(self._pick(answers))
        elif not asked and self.chance(_COURTESY):
            text = self._say(self._pick([way for way in self.ways
                                         if way.place in ("first", "last")]))
        else:
            text = self._request(asked)
        text = self._around(text, asked)
        text = _heard(text, self.rng) if self.chance(_HEARD) else _written(text, self.rng)
        return RequestUtterance(text, frozenset(self.intents), asked,
                                **{kind: self.chance(1 - _MISSED if kind in self.mentions
                                                     else _FANCIED)
                                   for kind in ("time", "person", "room", "event")})

    def _request(self, asked: str) -> str:
        """Something that was not asked for, perhaps after a yes or no to what was."""
        text = self._say(self._pick([way for way in self.ways if way.place == "main" and (
            not way.asked or asked in way.asked)]))
        if asked and self.chance(_YES_FIRST):
            yes_or_no = [way for way in self.ways if asked in way.asked
                         and way.intents <= _YES_OR_NO]
            if yes_or_no:
                first = self._say(self._pick(yes_or_no))
                text = f"{first}{self.rng.choice((', ', ' ', '. ', ' and ', ' but '))}{text}"
        return text

    def _around(self, text: str, asked: str) -> str:
        """What is said with something else before and after it."""
        if self.chance(_TWICE):
            others = [way for way in self.ways if way.place == "main" and not way.asked]
            between = self.rng.choice(_BETWEEN)
            text = (text.rstrip(".?!") if between[0] in ",." else text) + between + self._say(
                self._pick(others))
        if self.chance(_CONTEXT):
            text = self._before("context", text)
        if not asked and self.chance(_OPENED):
            text = self._before("first", text)
        elif self.chance(_ACKNOWLEDGED):
            text = f"{self.rng.choice(_ACKNOWLEDGEMENTS)}{self.rng.choice((' ', ', '))}{text}"
        if self.chance(_HESITANT):
            text = f"{self.rng.choice(_HESITATIONS)} {text}"
        if not self.chance(_CLOSED):
            return text
        text = text.rstrip(".?! ")
        if self.chance(0.5):
            closing = self.rng.choice(_CLOSINGS)
            self.intents.update({Intent.THANK} if closing in _THANKS else ())
            return text + closing
        return text + self.rng.choice((". ", ", ", " ")) + self._say(self._pick(
            [way for way in self.ways if way.place == "last"]))

    def _before(self, place: str, text: str) -> str:
        first = self._say(self._pick([way for way in self.ways if way.place == place]))
        return f"{first}{self.rng.choice((', ', ' ', '. ', ' and '))}{text}"

    def _pick(self, ways: Sequence[Way]) -> Way:
        # Where there are many patterns there is much to learn.
        return self.rng.choices(ways, [way.often * len(way.patterns) ** 0.5 for way in ways])[0]

    def _say(self, way: Way) -> str:
        self.intents |= way.intents
        # All patterns as often: a head must know the rare ones too.
        pattern = self.rng.choice(_read(way.patterns))
        return " ".join(self._filled(draw(self.rng, (pattern,)), way.sets).split())

    def _filled(self, text: str, sets: bool) -> str:
        return _SLOT.sub(lambda slot: self._slot(slot[1], sets), text)

    def _slot(self, name: str, sets: bool) -> str:
        if name in _MENTIONS:
            self.mentions.add(_MENTIONS[name])
        if name in INVENTED:
            said = INVENTED[name](self.rng)
            text = " ".join(_MARK + word for word in said.split()) if name in NAMES else said
        else:
            text = self._filled(draw(self.rng, _values()[name]), sets)
        if sets and name in _SETS and text:
            self.intents.add(_SETS[name])
        return text


@cache
def _read(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Patterns in which ``,?`` stands for a comma or none."""
    return tuple(_OPTIONAL.sub(r"(\1|)", pattern) for pattern in patterns)


# --- how it is written and heard

def _written(text: str, rng: random.Random) -> str:
    text = text.replace(_MARK, "")
    if rng.random() < _SMALL:
        text = text.lower()
        return noise.as_heard(text) if rng.random() < 0.5 else text
    text = re.sub(r"(?:^|(?<=[.?!] ))[a-z]", lambda match: match[0].upper(), text)
    return text if text[-1:] in ".?!" else text + rng.choice((".", ".", "", "!"))


def _heard(text: str, rng: random.Random) -> str:
    words = []
    for word in noise.as_heard(text).split():
        plain = word.replace(_MARK, "")
        share = _NAME if word.startswith(_MARK) else _WORD
        if rng.random() < share and plain.isalpha():
            plain = noise.misheard(plain, rng)
        elif rng.random() < _LOST:
            plain = rng.choice(("", f"{plain} {plain}"))
        words.append(plain)
    return " ".join(" ".join(words).split()) or noise.UNHEARD
