"""Records the turns of dialogues for a training, each dialogue once."""

from __future__ import annotations

import argparse
import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from frontdesk.agent.evaluation.progress_display import tracked
from frontdesk.agent.evaluation.results import code_digest, write_whole
from frontdesk.agent.training.generator.generator_data import DialogueToRecord, record
from frontdesk.agent.training.generator.record import RecordedTurn
from frontdesk.agent.training.model_card import CardFile
from frontdesk.generation.voice.pointer.source import SourceFact
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.facts import Argument
from frontdesk.kg.graph.windows import Window, WindowKind

_RECORDED = "recorded.jsonl"


class Recorder:
    """Records the dialogues of a training into its output folder.

    Args:
        options: Of the command: ``output``, ``facts``, ``augmented``, ``simulated``, ``seed``,
            ``jobs``.

    Raises:
        InputError: The folder cannot be written to.
    """

    def __init__(self, options: argparse.Namespace, cards: Sequence[CardFile]) -> None:
        self.options = options
        self._file = RecordedFile(options.output / _RECORDED, {
            "code": code_digest(), "facts": options.facts, "augmented": options.augmented,
            "simulated": options.simulated, "seed": options.seed,
            "files": [each.sha256 for each in cards]})

    def turns(self, dialogues: Sequence[DialogueToRecord], what: str) -> list[RecordedTurn]:
        """The turns of dialogues; those that are on disk are not recorded again.

        Args:
            dialogues: In order.
            what: What is done, for the progress bar.

        Raises:
            InputError: They have no turn, or the disk is full.
        """
        turns = [turn for each in tracked(self._each(dialogues, what), what, len(dialogues))
                 for turn in each]
        if not turns:
            raise InputError(f"{what}: no dialogue has a turn of a user and a reply to it",
                             remedy="Give dialogues with replies")
        return turns

    def _each(self, dialogues: Sequence[DialogueToRecord], what: str
              ) -> Iterator[list[RecordedTurn]]:
        # Files that are learned from and held out may have the same names and ids.
        missing = [each for each in dialogues if self._file.get(f"{what}: {each.id}") is None]
        anew = record(missing, most_facts=self.options.facts, jobs=self.options.jobs)
        for each in dialogues:
            turns = self._file.get(f"{what}: {each.id}")
            if turns is None:
                turns = next(anew)
                self._file.add(f"{what}: {each.id}", turns)
            yield turns

    def remove(self) -> None:
        """Remove what is on disk, once the training is finished."""
        self._file.remove()


_SOURCE_FACT = ("text", "predicate", "relevance", "derived", "linked", "certain")


class RecordedFile:
    """A file with one finished dialogue in each line, after one that says what they depend on.

    Args:
        path: Of the file; one that holds something else is begun anew.
        identity: What the dialogues depend on, as JSON.

    Raises:
        InputError: The file cannot be written.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.path = path
        first = json.dumps({"identity": identity}, sort_keys=True) + "\n"
        self._done, kept = _read(path, first)
        # What a kill left of a last line is cut off.
        write_whole(path, kept)

    def get(self, dialogue: str) -> list[RecordedTurn] | None:
        """The turns of a dialogue; None when it is not there."""
        return self._done.get(dialogue)

    def add(self, dialogue: str, turns: Sequence[RecordedTurn]) -> None:
        """Write a finished dialogue.

        Raises:
            InputError: It cannot be written.
        """
        line = json.dumps({"dialogue": dialogue, "turns": [_turn_json(each) for each in turns]})
        try:
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(f"{line}\n")
        except OSError as error:
            raise InputError(f"cannot write {self.path} ({error.strerror})",
                             remedy="Make room, and go on with --resume") from error

    def remove(self) -> None:
        """Remove the file, which is not needed once the training is finished."""
        self.path.unlink(missing_ok=True)


def _read(path: Path, first: str) -> tuple[dict[str, list[RecordedTurn]], str]:
    """The finished dialogues of a file and its text up to the end of the last of them."""
    done: dict[str, list[RecordedTurn]] = {}
    if not path.exists():
        return done, first
    kept = []
    with path.open(encoding="utf-8") as stream:
        if stream.readline() != first:
            return done, first
        for line in stream:
            try:
                data = json.loads(line)
                done[data["dialogue"]] = [_turn(each) for each in data["turns"]]
            except (ValueError, LookupError, TypeError, AttributeError):
                break
            if not line.endswith("\n"):
                del done[data["dialogue"]]
                break
            kept.append(line)
    return done, first + "".join(kept)


def _turn_json(turn: RecordedTurn) -> dict[str, Any]:
    return {"dialogue": turn.dialogue, "number": turn.number, "domain": turn.domain,
            "history": turn.history, "features": turn.features, "names": turn.names,
            "reference": turn.reference, "facts": [
                {**{name: getattr(fact, name) for name in _SOURCE_FACT},
                 "arguments": [_argument_json(each) for each in fact.arguments]}
                for fact in turn.facts]}


def _turn(data: Mapping[str, Any]) -> RecordedTurn:
    return RecordedTurn(
        data["dialogue"], data["number"], data["domain"],
        tuple((speaker, text) for speaker, text in data["history"]),
        tuple(SourceFact(**{name: fact[name] for name in _SOURCE_FACT}, arguments=tuple(
            _argument(each) for each in fact["arguments"])) for fact in data["facts"]),
        tuple(data["features"]),
        {entity: (name, kind) for entity, (name, kind) in data["names"].items()},
        data["reference"])


def _argument_json(argument: Argument) -> Any:
    if isinstance(argument, Window):
        return {"window": [argument.start.isoformat(), argument.end.isoformat(), argument.kind]}
    if isinstance(argument, dt.date):
        return {"date": argument.isoformat()}
    if isinstance(argument, dt.time):
        return {"time": argument.isoformat()}
    if isinstance(argument, tuple):
        return [_argument_json(each) for each in argument]
    return argument


def _argument(data: Any) -> Any:
    if isinstance(data, list):
        return tuple(_argument(each) for each in data)
    if not isinstance(data, dict):
        return data
    ((kind, value),) = data.items()
    if kind == "window":
        return Window(dt.datetime.fromisoformat(value[0]), dt.datetime.fromisoformat(value[1]),
                      WindowKind(value[2]))
    return dt.date.fromisoformat(value) if kind == "date" else dt.time.fromisoformat(value)
