"""What is in a file of a data set, and what is wrong with it."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frontdesk.data.datasets.ci_tod import load_ci_tod
from frontdesk.data.datasets.data_set import DataSet, EvaluationDialogue, data_set_of
from frontdesk.data.datasets.defects import DESCRIPTIONS, Defect, DefectKind, count_defects
from frontdesk.data.datasets.dialogue_audit import load_dialogue_audit
from frontdesk.data.datasets.formats import (
    REPLACEMENT,
    DataFormat,
    decoded,
    detect_format,
    lone_surrogates,
    read_plain,
)
from frontdesk.data.datasets.generation_examples import load_generation_examples
from frontdesk.data.datasets.graphwoz_reduced import load_graphwoz_reduced
from frontdesk.data.datasets.grounded_replies import GroundedReply, load_begin, load_q2_wow
from frontdesk.data.datasets.kvret import load_kvret_entities
from frontdesk.data.datasets.parsed_files import ParsedFormat, load_parsed, parsed_format
from frontdesk.data.datasets.parsed_turns import coverage
from frontdesk.data.datasets.qamr import load_qamr

#: How many places of each kind of defect a report names.
EXAMPLES = 3


@dataclass(frozen=True)
class DataReport:
    """What is in a file.

    Args:
        file: Its name, without the folder.
        sha256: Of its content, decompressed if it is compressed, so that a compressed copy and
            the plain file have the same; hexadecimal.
        dialogues: How many there are; 0 for an ontology.
        turns: How many turns of the user there are; 0 for an ontology.
        domains: Dialogues per domain, where the file names them; for an ontology surface forms
            per type, for judged replies replies per label or labels.
        defects: How many there are of each kind that occurs, the most frequent first.
        examples: Up to 3 places for each of these kinds, with the offending value.
        forms: For files of utterances with logical forms how many turns have some; as
            :meth:`~frontdesk.data.datasets.parsed_turns.Coverage.to_dict` gives it.
    """

    file: str
    sha256: str
    format: str
    dialogues: int
    turns: int
    domains: Mapping[str, int]
    defects: Mapping[str, int]
    examples: Mapping[str, Sequence[str]]
    forms: Mapping[str, Any] | None = None

    def description(self, kind: str) -> str:
        """What a kind of defect is and how it was treated, in one line."""
        return DESCRIPTIONS[DefectKind(kind)]

    def defects_section(self) -> dict[str, dict[str, Any]]:
        """The defects for the report of an evaluation, as
        :func:`~frontdesk.data.datasets.defects.defects_section` gives them.
        """
        return {"defects": dict(self.defects),
                "descriptions": {kind: self.description(kind) for kind in self.defects}}

    def to_dict(self) -> dict[str, Any]:
        """All of it for JSON; each kind of defect with its count, description and examples."""
        forms = {} if self.forms is None else {"forms": self.forms}
        return {
            "file": self.file, "sha256": self.sha256, "format": str(self.format),
            "dialogues": self.dialogues, "turns": self.turns, "domains": dict(self.domains),
            "defects": {kind: {"count": count, "description": self.description(kind),
                               "examples": list(self.examples[kind])}
                        for kind, count in self.defects.items()}, **forms}


@dataclass(frozen=True)
class _Content:
    """What a report counts: the turns and the domain of each dialogue, and all defects."""

    turns: Sequence[int]
    domains: Mapping[str, int]
    defects: Sequence[Defect]
    forms: Mapping[str, Any] | None = None


def report_on(path: Path, data_sets: Iterable[DataSet] = ()) -> DataReport:
    """Report on a file of a data set, or of any of the known formats without dialogues.

    Args:
        path: The file, plain or compressed with gzip.
        data_sets: Those with dialogues that it may be of.

    Raises:
        FormatError: There is no such file, it has none of the formats, or it is malformed
            beyond what the loaders repair.
    """
    parsed = parsed_format(decoded(read_plain(path)))
    if parsed is not None:
        return _report(path, parsed.content, _forms(path, parsed))
    own = data_set_of(path, data_sets)
    if own is not None and own.load is not None:
        return report_of(path, own, own.load(path, "manual"))
    found = detect_format(path)
    return _report(path, found, _READERS[found](path))


def report_of(path: Path, data_set: DataSet,
              dialogues: Sequence[EvaluationDialogue]) -> DataReport:
    """Report on a file whose dialogues are loaded."""
    return _report(path, data_set.format, _Content(
        [len(each.turns) for each in dialogues], Counter(each.domain for each in dialogues),
        _all(each.defects for each in dialogues)))


def _report(path: Path, found: str, content: _Content) -> DataReport:
    data = read_plain(path)
    text = decoded(data)
    odd = text.count(REPLACEMENT) - data.count(REPLACEMENT.encode())
    defects = [*content.defects,
               *[Defect(DefectKind.HALF_CHARACTER, path.name)] * lone_surrogates(text),
               *[Defect(DefectKind.UNDECODABLE_BYTES, path.name)] * odd]
    examples: dict[str, list[str]] = defaultdict(list)
    for defect in defects:
        if len(examples[defect.kind.value]) < EXAMPLES:
            detail = f": {defect.detail}" if defect.detail else ""
            examples[defect.kind.value].append(defect.place + detail)
    return DataReport(
        path.name, hashlib.sha256(data).hexdigest(), found, len(content.turns),
        sum(content.turns), content.domains, count_defects(defects),
        {kind: tuple(places) for kind, places in examples.items()}, content.forms)


def _forms(path: Path, kind: ParsedFormat) -> _Content:
    turns, defects = load_parsed(path, kind)
    dialogues = Counter(each.dialogue for each in turns)
    return _Content(list(dialogues.values()), {}, defects, coverage(turns).to_dict())


def _reduced(path: Path) -> _Content:
    dialogues = load_graphwoz_reduced(path)
    return _Content([len(dialogue.turns) for dialogue in dialogues], {},
                    _all(dialogue.defects for dialogue in dialogues))


def _entities(path: Path) -> _Content:
    loaded = load_kvret_entities(path)
    return _Content([], {kind: len(listed) for kind, listed in loaded.forms.items()},
                    loaded.defects)


def _ci_tod(path: Path) -> _Content:
    replies, defects = load_ci_tod(path)
    return _Content([len(each.turns) // 2 for each in replies],
                    Counter(each.domain or "no table" for each in replies), defects)


def _judged(load: Callable[[Sequence[Path]], tuple[list[GroundedReply], list[Defect]]]
            ) -> Callable[[Path], _Content]:
    def read(path: Path) -> _Content:
        replies, defects = load([path])
        return _Content([1] * len(replies), Counter(each.label for each in replies), defects)
    return read


def _sentences(path: Path) -> _Content:
    """Sentences are as turns are, and their texts as dialogues."""
    sentences, defects = load_qamr(path)
    return _Content([*Counter(each.document for each in sentences).values()], {}, defects)


def _audited(path: Path) -> _Content:
    replies, defects = load_dialogue_audit(path)
    return _Content([1] * len(replies), Counter(" + ".join(sorted(each.labels))
                                                for each in replies), defects)


def _examples(path: Path) -> _Content:
    examples, defects = load_generation_examples(path)
    return _Content([1] * len(examples), Counter(each.domain for each in examples), defects)


def _all(defects: Iterable[Sequence[Defect]]) -> list[Defect]:
    return [defect for some in defects for defect in some]


_READERS: dict[DataFormat, Callable[[Path], _Content]] = {
    DataFormat.GRAPHWOZ_REDUCED: _reduced,
    DataFormat.KVRET_ENTITIES: _entities,
    DataFormat.CI_TOD: _ci_tod,
    DataFormat.BEGIN: _judged(load_begin),
    DataFormat.Q2_WOW: _judged(load_q2_wow),
    DataFormat.QAMR: _sentences,
    DataFormat.DIALOGUE_AUDIT: _audited,
    DataFormat.EXAMPLES: _examples,
}
