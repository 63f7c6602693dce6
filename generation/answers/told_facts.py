"""Facts from plain text: sentences that nobody has put into a graph, as generators read facts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from frontdesk.kg.graph.facts import Fact
from frontdesk.scoring.ranked_fact import RankedFact

#: The predicate of what is only told in words.
TOLD = "told"
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")


def told_facts(sentences: Sequence[str], *, relevance: float = 1.0, source: str = ""
               ) -> list[RankedFact]:
    """Each sentence as a fact of its own whose words can be copied, the most relevant first.

    Args:
        sentences: The most relevant first.
        relevance: Of each, in [0, 1].
        source: Where they are quoted from; empty where that is not known.
    """
    return [RankedFact(Fact(TOLD, (tuple(dict.fromkeys(_WORD.findall(sentence))),)), sentence,
                       relevance, source=source) for sentence in sentences]
