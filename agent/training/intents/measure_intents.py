"""How well intents are told, on dialogues whose turns are annotated with them.

GraphWOZ annotates what users want as acts with arguments. They are read as our intents by
:data:`ACTS` and :data:`ATTRIBUTES`; only turns that are annotated count, and only intents that the
annotation can express: it has none for a goodbye, a choice or a correction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from frontdesk.data.datasets.dialogue_acts import DialogueActAnnotation
from frontdesk.data.datasets.graphwoz import Dialogue
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.intents import ACTIONS, QUESTIONS, Intent
from frontdesk.kg.graph.mentions import DialogueAct, Observation
from frontdesk.kg.models.intent_head import IntentHead, UtteranceFeatures
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.scoring.encoder import SentenceEncoder

#: An intent is told from this probability on.
LEAST_SURE = 0.5
_SPEAKER = "@speaker"

#: The intent of an act by its name; what it has none for, its arguments may have.
ACTS: Mapping[str, Intent | None] = {
    "greet": Intent.GREET,
    "pleasantry": Intent.PLEASANTRY,
    "thanks": Intent.THANK,
    "affirm": Intent.CONFIRM,
    "confirm": Intent.CONFIRM,
    "confirm_event_attendees": Intent.CONFIRM,
    "negative": Intent.DENY,
    "refuse": Intent.DENY,
    "request_information": Intent.REQUEST_INFORMATION,
    "request_availability": Intent.REQUEST_AVAILABILITY,
    "request_contact_information": Intent.REQUEST_CONTACT,
    "request_entity_attribute": Intent.REQUEST_ATTRIBUTE,   # but see QUESTIONED
    "request_create_event": Intent.CREATE_EVENT,
    "request_create_meeting": Intent.CREATE_EVENT,
    "request_invite_attendees": Intent.INVITE,
    "request_add_attendee": Intent.INVITE,
    "request_move_meetings": Intent.MOVE_EVENT,
    "request_cancel_event": Intent.CANCEL_EVENT,
    "request_cancel_events": Intent.CANCEL_EVENT,
    "request_cancel_meetings": Intent.CANCEL_EVENT,
    "request_fill_entity_attribute": Intent.ANY,            # the agent may choose
    "request_modify_event": None,
    "request_modify_entity_attribute": None,
    "provide_entity_attribute": None,
    "provide_entity_information": None,
}
#: What is asked for by ``attribute`` of ``request_entity_attribute``, where it has its own intent.
QUESTIONED: Mapping[str, Intent] = {
    "members": Intent.REQUEST_MEMBERS, "calendar": Intent.REQUEST_AGENDA,
    "availability": Intent.REQUEST_AVAILABILITY}
#: Acts whose arguments are values that are set.
SETTING = frozenset({
    "request_create_event", "request_create_meeting", "request_move_meetings",
    "request_modify_event", "request_modify_entity_attribute", "provide_entity_attribute",
    "provide_entity_information"})
#: What an argument sets, by its role or by the value of the role ``attribute``.
ATTRIBUTES: Mapping[str, Intent] = {
    "name": Intent.SET_NAME, "date": Intent.SET_DATE, "when": Intent.SET_DATE,
    "start_time": Intent.SET_TIME, "end_time": Intent.SET_TIME, "time": Intent.SET_TIME,
    "duration": Intent.SET_DURATION, "location": Intent.SET_PLACE, "attendee": Intent.INVITE,
    "attendees": Intent.INVITE}
#: Intents that the annotation can express.
ANNOTATED = frozenset([each for each in ACTS.values() if each is not None]) | frozenset(
    QUESTIONED.values()) | frozenset(ATTRIBUTES.values()) | {Intent.INTRODUCE}

#: What the receptionist asks for by an act, where nothing more is said.
_ASKING = {"RequestConfirmAction": "confirmation", "ConfirmIsCorrect": "confirmation",
           "ConfirmEventInformation": "confirmation", "ConfirmFoundEntity": "confirmation",
           "RequestEventAttendees": "attendees", "RequestEventDuration": "duration",
           "RequestClarification": "event", "NotFound": "event", "SuggestContact": "confirmation"}
#: What it asks for by an attribute.
_ASKED_ATTRIBUTE = {"name": "title", "start_time": "start", "time": "start", "date": "date",
                    "duration": "duration", "location": "place", "attendees": "attendees"}
#: What it suggests; without a value it asks for one.
_SUGGESTED = {"SuggestAddAttendees": "attendees", "SuggestSetLocation": "location",
              "SuggestSetTime": "time"}

#: Intents that patterns find, by their act.
_PATTERNS = {DialogueAct.GREET: Intent.GREET, DialogueAct.THANK: Intent.THANK,
             DialogueAct.CONFIRM: Intent.CONFIRM, DialogueAct.DENY: Intent.DENY,
             DialogueAct.PLEASANTRY: Intent.PLEASANTRY}
PATTERNED = frozenset(_PATTERNS.values()) | {Intent.INTRODUCE}

Flags = npt.NDArray[np.bool_]


def annotated_intents(acts: Iterable[DialogueActAnnotation]) -> frozenset[Intent]:
    """The intents of a turn's annotation; acts that no table has are left out."""
    return frozenset(intent for act in acts for intent in _of_act(act))


def _of_act(act: DialogueActAnnotation) -> Iterator[Intent]:
    roles = dict(act.arguments)
    attribute = roles.get("attribute", "")
    if act.name == "request_entity_attribute":
        yield QUESTIONED.get(attribute, Intent.REQUEST_ATTRIBUTE)
        return
    intent = ACTS.get(act.name)
    if intent is not None:
        yield intent
    if act.name not in SETTING:
        return
    if roles.get("entity") == _SPEAKER:
        yield Intent.INTRODUCE
        return
    for role in (*roles, attribute):
        if role in ATTRIBUTES:
            yield ATTRIBUTES[role]


def asked_for(acts: Sequence[DialogueActAnnotation]) -> str:
    """What the receptionist asks for last in a turn, one of ``ASKED``; empty: nothing."""
    found = ""
    for act in acts:
        roles = dict(act.arguments)
        attribute = roles.get("attribute", "")
        if act.name in _SUGGESTED:
            slot = _SUGGESTED[act.name]
            given = any(role in roles for role in (slot, "value"))
            found = "confirmation" if given else _ASKED_ATTRIBUTE[slot]
        elif roles.get("entity") == _SPEAKER and act.name.startswith("Request"):
            found = "speaker"
        elif act.name in ("RequestEntityAttribute", "RequestEventAttribute"):
            found = _ASKED_ATTRIBUTE.get(attribute, "event")
        else:
            found = _ASKING.get(act.name, found)
    return found


# --- counting

@dataclass(frozen=True)
class Figures:
    """Counts of an intent.

    Args:
        right: Told and annotated.
        told, annotated: In all.
    """

    right: int
    told: int
    annotated: int

    @property
    def precision(self) -> float | None:
        """In [0, 1]; None where nothing was told."""
        return self.right / self.told if self.told else None

    @property
    def recall(self) -> float | None:
        """In [0, 1]; None where nothing is annotated."""
        return self.right / self.annotated if self.annotated else None

    @property
    def f1(self) -> float | None:
        """In [0, 1]; None where there is nothing to count."""
        both = self.told + self.annotated
        return 2 * self.right / both if both else None

    def row(self) -> dict[str, float | None]:
        """For a table."""
        return {"annotated": self.annotated, "precision": self.precision, "recall": self.recall,
                "f1": self.f1}


@dataclass(frozen=True)
class Counts:
    """Counts of each intent, ``(n_intents,)`` each: told and annotated, told, annotated."""

    right: npt.NDArray[np.int64]
    told: npt.NDArray[np.int64]
    annotated: npt.NDArray[np.int64]

    @classmethod
    def of(cls, told: Flags, annotated: Flags) -> Counts:
        """Of utterances, ``(n_utterances, n_intents)``."""
        return cls((told & annotated).sum(0), told.sum(0), annotated.sum(0))

    def total(self) -> Figures:
        """All intents together (micro average)."""
        return Figures(int(self.right.sum()), int(self.told.sum()), int(self.annotated.sum()))


#: Intents of an observed utterance after something was asked for.
Teller = Callable[[Observation, str], frozenset[Intent]]


def head_teller(head: IntentHead, encoder: SentenceEncoder) -> Teller:
    """What a head tells."""
    def tell(observation: Observation, asked: str) -> frozenset[Intent]:
        vector = encoder.encode([observation.text], keep=False)[0]
        found = head.probabilities(vector, asked=asked, features=UtteranceFeatures.of(observation))
        return frozenset(intent for intent, chance in found.items() if chance >= LEAST_SURE)

    return tell


def patterns_teller(observation: Observation, asked: str) -> frozenset[Intent]:
    """What the patterns of :mod:`lexicon` tell; an action or a question is any."""
    found = {_PATTERNS[act] for act in observation.acts if act in _PATTERNS}
    if any(each.introduces_speaker for each in observation.mentions):
        found.add(Intent.INTRODUCE)
    if DialogueAct.REQUEST_ACTION in observation.acts:
        found.add(Intent.CREATE_EVENT)
    elif observation.asks:
        found.add(Intent.REQUEST_ATTRIBUTE)
    return frozenset(found)


def measure(dialogues: Sequence[Dialogue], teller: Teller, *, heard: bool,
            told: frozenset[Intent] = ANNOTATED) -> dict[str, dict[str, float | None]]:
    """Figures of intents on annotated turns.

    Args:
        dialogues: With annotations.
        teller: Tells intents.
        heard: Read what the recogniser heard, not what a person wrote down; turns without that
            are left out.
        told: Intents that the teller can tell at all.

    Returns:
        ``annotated``, ``precision``, ``recall`` and ``f1`` of each intent that is annotated or
        told; of ``all`` together, ``each`` (the mean of those that are annotated), of those that
        patterns find (``courtesies``), and of any action and any question.
    """
    pairs = [(teller(observation, asked), annotated)
             for observation, asked, annotated in _turns(dialogues, heard)]
    scored = sorted(told & ANNOTATED)
    rows = {str(intent): _counted(pairs, [frozenset({intent})]) for intent in scored}
    found = {name: each.row() for name, each in rows.items() if each.told or each.annotated}
    single = [each for each in rows.values() if each.annotated]
    return {
        "all": _counted(pairs, [frozenset({each}) for each in scored]).row(),
        "each": {"f1": sum(each.f1 or 0.0 for each in single) / len(single) if single else None},
        "courtesies": _counted(pairs, [frozenset({each}) for each in sorted(PATTERNED)]).row(),
        "any action": _counted(pairs, [ACTIONS]).row(),
        "any question": _counted(pairs, [QUESTIONS]).row(), **found}


def _counted(pairs: Sequence[tuple[frozenset[Intent], frozenset[Intent]]],
             groups: Sequence[frozenset[Intent]]) -> Figures:
    """Counts of groups of intents, each of which an utterance has or has not."""
    both = [(bool(told & group), bool(annotated & group))
            for told, annotated in pairs for group in groups]
    return Figures(sum(told and annotated for told, annotated in both),
                   sum(told for told, _ in both), sum(annotated for _, annotated in both))


def _turns(dialogues: Sequence[Dialogue],
           heard: bool) -> Iterator[tuple[Observation, str, frozenset[Intent]]]:
    """Annotated turns as they are observed, what was asked for before, and their intents."""
    for dialogue in dialogues:
        kb, asked = dialogue.knowledge_base, ""
        detector = GazetteerDetector(kb)
        for turn in dialogue.turns:
            text = clean(turn.transcription) if not heard else (
                clean(turn.hypotheses[0].text) if turn.hypotheses else "")
            annotated = annotated_intents(turn.intents)
            if turn.intents and text:
                yield (detector.detect(text, now=turn.started.astimezone(kb.timezone)), asked,
                       annotated)
            asked = asked_for(turn.agent_actions)
