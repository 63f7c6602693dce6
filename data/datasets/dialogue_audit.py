"""Replies of people and systems that experts judged by the knowledge they were to rest on.

Reads lines of JSON with ``system``, ``source``, ``knowledge``, ``history``, ``response`` and
``labels``. Source: Dziri et al., *On the Origin of Hallucinations in Conversational Models*, NAACL
2022 (MIT).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frontdesk.data.datasets.defects import Defect, DefectKind, DefectLog
from frontdesk.data.datasets.formats import filled_lines
from frontdesk.kg.graph.errors import FormatError

_REMEDY = "Name a file of the dialogue audit, dialogue_audit.jsonl.gz"
#: The labels by how they begin: some were typed with a slip, two of them as one.
_LABELS = {"entail": "entailment", "hallucinat": "hallucination",
           "partial": "partial hallucination", "generic": "generic", "uncoop": "uncooperative"}
_SEPARATORS = re.compile(r"[.,;/]+")


@dataclass(frozen=True)
class AuditedReply:
    """A judged reply.

    Args:
        system: Who said it: ``gold`` for people.
        source: The data set that the dialogue is from.
        knowledge: May be empty.
        history: The turn before; may be empty.
        labels: Of ``entailment``, ``hallucination``, ``partial hallucination``, ``generic`` and
            ``uncooperative``, at least one.
    """

    system: str
    source: str
    knowledge: str
    history: str
    response: str
    labels: frozenset[str]

    @property
    def faithful(self) -> bool:
        """Whether all that the reply says follows from the knowledge, and it says something."""
        return "entailment" in self.labels \
            and not self.labels & {"hallucination", "partial hallucination", "generic"}


def load_dialogue_audit(path: str | Path) -> tuple[list[AuditedReply], list[Defect]]:
    """The replies of a file, and what is left out.

    Args:
        path: Plain or compressed with gzip.

    Raises:
        FormatError: There is no such file, or it has no judged reply.
    """
    path = Path(path)
    log = DefectLog(path.name)
    replies = []
    for number, line in filled_lines(path):
        with log.leaving_out(DefectKind.UNREADABLE_RECORD, f"line {number}"):
            replies.append(_reply(line))
    if not replies:
        raise FormatError("the file holds no judged reply", place=str(path), remedy=_REMEDY)
    return replies, log.found


def _reply(line: str) -> AuditedReply:
    try:
        data: Any = json.loads(line)
        texts = {name: data[name]
                 for name in ("system", "source", "knowledge", "history", "response")}
        labels = frozenset(_labels(data["labels"]))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise FormatError(f"this is no judged reply ({error})", remedy=_REMEDY) from error
    if not all(isinstance(each, str) for each in texts.values()) or not labels:
        raise FormatError("this is no judged reply", remedy=_REMEDY)
    return AuditedReply(**texts, labels=labels)


def _labels(given: Sequence[str]) -> Iterator[str]:
    for text in given:
        for part in _SEPARATORS.split(text.casefold()):
            known = [label for start, label in _LABELS.items() if part.strip().startswith(start)]
            if not known:
                raise FormatError(f"{part.strip()!r} is no label of a reply", remedy=_REMEDY)
            yield known[0]
