"""Dialogues to train generators on: what was said, the organisation it was about, and when.

They come from GraphWOZ (its full or its reduced form), from it with everything renamed
(:mod:`~frontdesk.data.invented.augment`), or are simulated
(:mod:`~frontdesk.data.invented.dialogues`). Turns are known by hashes of their words, by which
those of development and test data are kept out.
"""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from frontdesk.data.datasets.graphwoz import Dialogue
from frontdesk.data.datasets.graphwoz_reduced import ReducedDialogue
from frontdesk.data.datasets.graphwoz_reduced_organisation import reduced_knowledge_base
from frontdesk.data.datasets.graphwoz_told import complete, told_present
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

Source = Literal["graphwoz", "augmented", "simulated"]

_WORD = re.compile(r"[^\W_]+")
_MINUTE = dt.timedelta(minutes=1)


@dataclass(frozen=True)
class TrainingTurn:
    """What the user said and what the agent should answer.

    Args:
        user: As it was heard; empty when nothing was.
        reference: Not empty.
        now: When the user spoke, zone-aware.
    """

    user: str
    reference: str
    now: dt.datetime


@dataclass(frozen=True)
class TrainingDialogue:
    """A dialogue to learn from.

    Args:
        id: Unique within its source.
        knowledge_base: The organisation as it was before the first turn.
        turns: In order; those without an answer are left out.
    """

    id: str
    knowledge_base: KnowledgeBase
    turns: tuple[TrainingTurn, ...]
    source: Source


def content_hash(user: str, reference: str) -> str:
    """The SHA-256 of a turn's words, 64 hexadecimal digits; case and punctuation do not matter."""
    said = ("\n".join(" ".join(_WORD.findall(text.casefold())) for text in (user, reference)))
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()


def turn_hashes(dialogues: Iterable[Dialogue]) -> frozenset[str]:
    """The hashes of all turns of GraphWOZ dialogues that have an answer.

    Each turn counts in the words that a person wrote down and in every reading of the speech
    recogniser.
    """
    return frozenset(
        content_hash(user, turn.response) for dialogue in dialogues for turn in dialogue.turns
        if turn.response
        for user in (turn.transcription, *(reading.text for reading in turn.hypotheses)))


def without_held_out(dialogues: Iterable[TrainingDialogue],
                     held_out_hashes: Collection[str]) -> Iterator[TrainingDialogue]:
    """The dialogues, each as far as its first turn that is held out; empty ones are left out.

    What comes after a held-out turn has it in its history.

    Args:
        dialogues: With turns that may be anything.
        held_out_hashes: Of :func:`turn_hashes`.
    """
    for dialogue in dialogues:
        kept = next((number for number, turn in enumerate(dialogue.turns)
                     if content_hash(turn.user, turn.reference) in held_out_hashes),
                    len(dialogue.turns))
        if kept == len(dialogue.turns):
            yield dialogue
        elif kept:
            yield replace(dialogue, turns=dialogue.turns[:kept])


def from_graphwoz(dialogue: Dialogue, *, heard: bool = True,
                  source: Source = "graphwoz") -> TrainingDialogue:
    """A dialogue of the full GraphWOZ format.

    Args:
        heard: Take the recogniser's best reading; else, and where there is none, the words as a
            person wrote them down.
        source: What the dialogue is marked with.
    """
    turns = []
    for turn in dialogue.turns:
        user = turn.hypotheses[0].text if heard and turn.hypotheses else turn.transcription
        if turn.response:
            turns.append(TrainingTurn(user, turn.response, turn.started))
    return TrainingDialogue(dialogue.id, dialogue.knowledge_base, tuple(turns), source)


def from_reduced(dialogue: ReducedDialogue) -> TrainingDialogue:
    """A dialogue of the reduced GraphWOZ format, a minute between its turns.

    Its present and some facts are what its replies tell
    (:mod:`~frontdesk.data.datasets.graphwoz_told`).
    """
    now = told_present(dialogue)
    turns = tuple(TrainingTurn(turn.user, turn.reference, now + number * _MINUTE)
                  for number, turn in enumerate(dialogue.turns) if turn.reference)
    kb = reduced_knowledge_base(complete(dialogue))
    return TrainingDialogue(dialogue.id, kb, turns, "graphwoz")


def write_training_dialogues(path: Path, dialogues: Iterable[TrainingDialogue]) -> int:
    """Write dialogues in the full GraphWOZ format, which
    :func:`~frontdesk.data.datasets.graphwoz.load_graphwoz` reads.

    What GraphWOZ has no place for is left out: the floors of meeting rooms, whole-day events,
    series, and the probability of attending.

    Args:
        path: The file; compressed with gzip if its name ends in ``.gz``.
        dialogues: With ids that differ.

    Raises:
        InputError: The file cannot be written.
    """
    number = 0
    try:
        with (gzip.open(path, "wt", encoding="utf-8") if path.suffix == ".gz"
              else path.open("w", encoding="utf-8")) as stream:
            for number, dialogue in enumerate(dialogues, start=1):
                stream.write("{\n" if number == 1 else ",\n")
                entry = json.dumps(_entry(dialogue), ensure_ascii=False)
                stream.write(f"{json.dumps(dialogue.id)}: {entry}")
            stream.write("\n}\n" if number else "{}\n")
    except OSError as error:
        raise InputError(f"cannot write {path} ({error.strerror})",
                         remedy="Choose a file in a folder that exists and can be written"
                         ) from error
    return number


def _entry(dialogue: TrainingDialogue) -> dict[str, Any]:
    return {"log": [_turn_entry(turn) for turn in dialogue.turns], "task": "",
            "data": _organisation_entry(dialogue.knowledge_base)}


def _turn_entry(turn: TrainingTurn) -> dict[str, Any]:
    spoken = turn.now.timestamp()
    return {"alternative": [{"transcript": turn.user, "confidence": 1.0}] if turn.user else [],
            "manual_transcription": turn.user, "entities": "", "asr_entities": "", "intents": "",
            "agent_entities": "", "agent_actions": "", "agent_response": turn.reference,
            "start_timestamp": spoken, "end_timestamp": spoken}


def _organisation_entry(kb: KnowledgeBase) -> dict[str, Any]:
    def name(entity_id: str | None) -> str | None:
        return kb.entity(entity_id).name if entity_id else None

    events = [{"id": event.id, "name": event.name, "date": event.start.date().isoformat(),
               "start_time": event.start.strftime("%H:%M:%S"),
               "end_time": event.end.strftime("%H:%M:%S"), "location": name(event.location),
               "organizer": name(event.organizer), "group": name(event.group),
               "attendees": [name(each) for each in event.attendees]}
              for event in kb.events.values()]
    people = [{"id": person.id, "name": person.name, "email": person.email,
               "phone": person.phone, "group": name(person.group),
               "office": name(person.office),
               "calendar": [{"id": event.id} for event in kb.events_of(person.id)]}
              for person in kb.people.values()]
    return {"events": events, "people": people,
            "rooms": {room.name: {"id": room.id} for room in kb.bookable_rooms()},
            "groups": {group.name: {"id": group.id} for group in kb.groups.values()}}
