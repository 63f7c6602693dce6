"""The KVRET dialogues (Stanford multi-domain): a driver asks an in-car assistant.

Reads the official JSON: a list of ``{"dialogue": [{"turn", "data"}], "scenario": {"kb", "task",
"uuid"}}``. Every dialogue has a domain and a small knowledge base of its own, a table. Source:
Eric et al., *Key-Value Retrieval Networks for Task-Oriented Dialogue*, SIGDIAL 2017.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, Literal, get_args

from frontdesk.data.datasets.defects import Defect, DefectKind, DefectLog
from frontdesk.data.datasets.formats import (
    DataFormat,
    expect,
    json_type,
    read_data,
    require,
    unused,
)
from frontdesk.kg.graph.errors import FormatError

Domain = Literal["weather", "navigate", "schedule", "unknown"]

_DRIVER, _ASSISTANT = "driver", "assistant"
#: How the tables write that there is no value.
_ABSENT = ("", "-")
_POI = "poi"
#: A column that only the tables of a domain have.
_COLUMNS: dict[str, Domain] = {"location": "weather", _POI: "navigate", "event": "schedule"}


@dataclass(frozen=True)
class KvretTurn:
    """What the driver said and what the assistant answered.

    Args:
        number: From 1.
        user: The driver's words, blanks reduced to single ones; empty when there are none.
        reference: The assistant's answer; None when there is none or it is empty.
    """

    number: int
    user: str
    reference: str | None


@dataclass(frozen=True)
class KvretDialogue:
    """A dialogue with its table.

    Args:
        id: Unique within the file: the ``uuid``, with ``#2`` and so on where it is repeated.
        domain: ``unknown`` where neither its task nor its table tells.
        columns: Of the table, in the order of the file; empty when not given.
        items: Rows, column → value; a column without a value is not in the row.
        turns: In order; empty when nothing was said.
        defects: What was repaired, left out or missing.
    """

    id: str
    domain: Domain
    columns: tuple[str, ...]
    items: tuple[Mapping[str, str], ...]
    turns: tuple[KvretTurn, ...]
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True)
class KvretEntities:
    """The ontology of all domains.

    Args:
        forms: Type (``poi``, ``date``, …) → surface forms as written in the file, some with
            underscores for blanks; ``poi`` has the names of the places, ``address`` their
            addresses.
    """

    forms: Mapping[str, tuple[str, ...]]
    defects: tuple[Defect, ...] = ()


def load_kvret(path: str | Path) -> list[KvretDialogue]:
    """All dialogues of a file, in its order; one may have nothing but defects.

    Args:
        path: The JSON file, plain or compressed with gzip.

    Raises:
        FormatError: There is no such file or it is not in the KVRET format.
    """
    path = Path(path)
    entries = expect(read_data(path, DataFormat.KVRET), list, "the file", str(path),
                     DataFormat.KVRET)
    if not entries:
        raise FormatError("the file holds no dialogues", place=str(path),
                          remedy="Name an official file of KVRET dialogues")
    seen: set[str] = set()
    dialogues = [_Reader(entry, number, seen).dialogue()
                 for number, entry in enumerate(entries, start=1)]
    if not any(each.turns or each.items for each in dialogues):
        defect = dialogues[0].defects[0]
        raise FormatError(f"nothing of any dialogue can be read ({defect.kind})",
                          place=f"{path}, {defect.place}",
                          remedy="Name an official file of KVRET dialogues")
    return dialogues


def load_kvret_entities(path: str | Path) -> KvretEntities:
    """The ontology, ``kvret_entities.json``.

    Raises:
        FormatError: There is no such file or it is not in the format of the ontology.
    """
    path, source = Path(path), DataFormat.KVRET_ENTITIES
    content = expect(read_data(path, source), dict, "the file", str(path), source)
    forms: dict[str, list[str]] = {}
    log = DefectLog(path.name)
    for kind, values in content.items():
        with log.leaving_out(DefectKind.UNREADABLE_RECORD, repr(kind)):
            listed = forms.setdefault(kind, [])
            for number, value in enumerate(expect(values, list, "the entry", "", source), start=1):
                if isinstance(value, dict):
                    listed.append(_text(value.get(_POI)) or "")
                    forms.setdefault("address", []).append(_text(value.get("address")) or "")
                else:
                    where = f"{kind!r}, surface form {number}"
                    listed.append(log.text(value, where))
                    if value is None:
                        log.note(DefectKind.NON_TEXT_VALUE, where, json_type(value))
    found = {kind: tuple(dict.fromkeys(form for form in listed if form))
             for kind, listed in forms.items()}
    if not any(found.values()):
        raise FormatError("the file holds no surface forms", place=str(path),
                          remedy=f"Name an official file of {source}")
    return KvretEntities(found, tuple(log.found))


@dataclass(frozen=True)
class _Said:
    """Consecutive utterances of one speaker as one, the first at a position in the file."""

    position: int
    speaker: str
    text: str


class _Reader:
    """Reads one dialogue and notes what is wrong with it."""

    def __init__(self, entry: Any, number: int, seen: set[str]) -> None:
        self.log = DefectLog(f"dialogue {number}")
        self.entry = self._object(entry, "", DefectKind.UNREADABLE_DIALOGUE)
        self.scenario = self._object(self.entry.get("scenario"), "scenario",
                                     DefectKind.UNREADABLE_DIALOGUE)
        self.id = self._identify(number, seen)
        self.log.name = f"dialogue {self.id!r}"

    def dialogue(self) -> KvretDialogue:
        columns, items = self._knowledge_base()
        domain = self._domain(columns)
        turns = tuple(self._turns())
        return KvretDialogue(self.id, domain, columns, items, turns, tuple(self.log.found))

    def _object(self, value: Any, where: str, kind: DefectKind) -> Mapping[str, Any]:
        """An object; empty where it is something else."""
        if isinstance(value, dict):
            return value
        if kind is not DefectKind.UNREADABLE_DIALOGUE or not self._unreadable():
            self.log.note(kind, where, f"it is {json_type(value)}")
        return {}

    def _unreadable(self) -> bool:
        """Whether it was noted that the dialogue cannot be read: once is enough."""
        return any(each.kind is DefectKind.UNREADABLE_DIALOGUE for each in self.log.found)

    def _identify(self, number: int, seen: set[str]) -> str:
        uuid = _text(self.scenario.get("uuid"))
        if not uuid:
            self.log.note(DefectKind.MISSING_ID)
            uuid = f"dialogue-{number}"
        unique = unused(uuid, seen, "#")
        if unique != uuid:
            self.log.note(DefectKind.REPEATED_ID, detail=uuid)
        seen.add(unique)
        return unique

    def _domain(self, columns: Sequence[str]) -> Domain:
        task = self.scenario.get("task")
        intent = task.get("intent") if isinstance(task, dict) else None
        for domain in get_args(Domain):
            if domain == _text(intent):
                known: Domain = domain
                return known
        self.log.note(DefectKind.UNKNOWN_DOMAIN, detail=repr(intent))
        return next((_COLUMNS[column] for column in columns if column in _COLUMNS), "unknown")

    def _knowledge_base(self) -> tuple[tuple[str, ...], tuple[Mapping[str, str], ...]]:
        given = self.scenario.get("kb")
        kb = self._object({} if given is None else given, "kb", DefectKind.UNREADABLE_ENTRY)
        columns, items = (self._list(kb.get(key), f"kb, {key}")
                          for key in ("column_names", "items"))
        names = {name: None for number, column in enumerate(columns, start=1)
                 if (name := self.log.text(column, f"column {number}"))}
        if not items:
            self.log.note(DefectKind.EMPTY_KNOWLEDGE_BASE)
        rows: list[Mapping[str, str]] = []
        for number, item in enumerate(items, start=1):
            where = f"item {number}"
            row = dict(self._row(self._object(item, where, DefectKind.UNREADABLE_ENTRY), where))
            for name in row.keys() - names.keys():
                if columns:
                    self.log.note(DefectKind.UNDECLARED_COLUMN, where, name)
            names.update(dict.fromkeys(row))
            if row and row in rows:
                self.log.note(DefectKind.REPEATED_ITEM, where)
            if row or isinstance(item, dict):
                rows.append(row)
        return tuple(names), tuple(rows)

    def _list(self, value: Any, where: str) -> list[Any]:
        """A list; empty where there is none."""
        if value is not None and not isinstance(value, list):
            self.log.note(DefectKind.UNREADABLE_ENTRY, where, f"it is {json_type(value)}")
        return value if isinstance(value, list) else []

    def _row(self, item: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
        for column, value in item.items():
            if not isinstance(value, str):
                self.log.note(DefectKind.NON_TEXT_VALUE, where, f"{column}: {value!r}")
            text = _text(value)
            if text is not None and text not in _ABSENT:
                yield column.strip(), text

    def _turns(self) -> Iterator[KvretTurn]:
        said = list(self._said())
        if not said and not self._unreadable():
            self.log.note(DefectKind.NO_TURNS)
        number, position = 0, 0
        before: tuple[str, str | None] | None = None
        while position < len(said):
            number += 1
            user = said[position] if said[position].speaker == _DRIVER else None
            position += user is not None
            answer = said[position] if position < len(said) else None
            position += 1
            if user is None:
                self.log.note(DefectKind.ANSWER_WITHOUT_USER, f"turn {number}")
            if answer is None:
                self.log.note(DefectKind.UNANSWERED_TURN, f"turn {number}")
            turn = KvretTurn(number, user.text if user else "",
                             answer.text or None if answer else None)
            if (turn.user, turn.reference) == before:
                self.log.note(DefectKind.REPEATED_TURN, f"turn {number}", turn.user)
            before = turn.user, turn.reference
            yield turn

    def _said(self) -> Iterator[_Said]:
        """What was said, speakers alternating."""
        log = self.entry.get("dialogue")
        if not isinstance(log, list):
            if not self._unreadable():
                self.log.note(DefectKind.UNREADABLE_DIALOGUE, detail=f"it is {json_type(log)}")
            log = []
        utterances = []
        for number, each in enumerate(log, start=1):
            with self.log.leaving_out(DefectKind.UNREADABLE_TURN, f"utterance {number}"):
                utterances.append(self._utterance(each, number, f"utterance {number}"))
        for speaker, run in groupby(utterances, key=lambda each: each.speaker):
            yield self._join(speaker, list(run))

    def _join(self, speaker: str, group: Sequence[_Said]) -> _Said:
        texts = [group[0].text] if group[0].text else []
        for before, each in pairwise(group):
            where = f"utterance {each.position}"
            if each.text == before.text:
                self.log.note(DefectKind.REPEATED_UTTERANCE, where, each.text)
                continue
            self.log.note(DefectKind.SAME_SPEAKER_TWICE, where, each.text)
            if each.text:
                texts.append(each.text)
        return _Said(group[0].position, speaker, " ".join(texts))

    def _utterance(self, entry: Any, number: int, where: str) -> _Said:
        speaker = require(entry, "turn", str, where, DataFormat.KVRET)
        if speaker not in (_DRIVER, _ASSISTANT):
            raise FormatError(f"the speaker is {speaker!r}", place=where,
                              remedy=f"The speakers are {_DRIVER} and {_ASSISTANT}")
        data = require(entry, "data", dict, where, DataFormat.KVRET)
        raw = data.get("utterance")
        if not isinstance(raw, str):
            self.log.note(DefectKind.NON_TEXT_UTTERANCE, where, repr(raw))
        text = " ".join((_text(raw) or "").split())
        if not text:
            self.log.note(DefectKind.EMPTY_UTTERANCE, where)
        return _Said(number, speaker, text)


def _text(value: Any) -> str | None:
    """Text or a number as text; None for all else."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int | float) and not isinstance(value, bool) and value == value:
        return str(value)
    return None
