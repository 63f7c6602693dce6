"""What a dialogue teaches about linking: interpretations of (mention, entity) pairs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from frontdesk.rules.linking.interpretations import Interpretation
from frontdesk.rules.linking.linked import LinkedMention


class Source(StrEnum):
    """Where a dialogue is from, and what is observed of it.

    ``GRAPHWOZ``: annotated mentions. ``REDUCED``: what the reference reply names.
    ``CONVERSATION``: what the user chose when asked.
    """

    GRAPHWOZ = "graphwoz"
    REDUCED = "reduced"
    CONVERSATION = "conversation"


@dataclass(frozen=True)
class DialogueExamples:
    """The interpretations of one dialogue.

    Args:
        dialogue: Unique over all data: file name and id.
        interpretations: Of its pairs, each observed true or false.
        unobserved: How many mentions with candidates were left out, since nothing tells what they
            refer to.
    """

    dialogue: str
    source: Source
    interpretations: tuple[Interpretation, ...]
    mentions: int
    unobserved: int

    def to_json(self) -> dict[str, Any]:
        """As JSON, exact to the last bit."""
        return {"dialogue": self.dialogue, "source": self.source.value,
                "mentions": self.mentions, "unobserved": self.unobserved,
                "pairs": [[each.refers, [[*key, value] for key, value in each.evidence.items()]]
                          for each in self.interpretations]}

    @classmethod
    def from_json(cls, data: Any) -> DialogueExamples:
        """What :meth:`to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: It is something else.
        """
        found = tuple(Interpretation({(predicate, constant): float(value)
                                      for predicate, constant, value in evidence}, refers)
                      for refers, evidence in data["pairs"])
        return cls(data["dialogue"], Source(data["source"]), found, data["mentions"],
                   data["unobserved"])


def pairs(linked: LinkedMention, meant: Collection[str], unknown: Collection[str] = ()
          ) -> list[Interpretation]:
    """The pairs of a mention with every candidate that was considered for it.

    Args:
        meant: Ids of the entities that it refers to; all other candidates are not meant.
        unknown: Ids of candidates of which it is not known; they are left out.
    """
    return [Interpretation({key: value for key, value in evidence.items() if value > 0},
                           entity in meant)
            for entity, evidence in linked.evidence.items() if entity not in unknown]
