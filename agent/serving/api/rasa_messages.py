"""What Rasa's clients send in the place of words: ``/restart``, ``/intent{"slot": "value"}``.

A button or a widget that opens sends the name of an intent, with values of slots as JSON. Those
that every Rasa assistant has do here what they do there; the others are an assistant's own. A slot
is set as if its value had been said: here dialogues are kept by what was said in them. A name says
who speaks, or who or what is meant where that was asked.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from typing import Any

from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.sessions.conversations import Conversations
from frontdesk.agent.serving.sessions.session_store import StoredSession
from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.pending_action import Slot

_PAYLOAD = re.compile(r"/(?P<intent>[\w.+-]+)(?:@[0-9.]+)?\s*(?P<slots>\{.*)?", re.DOTALL)
#: Intents after which a dialogue begins anew, with nothing said.
_ANEW = ("restart", "session_start")
#: What is said are the values of the slots alone, whatever they are called.
_INFORM = "inform"
#: How the values of slots are said: who speaks, and what is wanted of a meeting.
_SLOTS: Mapping[str, str] = {"name": "I am {}", "title": "call it {}", "date": "{}", "time": "{}",
                             "person": "with {}", "room": "in {}"}
#: What a name alone answers where it was asked for.
_NAMED = frozenset({Slot.EVENT, Slot.TITLE, Slot.PLACE, Slot.ATTENDEES, Slot.RECIPIENT,
                    Slot.MESSAGE, Slot.CHOICE})
#: What is said by the intents that assistants share.
_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("get_started", "start", "greet", "hello"), "Hello"),
    **dict.fromkeys(("goodbye", "bye"), "Goodbye"),
    **dict.fromkeys(("thank", "thanks", "thank_you", "thankyou"), "Thank you"),
    **dict.fromkeys(("affirm", "confirm", "yes"), "Yes"),
    **dict.fromkeys(("deny", "no"), "No"),
    **dict.fromkeys(("stop", "cancel"), "Never mind"),
    "help": "What can you do?"}


def answer_rasa_message(conversations: Conversations, caller: Caller, name: str,
                        message: str | None, *, speaker: str | None = None,
                        client_id: str | None = None) -> str | None:
    """The reply to a message of a Rasa client; None where nothing is said.

    Args:
        message: Words, or an intent in their place; None where a client only shows itself.
        speaker: Id or e-mail address of who speaks.

    Raises:
        FrontdeskError: See :meth:`Conversations.say`.
    """
    if message is None:
        return None
    conversations.check_length(message)
    payload = _PAYLOAD.fullmatch(message.strip())
    words = message
    if payload is not None:
        intent = payload["intent"].casefold()
        if intent in _ANEW:
            conversations.forget_named(caller, name)
            return None
        slots = _said_of_slots(payload["slots"], conversations.current.at_last().kb.timezone,
                               is_all=intent == _INFORM)
        words = ", ".join(filter(None, (_WORDS.get(intent), *slots.values()))) \
            if intent == _INFORM or intent in _WORDS else ""
        if intent == _INFORM and list(slots) == ["name"]:
            words = _of_name(conversations, conversations.open(caller, name, speaker=speaker),
                             words, client_id)
        if not words:
            return (f"I don't know what /{payload['intent']} stands for. Please tell me in your "
                    "own words.")
    answer = conversations.say(caller, name, words, speaker=speaker, client_id=client_id)
    return str(answer.reply["text"])


def _of_name(conversations: Conversations, session: StoredSession, speaks: str,
             client_id: str | None) -> str:
    """What a name alone says: who speaks, as ``speaks`` does, or what was asked for.

    A message that is sent again says what it said before.
    """
    bare = speaks.removeprefix(_SLOTS["name"].format(""))
    before = conversations.store.answered(session.id, client_id) if client_id else None
    if before is not None and before[0] in (speaks, bare):
        return before[0]
    graph = DialogueGraph.from_json(session.graph) if session.graph else DialogueGraph()
    action = graph.last_action()
    is_asked = action is not None and action.is_open and action.asked in _NAMED
    is_offered = bool(graph.turns and graph.question(graph.turns[-1])[1])
    return bare if is_asked or is_offered else speaks


def _said_of_slots(slots: str | None, zone: dt.tzinfo, *, is_all: bool) -> dict[str, str]:
    """By slot what its value says; nothing where they cannot be read.

    Args:
        slots: JSON.
        is_all: Slots of other names than those that are known here count too.
    """
    try:
        values: Any = json.loads(slots or "{}")
    except (ValueError, RecursionError):
        return {}
    said = {}
    for slot, value in values.items():
        parts = [_words_of(slot, each, zone)
                 for each in (value if isinstance(value, list) else [value])
                 if isinstance(each, str | int | float) and not isinstance(each, bool)
                 and str(each).strip()]
        if parts and (is_all or slot in _SLOTS):
            said[slot] = _SLOTS.get(slot, "{}").format(" and ".join(parts))
    return said


def _words_of(slot: str, value: str | float, zone: dt.tzinfo) -> str:
    """A value as it is said; moments in ISO 8601, as programs fill slots, by the clock here.

    A date that begins at midnight, wherever that is, is a day: so Duckling writes it.
    """
    try:
        at = dt.datetime.fromisoformat(str(value)) if ":" in str(value) else None
    except ValueError:
        at = None
    if at is None:
        return str(value)
    if slot == "date" and at.time() == dt.time():
        return f"{at:%Y-%m-%d}"
    here = at if at.tzinfo is None else at.astimezone(zone)
    return f"{here:%Y-%m-%d} at {here:%H:%M}"
