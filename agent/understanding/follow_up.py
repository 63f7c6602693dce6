"""Follow-ups in domains without forms, as the car, turned into the question that they make.

"The second" chooses what the agent asked back, "and in Lindow?" asks the last question again with
another name in it, "the one with Alex" with one more.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from frontdesk.agent.domains.domain_pack import Components
from frontdesk.kg.english.cues import found_cues
from frontdesk.kg.english.lexicon import is_only_names
from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.dialogue_graph import AGENT, USER, DialogueGraph
from frontdesk.kg.graph.mentions import Mention, MentionKind, Observation

_ELLIPSIS = re.compile(r"^\W*(?:(?:ok(?:ay)?|thanks|great|alright)\W+)?(?:and|what about|how about|"
                       r"and what about|and how about|or|then(?=\W+\w))\b", re.IGNORECASE)
#: One of those that the answer before has named: "the one with Alex".
_THE_ONE = re.compile(r"\W*(?:the|that) one\s+((?:by|of|from|with|in|at|on)\b.+)", re.IGNORECASE)
_POSITIONS = {"first": 0, "former": 0, "second": 1, "latter": -1, "third": 2, "fourth": 3,
              "fifth": 4, "last": -1, "1": 0, "2": 1, "3": 2, "4": 3, "5": 4}
_ORDINAL = re.compile(rf"\W*(?:the\s+|number\s+)?({'|'.join(_POSITIONS)})(?:\s+one)?"
                      r"(?:\W+please)?\W*", re.IGNORECASE)
_REFERRING = (MentionKind.NAME, MentionKind.PRONOUN, MentionKind.DEFINITE)
#: ``(start, end)`` of words in a question.
Place = tuple[int, int]


@dataclass(frozen=True)
class FullQuestion:
    """What an utterance asks.

    Args:
        text: The question in words that need no earlier turn.
        chosen: Ids of the entities that the user chose when asked back, by the ``(start, end)`` of
            their names in the text.
    """

    text: str
    chosen: Mapping[Place, str] = field(default_factory=dict)

    def settles(self, mentions: Sequence[Mention]) -> dict[int, str]:
        """The entities chosen, by the positions of the mentions that mean them."""
        found: dict[int, str] = {}
        for (start, end), entity in self.chosen.items():
            shared = {position: min(end, mention.end) - max(start, mention.start)
                      for position, mention in enumerate(mentions)
                      if mention.kind is MentionKind.NAME}
            best = max(shared, key=lambda position: shared[position], default=None)
            if best is not None and shared[best] > 0:
                found[best] = entity
        return found


def full_question(graph: DialogueGraph, domain: Components, said: Observation, now: dt.datetime
                  ) -> FullQuestion:
    """What an utterance asks, in words that need no earlier turn.

    Args:
        domain: Detects mentions and knows the names.
        now: Zone-aware present.

    Returns:
        The question; the utterance itself when it stands alone.
    """
    user = next((turn for turn in reversed(graph.turns) if graph.speaker(turn) == USER), None)
    if user is None or found_cues(said, domain.schema) - domain.schema.filler_cues:
        return FullQuestion(said.text)
    last, before = graph.turns[-1], graph.question(user)[0]
    if graph.speaker(last) == AGENT:
        pending, options = graph.question(last)
        place, chosen = graph.place_asked(last), _chosen(domain, said, options)
        if chosen is not None:
            return _with_name(pending, place, domain.kb.entity(chosen).name, chosen)
        names = _names(said)
        if pending and place and len(names) == 1 and is_only_names(said.text, names):
            return _with_name(pending, place, names[0].text)
    if _ELLIPSIS.match(said.text):
        return FullQuestion(_with_replacement(domain, before, said, now))
    one = _THE_ONE.match(said.text)
    return FullQuestion(f"{before.rstrip(' ?.!')} {one[1]}" if one else said.text)


def _chosen(domain: Components, said: Observation, options: tuple[str, ...]) -> str | None:
    """The option that the user picks, None when none is."""
    names = _names(said)
    for mention in names:
        words = {word.text for word in split_words(mention.name)}
        fitting = [option for option in options if words <= {
            word.text for word in split_words(domain.kb.entity(option).name)}]
        if len(fitting) == 1:
            return fitting[0]
    match = _ORDINAL.fullmatch(said.text)
    if match and not names:
        position = _POSITIONS[match[1].lower()]
        if -len(options) <= position < len(options):
            return options[position]
    return None


def _names(said: Observation) -> list[Mention]:
    return [mention for mention in said.mentions if mention.kind is MentionKind.NAME]


def _with_name(question: str, place: Place | None, name: str, chosen: str | None = None
               ) -> FullQuestion:
    """A question that was asked back about with a name where the unclear one was.

    Args:
        place: Of the unclear name; None when that is not known, and nothing is replaced.
        chosen: Id of the entity that the user chose, if any.
    """
    if place is None:
        return FullQuestion(question)
    start, end = place
    return FullQuestion(question[:start] + name + question[end:], {
        (start, start + len(name)): chosen} if chosen is not None else {})


def _with_replacement(domain: Components, question: str, said: Observation,
                      now: dt.datetime) -> str:
    """The last question with its entity replaced by the one in the follow-up."""
    name = next(iter(_names(said)), None)
    old = next((each for each in domain.detector.detect(question, now=now).mentions
                if name is not None and each.kind in _REFERRING and _may_be(each, name)
                and each.probability > 0.5), None)
    return _replaced(question, old, name.text) if name and old else said.text


def _may_be(old: Mention, new: Mention) -> bool:
    return not old.types or not new.types or bool(old.types & new.types)


def _replaced(question: str, old: Mention, new: str) -> str:
    possessive = old.text.lower() in ("my", "his", "her", "their", "its")
    gap = "" if old.text else " "  # what goes without saying stands nowhere
    return question[:old.start] + gap + new + ("'s" if possessive else "") + question[old.end:]
