"""What Rasa's clients send in the place of words: ``/restart``, ``/intent{"slot": "value"}``.

A button or a widget that opens sends the name of an intent, with values of slots as JSON. Those
that every Rasa assistant has do here what they do there; the others are an assistant's own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.sessions.conversations import Conversations

_PAYLOAD = re.compile(r"/(?P<intent>[\w.+-]+)(?:@[0-9.]+)?(?P<slots>\s*\{.*\})?", re.DOTALL)
#: Intents after which a dialogue begins anew, with nothing said.
_ANEW = ("restart", "session_start")
#: The values of the slots are what is said.
_INFORM = "inform"
#: What is said by the intents that assistants share.
_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("get_started", "start", "greet", "hello"), "Hello"),
    **dict.fromkeys(("goodbye", "bye"), "Goodbye"),
    **dict.fromkeys(("thank", "thanks", "thank_you", "thankyou"), "Thank you"),
    **dict.fromkeys(("affirm", "confirm", "yes"), "Yes"),
    **dict.fromkeys(("deny", "no"), "No"),
    **dict.fromkeys(("stop", "cancel"), "Never mind"),
    "help": "What can you do?"}


def answer_rasa_message(conversations: Conversations, caller: Caller, name: str, message: str, *,
                        speaker: str | None = None, client_id: str | None = None) -> str | None:
    """The reply to a message of a Rasa client; None where nothing is said.

    Args:
        conversations: Answer.
        caller: Whose key it is.
        name: Of the caller's session.
        message: Words, or an intent in their place.
        speaker: Id or e-mail address of who speaks.
        client_id: The client's own id of the message.

    Raises:
        FrontdeskError: See :meth:`Conversations.say`.
    """
    conversations.check_length(message)
    payload = _PAYLOAD.fullmatch(message.strip())
    words: str | None = message
    if payload is not None:
        intent = payload["intent"].casefold()
        if intent in _ANEW:
            conversations.forget_named(caller, name)
            return None
        words = _slot_values(payload["slots"]) if intent == _INFORM else _WORDS.get(intent)
        if not words:
            return (f"I don't know what /{payload['intent']} stands for. Please tell me in your "
                    "own words.")
    answer = conversations.say(caller, name, words or "", speaker=speaker, client_id=client_id)
    return str(answer.reply["text"])


def _slot_values(slots: str | None) -> str:
    """The values of slots as words; empty where they cannot be read."""
    try:
        values: Any = json.loads(slots or "{}")
    except (ValueError, RecursionError):
        return ""
    return ", ".join(str(each) for each in values.values() if isinstance(each, str | int | float))
