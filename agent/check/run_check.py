"""``frontdesk check``: line by line, so that what is done is on disk."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import groupby, islice, zip_longest
from pathlib import Path
from statistics import fmean
from typing import Any, TextIO

from frontdesk.agent.check.check_cases import INPUTS, CheckCase, read_case
from frontdesk.agent.check.checker import Checker
from frontdesk.agent.evaluation.progress_display import tracked
from frontdesk.agent.evaluation.reports.report_pages import fixed, report_page
from frontdesk.agent.evaluation.results import write_whole
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.kg.graph.errors import FormatError, FrontdeskError, InputError

Line = dict[str, Any]


def run_check(options: argparse.Namespace) -> int:
    """Check as the options say.

    Returns:
        0; 1 when lines could not be checked.

    Raises:
        FrontdeskError: The options, the files or the components are not usable.
    """
    if options.batch_size < 1:
        raise InputError(f"--batch-size is {options.batch_size}", remedy="Give 1 or more")
    if str(options.output) == "-":
        options.output = None
    if options.resume and (options.output is None or options.input is None
                           or not options.input.is_file()):
        raise InputError("--resume needs --input and --output", remedy="Name both files")
    if options.output is not None and options.output.exists() and not options.resume:
        raise InputError(f"{options.output} exists already",
                         remedy="Remove it, choose another --output, or go on by --resume")
    if options.input is not None and options.output is not None \
            and options.input.resolve() == options.output.resolve():
        raise InputError("--input and --output are the same file", remedy="Name two files")
    if options.report is not None and not options.report.resolve().parent.is_dir():
        raise InputError(f"there is no folder {options.report.parent}",
                         remedy="Make it, or choose another --report")
    settings = load_settings(options.config, profile=options.profile)
    with ExitStack() as stack:
        lines, total = _opened(options.input, stack)
        done = _done(options.output, options.input) if options.resume else []
        checker = Checker(settings, options.domain)
        failed = sum("error" in line for line in done)
        kept = list(done) if options.report else []
        write = _writer(options.output, stack)
        rest = islice(lines, len(done), None)
        results = _checked(checker, rest, options)
        for line in tracked(results, "checking", total - len(done)) if total else results:
            write(line)
            failed += "error" in line
            if options.report:
                kept.append(line)
    if options.report:
        from frontdesk.agent.check.run_check import check_page

        write_whole(options.report, check_page(kept).decode())
        sys.stderr.write(f"frontdesk: {options.report}\n")
    if failed:
        sys.stderr.write(f"frontdesk: {failed} lines could not be checked, their error says why\n")
    return 1 if failed else 0


def _opened(path: Path | None, stack: ExitStack) -> tuple[Iterator[tuple[int, str]], int]:
    """The lines that say something, with their numbers, and how many they are, 0 if unknown."""
    if path is None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")
        return _numbered(sys.stdin), 0
    try:
        total = 0
        if path.is_file():  # what is piped can be read once
            with path.open(encoding="utf-8", errors="replace") as stream:
                total = sum(1 for _ in _numbered(stream))
        return _numbered(stack.enter_context(path.open(encoding="utf-8", errors="replace"))), total
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror})", remedy="Check the path"
                         ) from error


def _numbered(stream: Iterable[str]) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(stream, start=1) if line.strip())


def _writer(path: Path | None, stack: ExitStack) -> Any:
    try:
        stream: TextIO = sys.stdout if path is None else stack.enter_context(
            path.open("a", encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot write {path} ({error.strerror})",
                         remedy="Choose another --output") from error

    def write(line: Line) -> None:
        try:
            text = json.dumps(line, ensure_ascii=False)
            # Lone surrogates, which no file can hold, as JSON escapes them.
            stream.write(text.encode("utf-8", "backslashreplace").decode() + "\n")
            stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InputError(f"cannot write {path} ({error.strerror})",
                             remedy="Make room, and go on with --resume") from error
    return write


def _checked(checker: Checker, lines: Iterator[tuple[int, str]],
             options: argparse.Namespace) -> Iterator[Line]:
    """The lines of the output, in the order of the input."""
    name = str(options.input) if options.input else "standard input"
    # What is typed or piped is answered at once.
    size = options.batch_size if options.input else 1
    while batch := list(islice(lines, size)):
        read = [_read(text, f"{name}, line {number}") for number, text in batch]
        found = iter(_all_checked(checker, [each for each in read if isinstance(each, CheckCase)]))
        for each, (number, _) in zip(read, batch, strict=True):
            line = next(found) if isinstance(each, CheckCase) else each
            if "error" in line:
                if isinstance(each, CheckCase):
                    line["error"] = f"{name}, line {number}: {line['error']}"
                sys.stderr.write(f"frontdesk: {line['error']}\n")
            yield line


def _read(text: str, place: str) -> CheckCase | Line:
    try:
        return read_case(text, place)
    except FormatError as error:
        return {"error": str(error)}


def _all_checked(checker: Checker, cases: Sequence[CheckCase]) -> list[Line]:
    """The lines of cases; where a batch fails, those of each by itself."""
    try:
        return checker.check(cases) if cases else []
    except FrontdeskError as error:
        if len(cases) == 1:
            return [{**cases[0].line, "error": str(error)}]
        return [_all_checked(checker, [case])[0] for case in cases]


def _done(output: Path, source: Path) -> list[Line]:
    """The lines that an output has; only a last one that was cut off goes.

    Raises:
        InputError: The output is not that of the input.
    """
    if not output.exists():
        return []
    *whole, cut_off = output.read_bytes().split(b"\n")
    with source.open(encoding="utf-8", errors="replace") as given:
        wanted = [line for _, line in islice(_numbered(given), len(whole))]
    found = [_result(text) for text in whole]
    for number, (line, text) in enumerate(zip_longest(found, wanted), start=1):
        if line is None or text is None or not _is_of(line, text):
            raise InputError(f"line {number} of {output} is no result of a line of {source}",
                             remedy="Choose another --output")
    if cut_off:
        os.truncate(output, sum(len(text) + 1 for text in whole))
    return [line for line in found if line is not None]


def _result(text: bytes) -> Line | None:
    try:
        line = json.loads(text)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def _is_of(line: Line, wanted: str) -> bool:
    given = _read(wanted, "")
    if not isinstance(given, CheckCase):
        return "error" in line
    return ("skipped" in line or "error" in line) and all(
        line.get(key) == given.line.get(key) for key in INPUTS)


#: Below this score an answer of Q² is shown as one that the knowledge does not give.
_AGREES = 0.5
_GOOD = ("supported", "no_claims")


def check_page(lines: Sequence[Mapping[str, Any]]) -> bytes:
    """The page as UTF-8.

    Args:
        lines: Of the output of ``frontdesk check``.
    """
    return report_page("checked_replies.html", "Checked replies", summary=_summary(lines),
                       lines=[_reply(line) for line in lines])


def _summary(lines: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    q2 = [line["q2"] for line in lines if line.get("q2") is not None]
    pmi = [line["pmi_faith"] for line in lines if line.get("pmi_faith") is not None]
    judged = [line for line in lines if line.get("verdict") is not None]
    bad = sum(line["verdict"] not in _GOOD for line in judged)
    faithful = [line["faithfulness"] for line in lines if line.get("faithfulness") is not None]
    pairs = [("Replies", str(len(lines))),
             ("Mean faithfulness", f"{fmean(faithful):.3f}" if faithful else "–"),
             ("Mean Q²", f"{fmean(q2):.3f}" if q2 else "–"),
             ("Mean PMI-FAITH", f"{fmean(pmi):+.2f} nats" if pmi else "–"),
             ("Refused by the graph", f"{bad} of {len(judged)}" if judged else "–")]
    errors = sum("error" in line for line in lines)
    return [*pairs, *([("Not checked", str(errors))] if errors else [])]


def _reply(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line as the template reads it."""
    if "error" in line:
        return {"error": line["error"]}
    skipped, knowledge = line.get("skipped") or {}, line.get("knowledge") or ()
    return {
        "error": None, "history": [_said(turn) for turn in line.get("history") or ()],
        "parts": _marked(line),
        "scores": [("Faithfulness", _faithfulness(line)),
                   ("Q²", _score(line.get("q2"), skipped.get("q2"))),
                   ("PMI-FAITH", _score(line.get("pmi_faith"), skipped.get("pmi_faith"))),
                   ("Graph", line.get("verdict") or f"– {skipped.get('verdict', '')}")],
        "questions": [[each["question"] or "the reply as a whole", each["reply"] or "–",
                       each["knowledge"] or each.get("relation") or "no answer",
                       f"{each['score']:.2f}"] for each in line.get("q2_evidence") or ()],
        "claims": [[each["text"], each["kind"], each["verdict"], each["evidence"] or "–"]
                   for each in line.get("claims") or ()],
        "knowledge": [knowledge] if isinstance(knowledge, str) else list(knowledge)}


def _said(turn: Any) -> str:
    if isinstance(turn, Mapping):
        return f"{turn.get('speaker')}: {turn.get('text')}"
    return ": ".join(map(str, turn)) if isinstance(turn, (list, tuple)) else str(turn)


def _marked(line: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The reply in parts, each ``yes``, ``no`` or nothing; what is unsupported anywhere is no."""
    text = str(line["response"])
    kinds = [""] * len(text)
    judged = [*((each["reply"], each["score"] >= _AGREES)
                for each in line.get("q2_evidence") or () if each.get("reply")),
              *((each["text"], each["verdict"] == "supported")
                for each in line.get("claims") or ())]
    for said, supported in sorted(judged, key=lambda each: not each[1]):
        start = text.find(said)
        if start >= 0:
            kinds[start:start + len(said)] = ["yes" if supported else "no"] * len(said)
    return [("".join(char for char, _ in part), kind) for kind, part in groupby(
        zip(text, kinds, strict=True), key=lambda each: each[1])]


def _faithfulness(line: Mapping[str, Any]) -> str:
    """The score with its parts."""
    parts = ", ".join(f"{name} {value:.2f}"
                      for name, value in (line.get("faithfulness_parts") or {}).items()
                      if value is not None)
    return _score(line.get("faithfulness"), None) + (f" ({parts})" if parts else "")


def _score(value: float | None, why: str | None) -> str:
    return fixed(value) if value is not None else f"– {why or ''}"
