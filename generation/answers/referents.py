"""Names in a reply: what one may refer to that is worth a suggestion, and lists to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.rules.linking.linking import LinkedMention

#: Entities that a question offers at most.
MOST_OPTIONS = 5
#: How probable what a name may mean must be to be asked about.
_LEAST = 0.2


def worth_suggesting(linked: LinkedMention) -> tuple[str, ...]:
    """Entities to ask about for a name that none is sure enough to bear; none where all are
    improbable."""
    found = [entity for entity, probability in linked.ranked if probability >= _LEAST]
    return tuple(found[:MOST_OPTIONS])


def alternatives(options: Sequence[str]) -> str:
    """``A``, ``A or B``, ``A, B or C``."""
    return ", ".join(options[:-1]) + " or " + options[-1] if len(options) > 1 else options[0]


def quote(text: str, longest: int = 60) -> str:
    """A user's words in quotation marks, cut where they are long."""
    return f"“{text if len(text) <= longest else text[:longest - 1] + '…'}”"
