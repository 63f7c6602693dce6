"""The KVRET dialogues (Stanford multi-domain): a driver asks an in-car assistant.

Reads the official JSON: a list of ``{"dialogue": [{"turn", "data"}], "scenario": {"kb", "task",
"uuid"}}``. Every dialogue has a domain and a small knowledge base of its own, a table. Source:
Eric et al., *Key-Value Retrieval Networks for Task-Oriented Dialogue*, SIGDIAL 2017.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, get_args

from frontdesk.data.datasets.defects import Defect, DefectKind
from frontdesk.data.datasets.formats import DataFormat, expect, json_type, read_data, require
from frontdesk.kg.graph.errors import FormatError

Domain = Literal["weather", "navigate", "schedule"]

_DRIVER, _ASSISTANT = "driver", "assistant"
#: How the tables write that there is no value.
_ABSENT = ("", "-")
_POI = "poi"
_SHORT = 60


@dataclass(frozen=True)
class KvretTurn:
    """What the driver said and what the assistant answered.

    Args:
        number: From 1.
        user: The driver's words, blanks reduced to single ones; empty when there are none.
        reference: The assistant's answer; None when there is none or it is empty.
        requested: Columns that the driver asks for; None when not annotated.
        slots: Column → value that the driver gives; None when not annotated.
    """

    number: int
    user: str
    reference: str | None
    requested: tuple[str, ...] | None
    slots: Mapping[str, str] | None


@dataclass(frozen=True)
class KvretDialogue:
    """A dialogue with its table.

    Args:
        id: Unique within the file: the ``uuid``, with ``#2`` and so on where it is repeated.
        domain: ``weather``, ``navigate`` or ``schedule``.
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
class KvretPlace:
    """A point of interest of the ontology; empty strings stand for what is not known."""

    name: str
    address: str
    type: str


@dataclass(frozen=True)
class KvretEntities:
    """The ontology of all domains.

    Args:
        forms: Type (``poi``, ``date``, …) → surface forms as written in the file, some with
            underscores for blanks; ``poi`` has the names of the places, ``address`` their
            addresses.
        places: The entries of ``poi``.
    """

    forms: Mapping[str, tuple[str, ...]]
    places: tuple[KvretPlace, ...]


def load_kvret(path: str | Path) -> list[KvretDialogue]:
    """All dialogues of a file, in its order.

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
    return [_Reader(entry, number, path, seen).dialogue()
            for number, entry in enumerate(entries, start=1)]


def load_kvret_entities(path: str | Path) -> KvretEntities:
    """The ontology, ``kvret_entities.json``.

    Raises:
        FormatError: There is no such file or it is not in the format of the ontology.
    """
    path, source = Path(path), DataFormat.KVRET_ENTITIES
    content = expect(read_data(path, source), dict, "the file", str(path), source)
    forms: dict[str, list[str]] = {}
    places = []
    for kind, values in content.items():
        place = f"{path}, {kind!r}"
        forms.setdefault(kind, [])
        for value in expect(values, list, "the entry", place, source):
            if isinstance(value, dict):
                known = {key: _text(value.get(key)) or "" for key in (_POI, "address", "type")}
                places.append(KvretPlace(known[_POI], known["address"], known["type"]))
                forms[kind].append(known[_POI])
                forms.setdefault("address", []).append(known["address"])
            else:
                forms[kind].append(expect(value, str, "a surface form", place, source).strip())
    return KvretEntities(
        {kind: tuple(dict.fromkeys(form for form in listed if form))
         for kind, listed in forms.items()}, tuple(places))


@dataclass(frozen=True)
class _Said:
    """Consecutive utterances of one speaker as one."""

    speaker: str
    text: str
    requested: tuple[str, ...] | None
    slots: Mapping[str, str] | None


class _Reader:
    """Reads one dialogue and notes what is wrong with it."""

    def __init__(self, entry: Any, number: int, path: Path, seen: set[str]) -> None:
        self.path = path
        self.defects: list[Defect] = []
        self.entry = entry
        self.name = f"dialogue {number}"
        self.scenario = require(entry, "scenario", dict, self._place(), DataFormat.KVRET)
        self.id = self._identify(number, seen)
        self.name = f"dialogue {self.id!r}"

    def dialogue(self) -> KvretDialogue:
        domain = self._domain()
        columns, items = self._knowledge_base()
        turns = tuple(self._turns())
        return KvretDialogue(self.id, domain, columns, items, turns, tuple(self.defects))

    def _identify(self, number: int, seen: set[str]) -> str:
        uuid = _text(self.scenario.get("uuid"))
        if not uuid:
            self._note(DefectKind.MISSING_ID)
            uuid = f"dialogue-{number}"
        unique, copies = uuid, 1
        while unique in seen:
            copies += 1
            unique = f"{uuid}#{copies}"
        if copies > 1:
            self._note(DefectKind.REPEATED_ID, detail=uuid)
        seen.add(unique)
        return unique

    def _domain(self) -> Domain:
        task = require(self.scenario, "task", dict, self._place(), DataFormat.KVRET)
        intent = require(task, "intent", str, self._place(), DataFormat.KVRET)
        for domain in get_args(Domain):
            if intent.strip() == domain:
                known: Domain = domain
                return known
        raise FormatError(f"the intent is {intent!r}", place=self._place(),
                          remedy=f"The domains are {', '.join(get_args(Domain))}")

    def _knowledge_base(self) -> tuple[tuple[str, ...], tuple[Mapping[str, str], ...]]:
        place = f"{self._place()}, kb"
        kb = self.scenario.get("kb")
        kb = {} if kb is None else expect(kb, dict, "the knowledge base", place,
                                          DataFormat.KVRET)
        columns, items = (
            [] if kb.get(key) is None else expect(kb[key], list, repr(key), place,
                                                  DataFormat.KVRET)
            for key in ("column_names", "items"))
        names = {expect(name, str, "a column name", place, DataFormat.KVRET).strip(): None
                 for name in columns}
        if not items:
            self._note(DefectKind.EMPTY_KNOWLEDGE_BASE)
        rows: list[Mapping[str, str]] = []
        for number, item in enumerate(items, start=1):
            row = dict(self._row(expect(item, dict, f"item {number}", place, DataFormat.KVRET),
                                 f"item {number}"))
            for name in row.keys() - names.keys():
                if columns:
                    self._note(DefectKind.UNDECLARED_COLUMN, f"item {number}", name)
            names.update(dict.fromkeys(row))
            if row in rows:
                self._note(DefectKind.REPEATED_ITEM, f"item {number}")
            rows.append(row)
        return tuple(names), tuple(rows)

    def _row(self, item: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
        for column, value in item.items():
            if not isinstance(value, str):
                self._note(DefectKind.NON_TEXT_VALUE, where, f"{column}: {value!r}")
            text = _text(value)
            if text is not None and text not in _ABSENT:
                yield column.strip(), text

    def _turns(self) -> Iterator[KvretTurn]:
        said = list(self._said())
        if not said:
            self._note(DefectKind.NO_TURNS)
        number, position = 0, 0
        before: tuple[str, str | None] | None = None
        while position < len(said):
            number += 1
            user = said[position] if said[position].speaker == _DRIVER else None
            position += user is not None
            answer = said[position] if position < len(said) else None
            position += 1
            if user is None:
                self._note(DefectKind.ANSWER_WITHOUT_USER, f"turn {number}")
            if answer is None:
                self._note(DefectKind.UNANSWERED_TURN, f"turn {number}")
            turn = KvretTurn(number, user.text if user else "",
                             answer.text or None if answer else None,
                             answer.requested if answer else None,
                             answer.slots if answer else None)
            if (turn.user, turn.reference) == before:
                self._note(DefectKind.REPEATED_TURN, f"turn {number}", turn.user)
            before = turn.user, turn.reference
            yield turn

    def _said(self) -> Iterator[_Said]:
        """What was said, speakers alternating."""
        log = require(self.entry, "dialogue", list, self._place(), DataFormat.KVRET)
        utterances = [self._utterance(each, f"utterance {number}")
                      for number, each in enumerate(log, start=1)]
        position = 0
        for speaker, run in groupby(utterances, key=lambda each: each.speaker):
            group = list(run)
            yield self._join(speaker, group, position)
            position += len(group)

    def _join(self, speaker: str, group: Sequence[_Said], position: int) -> _Said:
        texts = [group[0].text] if group[0].text else []
        for offset, each in enumerate(group[1:], start=2):
            where = f"utterance {position + offset}"
            if each.text == group[offset - 2].text:
                self._note(DefectKind.REPEATED_UTTERANCE, where, each.text)
                continue
            self._note(DefectKind.SAME_SPEAKER_TWICE, where, each.text)
            if each.text:
                texts.append(each.text)
        requested = [each.requested for each in group if each.requested is not None]
        slots = [each.slots for each in group if each.slots is not None]
        return _Said(
            speaker, " ".join(texts),
            tuple(dict.fromkeys(name for names in requested for name in names))
            if requested else None,
            {name: value for each in slots for name, value in each.items()} if slots else None)

    def _utterance(self, entry: Any, where: str) -> _Said:
        place = f"{self._place()}, {where}"
        speaker = require(entry, "turn", str, place, DataFormat.KVRET)
        if speaker not in (_DRIVER, _ASSISTANT):
            raise FormatError(f"the speaker is {speaker!r}", place=place,
                              remedy=f"The speakers are {_DRIVER} and {_ASSISTANT}")
        data = require(entry, "data", dict, place, DataFormat.KVRET)
        raw = data.get("utterance")
        if not isinstance(raw, str):
            self._note(DefectKind.NON_TEXT_UTTERANCE, where, repr(raw))
        text = " ".join((_text(raw) or "").split())
        if not text:
            self._note(DefectKind.EMPTY_UTTERANCE, where)
        if speaker == _DRIVER:
            return _Said(speaker, text, None, None)
        if data.get("requested") is None or data.get("slots") is None:
            self._note(DefectKind.MISSING_SLOTS, where)
        return _Said(speaker, text, self._requested(data.get("requested"), where),
                     self._slots(data.get("slots"), where))

    def _requested(self, value: Any, where: str) -> tuple[str, ...] | None:
        if value is None:
            return None
        if not isinstance(value, dict):
            self._note(DefectKind.UNREADABLE_SLOT, where, f"requested is {json_type(value)}")
            return None
        for column, wanted in value.items():
            if not isinstance(wanted, bool):
                self._note(DefectKind.UNREADABLE_SLOT, where, f"{column}: {wanted!r}")
        return tuple(column.strip() for column, wanted in value.items() if wanted is True)

    def _slots(self, value: Any, where: str) -> Mapping[str, str] | None:
        if value is None:
            return None
        if not isinstance(value, dict):
            self._note(DefectKind.UNREADABLE_SLOT, where, f"slots is {json_type(value)}")
            return None
        slots = {}
        for column, raw in value.items():
            text = _text(raw)
            if not isinstance(raw, str):
                self._note(DefectKind.UNREADABLE_SLOT, where, f"{column}: {raw!r}")
            if text:
                slots[column.strip()] = text
        return slots

    def _place(self) -> str:
        return f"{self.path}, {self.name}"

    def _note(self, kind: DefectKind, where: str = "", detail: str = "") -> None:
        place = f"{self.name}, {where}" if where else self.name
        self.defects.append(Defect(kind, place, detail[:_SHORT]))


def _text(value: Any) -> str | None:
    """Text or a number as text; None for all else."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int | float) and not isinstance(value, bool) and value == value:
        return str(value)
    return None
