"""CLINC: utterances to an assistant, of 150 intents and of none.

Reads ``{"train": [[utterance, intent], …], "oos_train": …, "val": …}``. Intents of a calendar come
without slots, so only courtesies, short answers and what is out of scope have forms. Source: Larson
et al., *An Evaluation Dataset for Intent Classification and Out-of-Scope Prediction*, EMNLP 2019.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from frontdesk.data.datasets.defects import Defect, DefectKind, DefectLog
from frontdesk.data.datasets.formats import decoded, read_plain
from frontdesk.data.datasets.parsed_turns import Context, ParsedTurn, Reason, make
from frontdesk.kg.graph.errors import FormatError

_ACTS = {"greeting": "greet", "goodbye": "goodbye", "thank_you": "thank", "yes": "confirm",
         "no": "deny", "repeat": "repeat", "what_can_i_ask_you": "help"}
#: Intents of which an organisation's receptionist may know something; their slots are not told.
_IN_SCOPE = frozenset((
    "accept_reservations", "are_you_a_bot", "calendar", "calendar_update", "cancel",
    "change_user_name", "date", "directions", "how_busy", "how_old_are_you", "make_call", "maybe",
    "meeting_schedule", "next_holiday", "pto_balance", "pto_request", "pto_request_status",
    "pto_used", "reminder", "reminder_update", "schedule_meeting", "text", "time", "timezone",
    "user_name", "what_are_your_hobbies", "what_is_your_name", "where_are_you_from",
    "who_do_you_work_for", "who_made_you", "do_you_have_pets", "meaning_of_life", "change_speed",
    "current_location", "restaurant_reservation", "cancel_reservation", "confirm_reservation"))


def load_clinc(path: str | Path, *parts: str) -> tuple[list[ParsedTurn], list[Defect]]:
    """The utterances of a file with their forms, and what is wrong with others.

    Args:
        path: JSON, plain or compressed with gzip.
        parts: Names of parts such as ``train``, each with what is out of scope; all when none.

    Raises:
        FormatError: There is no such file, or it has no utterance.
    """
    path = Path(path)
    log = DefectLog(path.name)
    try:
        content = json.loads(decoded(read_plain(path)))
    except ValueError as error:
        raise FormatError(f"this is no JSON: {error}", place=str(path),
                          remedy="Name an official file of CLINC") from error
    turns = list(_turns(content if isinstance(content, dict) else {}, parts, log))
    if not turns:
        raise FormatError("the file holds no utterance", place=str(path),
                          remedy="Name an official file of CLINC")
    return turns, log.found


def _turns(content: Mapping[str, object], parts: tuple[str, ...], log: DefectLog
           ) -> Iterator[ParsedTurn]:
    for part, rows in content.items():
        if parts and part.removeprefix("oos_") not in parts:
            continue
        if not isinstance(rows, list):
            log.note(DefectKind.UNREADABLE_RECORD, part, "it is no list")
            continue
        for number, row in enumerate(rows, start=1):
            match row:
                case [str(utterance), str(intent)]:
                    yield _turn(f"{part}-{number}", utterance, intent)
                case _:
                    log.note(DefectKind.UNREADABLE_RECORD, f"{part}, number {number}",
                             "it is no utterance with an intent")


def _turn(name: str, utterance: str, intent: str) -> ParsedTurn:
    if intent in _IN_SCOPE:
        return ParsedTurn(name, 1, utterance, Context(), (), Reason.NOT_ANNOTATED, intent)
    asked = "confirm" if intent in ("yes", "no") else ""
    return ParsedTurn(name, 1, utterance, Context(asked=asked),
                      (make(_ACTS.get(intent, "unsupported")),))
