"""Follow-ups: utterances that only make sense with an earlier question.

"Yes" or "Ines Okafor" answers what the agent asked back; "and tomorrow?", "what about Rowan?"
ask the last question again with something else in it. Both are turned into the full question.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from frontdesk.agent.domains.domain_pack import Components
from frontdesk.kg.english.cues import OVERVIEW_CUES, WEAK_CUES, found_cues
from frontdesk.kg.english.lexicon import is_only_names
from frontdesk.kg.graph.dialogue_graph import AGENT, CHOSEN, USER, DialogueGraph
from frontdesk.kg.graph.entities import Entity, Event
from frontdesk.kg.graph.mentions import DialogueAct, Mention, MentionKind, Observation
from frontdesk.kg.graph.windows import Window, WindowKind

_ELLIPSIS = re.compile(r"^\W*(?:(?:ok(?:ay)?|thanks|great|alright)\W+)?(?:and|what about|how about|"
                       r"and what about|and how about|or|then(?=\W+\w))\b", re.IGNORECASE)
#: The time that was spoken of: "is she free then?"
_THEN = re.compile(r"(?<=\w\s)then\b(?!\W+\w)|\b(?:at that time|at the same time)\b",
                   re.IGNORECASE)
_PREPOSITION = re.compile(r"(?:at|on|in|by|from)\s+", re.IGNORECASE)
#: What belongs to "and …?" or "what about …?", not to the time that follows.
_JOINS = re.compile(r"^(?:(?:and|or|about)\s+)+", re.IGNORECASE)
#: Words for a time that need no preposition, or have one: "tomorrow", "at ten".
_STANDS_ALONE = re.compile(r"(?:(?:at|on|in|by|from|today|tomorrow|tonight|this|next)\b|\w+day\b)",
                           re.IGNORECASE)
_LAST_PREPOSITION = re.compile(r"\b(?:at|on|in|by|from)\s+$", re.IGNORECASE)
#: One of those that the answer before has named: "the one by Ada Berg".
_THE_ONE = re.compile(r"\W*(?:(?:no|ok(?:ay)?|i mean(?:t)?)\W+)?(?:the|that) one\s+"
                      r"((?:(?:organi[sz]ed|held|led|run)\s+)?(?:by|of|from|with|in|at|on)\b.+)",
                      re.IGNORECASE)
_POSITIONS = {"first": 0, "former": 0, "second": 1, "latter": -1, "third": 2, "fourth": 3,
              "fifth": 4, "last": -1, "1": 0, "2": 1, "3": 2, "4": 3, "5": 4}
_ORDINAL = re.compile(rf"\W*(?:the\s+|number\s+)?({'|'.join(_POSITIONS)})(?:\s+one)?"
                      r"(?:\W+please)?\W*", re.IGNORECASE)
_JUST_A_NAME = re.compile(r"\W*(?:(?:no|sorry|i mean|i meant|the|for|please|one)\W*)*",
                          re.IGNORECASE)
#: Turns back in which "then" may find its time.
_LATELY = 4
_OUTER_MARKS = re.compile(r"(\W*).*?(\W*)", re.DOTALL)
_REFERRING = (MentionKind.NAME, MentionKind.PRONOUN, MentionKind.DEFINITE, MentionKind.RELATION,
              MentionKind.FIRST_PERSON)
#: ``(start, end)`` of words in a question.
Place = tuple[int, int]


@dataclass(frozen=True)
class FullQuestion:
    """What an utterance asks.

    Args:
        text: The question in words that need no earlier turn.
        chosen: Ids of the entities that the user chose when asked back, by the ``(start, end)`` of
            their names in the text.
        introduces: The utterance tells who speaks, as was asked for, and no more.
    """

    text: str
    chosen: Mapping[Place, str] = field(default_factory=dict)
    introduces: bool = False

    def settles(self, mentions: Sequence[Mention]) -> dict[int, str]:
        """The entities chosen, by the positions of the mentions that mean them."""
        found: dict[int, str] = {}
        for place, entity in self.chosen.items():
            shared = {position: _shared(place, (mention.start, mention.end))
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
        graph: The dialogue before the utterance.
        domain: Detects mentions and knows the names.
        said: What was read from the utterance.
        now: Zone-aware present.

    Returns:
        The question; the utterance itself when it stands alone.
    """
    if graph.turns and graph.speaker(graph.turns[-1]) == AGENT:
        pending, options = graph.question(graph.turns[-1])
        if not pending and DialogueAct.INTRODUCE in said.acts:
            pending = _asked_by_nobody(graph, domain, now)
        if pending and not options and (name := _own_name(said)):
            return FullQuestion(f"I'm {name}. {pending}", introduces=True)
        if pending and not options and DialogueAct.INTRODUCE in said.acts:
            return FullQuestion(said.text if found_cues(said) - WEAK_CUES
                                else f"{said.text.rstrip(' .!')}. {pending}")
        if pending and options and not found_cues(said) - WEAK_CUES:
            place = graph.place_asked(graph.turns[-1]) or _only_name(domain, pending, now)
            chosen = _chosen(domain, said, options)
            if chosen is not None:
                return _with_name(graph, pending, place, domain.kb.entity(chosen).name, chosen)
            other = _other_name(said)
            if other is not None:
                return _with_name(graph, pending, place, other.text) if place else FullQuestion(
                    said.text)
    if _ELLIPSIS.match(said.text) and not found_cues(said) - WEAK_CUES - OVERVIEW_CUES:
        before = _last_question(graph)
        if before:
            return FullQuestion(_with_replacement(domain, before, said, now))
    if _THEN.search(said.text) and said.asks and not said.windows() and (
            words := _time_spoken_of(graph, domain, now)):
        return FullQuestion(_THEN.sub(lambda _: words, said.text, count=1))
    one = _THE_ONE.match(said.text)
    if one and not found_cues(said) - WEAK_CUES - OVERVIEW_CUES and (
            before := _last_question(graph)):
        return FullQuestion(f"{before.rstrip(' ?.!')} {one[1]}")
    return FullQuestion(said.text)


def _own_name(said: Observation) -> str:
    """The name of a user who was asked for it and says no more: "it's Ada Berg"."""
    names = [each for each in said.mentions if each.kind is MentionKind.NAME]
    return names[0].text if len(names) == 1 and is_only_names(said.text, names) else ""


def _asked_by_nobody(graph: DialogueGraph, domain: Components, now: dt.datetime) -> str:
    """The user's last question if it was about themselves and nobody knew who they are."""
    if graph.user() is not None:
        return ""
    before = _last_question(graph)
    asked = domain.detector.detect(before, now=now)
    return before if asked.asks and any(
        mention.kind is MentionKind.FIRST_PERSON and mention.probability > 0.5
        and asked.is_in_question(mention)
        for mention in asked.mentions) else ""


def _last_question(graph: DialogueGraph) -> str:
    """What the user asked last, in full; empty when nothing."""
    return next((graph.question(turn)[0] for turn in reversed(graph.turns)
                 if graph.speaker(turn) == USER), "")


def _time_spoken_of(graph: DialogueGraph, domain: Components, now: dt.datetime) -> str:
    """The words for the time that was spoken of last, if it was lately and is only one.

    An answer may leave out the day that its question had, so the question's time comes first.
    """
    for turn in reversed(graph.turns[-_LATELY:]):
        of_user = graph.speaker(turn) == USER
        if not of_user and _asked_about_time(graph, turn):
            continue
        text = graph.question(turn)[0] if of_user else graph.text(turn)
        times = _times(domain.detector.detect(text, now=now))
        if times:
            words = times[0].text
            at = "at " if words[:1].isdigit() else ""
            return f"{at}{words}" if len(times) == 1 else ""
    return ""


def _asked_about_time(graph: DialogueGraph, answer: str) -> bool:
    """Whether the turn before an answer has a time of its own."""
    before = graph.turns[:graph.turns.index(answer)]
    windows = [graph.window(mention) for turn in before[-1:] for mention in graph.mentions(turn)]
    return any(window is not None and window.kind is not WindowKind.NOW for window in windows)


def _times(observation: Observation) -> list[Mention]:
    return [mention for mention in observation.mentions
            if mention.window is not None and mention.window.kind is not WindowKind.NOW]


def _chosen(domain: Components, said: Observation, options: tuple[str, ...]) -> str | None:
    """The option that the user picks, None when none is."""
    names = [mention for mention in said.mentions if mention.kind is MentionKind.NAME]
    for mention in names:
        words = set(mention.name.casefold().replace("-", " ").split())
        fitting = [option for option in options
                   if words <= set(_words(domain, option))]
        if len(fitting) == 1:
            return fitting[0]
    spoken_of = [window for window in said.windows() if window.kind is not WindowKind.NOW]
    then = [option for option in options if any(
        _is_then(domain.kb.entity(option), window) for window in spoken_of)]
    if len(then) == 1:
        return then[0]
    match = _ORDINAL.fullmatch(said.text)
    if match and not names:
        position = _POSITIONS[match[1].lower()]
        if -len(options) <= position < len(options):
            return options[position]
    if DialogueAct.CONFIRM in said.acts and not names and len(options) == 1:
        return options[0]
    return None


def _is_then(entity: Entity, window: Window) -> bool:
    """Whether an option is an event at a time: "the one on Tuesday"."""
    return isinstance(entity, Event) and window.overlaps(entity.start, entity.end)


def _other_name(said: Observation) -> Mention | None:
    """The name that answers a question with something it did not offer: "No, Bo Haraldsen"."""
    names = [mention for mention in said.mentions if mention.kind is MentionKind.NAME]
    rest = said.text
    for mention in names:
        rest = rest.replace(mention.text, "")
    return names[0] if len(names) == 1 and _JUST_A_NAME.fullmatch(rest) else None


def _words(domain: Components, option: str) -> list[str]:
    """Words that tell an option from others: its name, its group, its organiser."""
    entity = domain.kb.entity(option)
    texts = [entity.name]
    for attribute in ("group", "office", "organizer", "location"):
        value = getattr(entity, attribute, None)
        if value:
            texts.append(domain.kb.entity(value).name)
    return [word for text in texts for word in text.casefold().replace("-", " ").split()]


def _only_name(domain: Components, question: str, now: dt.datetime) -> Place | None:
    """The place of the only name in a question; None when there is none or are several."""
    names = [mention for mention in domain.detector.detect(question, now=now).mentions
             if mention.kind is MentionKind.NAME]
    return (names[0].start, names[0].end) if len(names) == 1 else None


def _with_name(graph: DialogueGraph, question: str, place: Place | None, name: str,
               chosen: str | None = None) -> FullQuestion:
    """A question that was asked back about with a name where the unclear one was.

    Args:
        graph: The dialogue before the utterance.
        question: The question.
        place: Of the unclear name; None when that is not known, and nothing is replaced.
        name: The name.
        chosen: Id of the entity that the user chose, if any.
    """
    if place is None:
        return FullQuestion(question)
    # A mention ends with its last word: the bracket of "Team meeting (A)" stands after it.
    marks = _OUTER_MARKS.fullmatch(name)
    front, behind = (marks[1], marks[2]) if marks else ("", "")
    before = question[:place[0]].removesuffix(front)
    after = question[place[1]:].removeprefix(behind)
    text = before + name + after
    known = {(start, end) if end <= place[0] else (start + len(text) - len(question),
                                                   end + len(text) - len(question)): entity
             for (start, end), entity in _chosen_before(graph, question).items()
             if not _shared(place, (start, end))}
    here = {(len(before), len(before) + len(name)): chosen} if chosen is not None else {}
    return FullQuestion(text, known | here)


def _chosen_before(graph: DialogueGraph, question: str) -> dict[Place, str]:
    """What the user had already chosen in a question that is asked back about once more."""
    asked = next((turn for turn in reversed(graph.turns) if graph.speaker(turn) == USER), None)
    if asked is None or graph.question(asked)[0] != question:
        return {}
    return {graph.place(mention): link.entity for mention in graph.mentions(asked)
            for link in graph.referents(mention) if link.provenance.rule == CHOSEN}


def _shared(one: Place, other: Place) -> int:
    """How many characters two places have in common."""
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))


def _with_replacement(domain: Components, question: str, said: Observation,
                      now: dt.datetime) -> str:
    """The last question with its time and entity replaced by those in the follow-up."""
    full = question
    name, time = (next((each for each in said.mentions if each.kind is kind), None)
                  for kind in (MentionKind.NAME, MentionKind.TIME))
    if name is not None:
        before = domain.detector.detect(full, now=now)
        old = next((each for each in before.mentions if each.kind in _REFERRING
                    and not each.introduces_speaker
                    and _may_be(each, name) and each.probability > 0.5), None)
        which = next((each for each in before.mentions if each.kind is MentionKind.TYPE
                      and _may_be(each, name)), None)
        if old is not None:
            full = _replaced(full, old, name.text)
        elif which is not None and (of_one := _of_one(
                _replaced(full, which, name.text), name.text)):
            full = of_one
        elif time is None or name.start < time.start:
            return said.text
    if time is not None:
        before = domain.detector.detect(full, now=now)
        old = next((each for each in before.mentions if each.kind is MentionKind.TIME), None)
        words = _with_preposition(said.text, time)
        full = _at_another_time(full, old, words) if old else f"{full.rstrip(' ?.!')} {words}?"
    return full if name or time else said.text


def _may_be(old: Mention, new: Mention) -> bool:
    return not old.types or not new.types or bool(old.types & new.types)


def _of_one(question: str, name: str) -> str:
    """ "Which room is free?" asked of one: "Is Rowan free?"; empty for other questions."""
    found = re.match(rf"\W*{re.escape(name)} (?:is|are) (?=(?:free|available|empty|open)\b)",
                     question, re.IGNORECASE)
    return f"Is {name} {question[found.end():]}" if found else ""


def _replaced(question: str, old: Mention, new: str) -> str:
    possessive = old.text.lower() in ("my", "his", "her", "their", "its")
    gap = "" if old.text else " "  # what goes without saying stands nowhere
    return question[:old.start] + gap + new + ("'s" if possessive else "") + question[old.end:]


def _at_another_time(question: str, old: Mention, words: str) -> str:
    """A question with its time replaced by other words for one, each with its own preposition."""
    before = question[:old.start]
    if _STANDS_ALONE.match(words):
        before = _LAST_PREPOSITION.sub("", before)
    elif own := _PREPOSITION.match(old.text):
        words = own[0] + words  # "at three" gives "noon" its "at"
    return before + words + question[old.end:]


def _with_preposition(text: str, time: Mention) -> str:
    """The words for a time with the preposition that stands before them."""
    before = _LAST_PREPOSITION.search(text[:time.start])
    return (before[0] if before else "") + _JOINS.sub("", time.text, count=1)
