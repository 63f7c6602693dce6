"""Whether to answer, to ask which one is meant, or to say "I don't know": what helps most.

A name fits some entities, each with a probability; with what is left over it means none of them.
Each thing that can be said has an expected utility over what may be meant, and the one with the
highest is said (von Neumann and Morgenstern; for dialogue, Paek and Horvitz, "Conversation as
action under uncertainty", UAI 2000). A question is worth what knowing the answer would change:
where every entity that may be meant has the same answer, nothing, and nothing is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

#: Entities that a question offers at most.
MOST_OPTIONS = 5


@dataclass(frozen=True)
class Utilities:
    """What each outcome is worth to the user; ``default.toml`` says what each means."""

    right_answer: float = 1.0
    wrong_answer: float = -4.0
    mistaken_name: float = -0.4
    unknown: float = 0.0
    question: float = -0.2
    further_option: float = -0.05
    further_answer: float = -0.25
    same_name: float = 0.5
    unrelated: float = 0.05


class Act(StrEnum):
    """What can be done about a name. Of equally good acts the first is preferred."""

    ANSWER = "answer"
    LIST = "list"
    ASK = "ask"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Candidate:
    """An entity that a mention may mean.

    Args:
        entity: Its id.
        probability: P(it is meant), in [0, 1]. Candidates exclude each other.
        answer: What the question would be answered with if it is meant; equal for equal answers.
        name: The name that it would be called by in a question.
        related: P(something else that the user says has to do with it), in [0, 1]: "Bo's seminar".
    """

    entity: str
    probability: float
    answer: Hashable
    name: str
    related: float = 0.0


@dataclass(frozen=True)
class Decision:
    """What to do about a name.

    Args:
        act: The best act.
        entities: Ids of the entities to answer about, or to offer in a question, the most
            probable first.
        utilities: Expected utility of each act that is possible.
        more: How many candidates besides those offered would be worth an option.
    """

    act: Act
    entities: tuple[str, ...]
    utilities: Mapping[Act, float]
    more: int = 0


def decide(candidates: Sequence[Candidate], utilities: Utilities, *,
           elsewhere: float = 0.0) -> Decision:
    """The act with the highest expected utility.

    Args:
        candidates: What may be meant, at least one; their probabilities sum to 1 at most.
        utilities: What outcomes are worth.
        elsewhere: P(another known entity is meant), in [0, 1]. What is left of 1 is the
            probability that nothing known is meant.

    Example:
        >>> bergs = [Candidate("p1", 0.45, "room 1", "Anna Berg"),
        ...          Candidate("p2", 0.45, "room 2", "Anna Holm")]
        >>> decide(bergs, Utilities()).act
        <Act.ASK: 'ask'>
        >>> decide(bergs[:1], Utilities(), elsewhere=0.01).act
        <Act.ASK: 'ask'>
    """
    weighed, elsewhere = _weighed(candidates, utilities, elsewhere)
    weighed.sort(key=lambda each: (-each.probability, each.entity))
    return _Choice(weighed, utilities, elsewhere).best()


class _Choice:
    """The acts that are possible, with their expected utilities.

    Args:
        candidates: The most probable first.
        utilities: What outcomes are worth.
        elsewhere: P(another known entity is meant).
    """

    def __init__(self, candidates: Sequence[Candidate], utilities: Utilities,
                 elsewhere: float) -> None:
        self.candidates, self.worth = candidates, utilities
        self.names = Counter(each.name for each in candidates)
        self.known = sum(each.probability for each in candidates) + elsewhere
        self.nothing = max(0.0, 1 - self.known)
        by_answer: dict[Hashable, list[Candidate]] = {}
        for each in candidates:
            by_answer.setdefault(each.answer, []).append(each)
        self.answers = sorted(by_answer.values(), key=lambda group: -_sum(group))

    def best(self) -> Decision:
        acts: dict[Act, tuple[float, Sequence[Candidate]]] = {
            Act.ANSWER: (self._answering(self.answers[:1]), self.answers[0])}
        listed = [self.answers[:count] for count in range(2, len(self.answers) + 1)]
        if listed:
            best = max(listed, key=self._answering)
            acts[Act.LIST] = (self._answering(best), [each for group in best for each in group])
        asked = [self.candidates[:count]
                 for count in range(1, min(MOST_OPTIONS, len(self.candidates)) + 1)]
        options = max(asked, key=self._asking)
        acts[Act.ASK] = (self._asking(options), options)
        acts[Act.UNKNOWN] = (self.worth.unknown, self.candidates)
        act = max(Act, key=lambda each: acts[each][0] if each in acts else float("-inf"))
        return Decision(act, tuple(each.entity for each in acts[act][1]),
                        {each: utility for each, (utility, _) in acts.items()},
                        self._beyond() if act is Act.ASK else 0)

    def _answering(self, groups: Sequence[Sequence[Candidate]]) -> float:
        """Give one answer after the other, each saying whom it is about."""
        meant = sum(map(_sum, groups))
        return (meant * self.worth.right_answer
                + (self.known - meant) * self.worth.wrong_answer
                + self.nothing * self.worth.mistaken_name
                + (len(groups) - 1) * self.worth.further_answer)

    def _asking(self, options: Sequence[Candidate]) -> float:
        """Offer some of the candidates; who means none of them has not learned anything."""
        chosen = sum(
            each.probability * (self.worth.same_name if self.names[each.name] > 1 else 1.0)
            for each in options)
        return (chosen * self.worth.right_answer + (1 - chosen) * self.worth.unknown
                + self.worth.question
                + max(0, len(options) - 2) * self.worth.further_option)

    def _beyond(self) -> int:
        """Candidates that no option is left for."""
        return sum(each.probability * (self.worth.right_answer - self.worth.unknown)
                   > -self.worth.further_option for each in self.candidates[MOST_OPTIONS:])


def _weighed(candidates: Sequence[Candidate], utilities: Utilities,
             elsewhere: float) -> tuple[list[Candidate], float]:
    """Weigh what else the user says: nobody says "Bo's seminar" of one that Bo has no part in.

    The rules of linking add reasons up, so that a name that fits exactly leaves little for a
    further one to add; what a user says to tell two exact fits apart would be lost.

    Returns:
        The candidates and the probability of other known entities, both conditioned on it.
    """
    if not any(each.related for each in candidates):
        return list(candidates), elsewhere
    weights = [each.probability * (each.related + (1 - each.related) * utilities.unrelated)
               for each in candidates]
    nothing = max(0.0, 1 - elsewhere - _sum(candidates))
    total = sum(weights) + elsewhere + nothing
    return [replace(each, probability=weight / total)
            for each, weight in zip(candidates, weights, strict=True)], elsewhere / total


def _sum(candidates: Iterable[Candidate]) -> float:
    return sum(each.probability for each in candidates)
