"""A reply and its knowledge as they are checked, whoever gave the reply."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.generation.checks.q2.components import Components
from frontdesk.generation.checks.q2.fragments import with_fragments_completed
from frontdesk.generation.checks.q2.named_subjects import with_subjects_named
from frontdesk.kg.graph.dialogue_graph import USER


def self_contained(reply: str, history: Sequence[tuple[str, str]], knowledge: str,
                   components: Components) -> tuple[str, str]:
    """A reply whose sentences can be asked about alone, and its knowledge in the same words.

    Args:
        history: ``(speaker, text)`` before the reply; the user's last turn is what it answers.
        knowledge: What it may rest on.
        components: Those of the Q² that reads the pair.

    Example:
        >>> from frontdesk.agent.settings.settings import CheckSettings
        >>> from frontdesk.agent.turn.faithfulness import q2_components
        >>> self_contained("In Elm.", [("user", "Where is the sync?")], "The sync is in Alder.",
        ...                q2_components({}, CheckSettings()))
        ('The sync is in Elm.', 'The sync is in Alder.')
    """
    spans, plain = components.spans, components.plain
    knowledge = plain(knowledge)
    asked = plain(next((text for who, text in reversed(history) if who == USER), ""))
    reply = with_subjects_named(plain(reply), asked, knowledge, spans)
    return with_fragments_completed(reply, asked, knowledge, spans), knowledge
