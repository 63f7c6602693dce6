"""What mention detection hands to the rest of the turn, and the interface detectors fill."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from frontdesk.kg.graph.schema import ArgumentType, Schema
from frontdesk.kg.graph.windows import Window


class MentionKind(StrEnum):
    """How a mention refers."""

    NAME = "name"               # "Ada Berg", "the lens meeting"
    PRONOUN = "pronoun"         # "it", "her"
    DEFINITE = "definite"       # "the meeting", "that group"
    FIRST_PERSON = "first_person"   # "I", "my"
    RELATION = "relation"       # "the organiser" of something, "her office"
    TIME = "time"               # "noon on the 21st"


@dataclass(frozen=True)
class Mention:
    """A stretch of an utterance that refers to an entity or to a time.

    Args:
        text: As it stands in the utterance.
        start, end: Character offsets, ``utterance[start:end] == text``.
        types: Entity types it can refer to; empty when any.
        relation: For ``RELATION``: the stored predicate whose value is meant.
        possessor: For ``RELATION``: index of the mention in the same utterance whose value is
            meant, None when the possessor is not said ("the organiser").
        window: For ``TIME``: what it means, relative to the turn's now.
        query: The part of the text that names (``Zeta`` of "the Zeta room"); ``text`` if empty.
        probability: In (0, 1]; how sure the detector is.
    """

    text: str
    start: int
    end: int
    kind: MentionKind
    types: frozenset[ArgumentType] = frozenset()
    relation: str = ""
    possessor: int | None = None
    window: Window | None = None
    query: str = ""
    introduces_speaker: bool = False
    probability: float = 1.0

    @property
    def name(self) -> str:
        """What is compared with the names of entities."""
        return self.query or self.text


class DialogueAct(StrEnum):
    """What an utterance does besides asking."""

    GREET = "greet"
    INTRODUCE = "introduce"
    THANK = "thank"
    GOODBYE = "goodbye"
    CONFIRM = "confirm"
    DENY = "deny"
    REQUEST_ACTION = "request_action"
    PLEASANTRY = "pleasantry"
    ASK_HELP = "ask_help"


@dataclass(frozen=True)
class AskedFor:
    """What an utterance asks.

    Args:
        predicates: Those whose facts tell it, each with a score in (0, 1]; the highest is 1.
        types: For each question of which that is known, the types of what answers it.
        restrictions: ``(start, end)`` of names that only say which one another name means: "Bo" in
            "Bo's seminar".
    """

    predicates: Mapping[str, float] = field(default_factory=dict)
    types: tuple[frozenset[ArgumentType], ...] = ()
    restrictions: tuple[tuple[int, int], ...] = ()

    def restricts(self, mention: Mention) -> bool:
        """Whether a mention only says which one another means."""
        return any(start < mention.end and mention.start < end
                   for start, end in self.restrictions)


@dataclass(frozen=True)
class Observation:
    """What is read from one utterance.

    Args:
        text: The utterance, cleaned of control characters.
        mentions: In order of their start.
        asks: It is worded as a question or a request for information.
        notes: What was left out on the way ("only the first 2000 characters were read").
        schema: The predicates that its words can ask for; none by default.
    """

    text: str
    mentions: tuple[Mention, ...] = ()
    acts: frozenset[DialogueAct] = frozenset()
    polar: bool = False
    asks: bool = False
    asked: AskedFor = field(default_factory=AskedFor)
    notes: tuple[str, ...] = ()
    schema: Schema = field(default=Schema("", {}), repr=False, compare=False)

    def windows(self) -> tuple[Window, ...]:
        """The times mentioned, in order."""
        return tuple(mention.window for mention in self.mentions if mention.window)


class MentionDetector(Protocol):
    """Finds mentions in an utterance."""

    def detect(self, text: str, *, now: dt.datetime,
               focus: Sequence[dt.date] = ()) -> Observation:
        """Read an utterance.

        Args:
            text: What the user said or wrote, of any length and content.
            now: Zone-aware present of the turn.
            focus: Days talked about before, the latest first; a bare "at two" means them.

        Returns:
            The observation; a text that cannot be read at all gives one without mentions.
        """
        ...
