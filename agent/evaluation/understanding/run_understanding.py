"""``frontdesk evaluate understanding``: parse the utterances of a data set and score the forms."""

from __future__ import annotations

import argparse
import datetime as dt
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

from frontdesk.agent.evaluation.replay_dialogue import Record
from frontdesk.agent.evaluation.reports.report_measures import mapping
from frontdesk.agent.evaluation.reports.report_pages import fixed, report_page
from frontdesk.agent.evaluation.reports.report_tables import run_facts, spoken
from frontdesk.agent.evaluation.results import (
    PAGE,
    RunFolder,
    check_options,
    code_digest,
    file_digests,
    run_section,
    single_path,
    write_whole,
)
from frontdesk.agent.evaluation.understanding.score_forms import (
    TurnScore,
    measure_understanding,
    score_turn,
)
from frontdesk.agent.evaluation.understanding.turns_in_dialogues import with_wanted_before
from frontdesk.agent.understanding.revised_query import Revisions
from frontdesk.data.datasets.data_report import report_on
from frontdesk.data.datasets.parsed_files import FilePart, ParsedFormat, load_parsed
from frontdesk.data.datasets.parsed_turns import LANGUAGE, ParsedTurn, coverage
from frontdesk.kg.graph.logical_forms import Form, read_forms
from frontdesk.kg.parser.parser_input import ParserInput
from frontdesk.kg.parser.parser_weights import PACKAGED
from frontdesk.kg.parser.trained_parser import TrainedParser

_NAME = "understanding"
#: Options that are of other evaluations.
_NOT_HERE = ("learn_from", "thresholds", "ray", "input", "linking", "entities", "dialogues",
             "wordings")
_SHOWN = ("act_accuracy", "act_f1", "slot_f1", "form_exact_match")


def run_understanding(options: argparse.Namespace) -> int:
    """Evaluate as the options say.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable, or there are no
            weights.
    """
    check_options(_NAME, options, needed=("path", "format", "output"), unused=_NOT_HERE,
                  numbers=("limit",))
    path, kind, part = single_path(options), ParsedFormat(options.format), FilePart(options.part)
    turns, defects = load_parsed(path, kind, part)
    turns = with_wanted_before(turns[:options.limit], Revisions(LANGUAGE))
    weights = options.parser or PACKAGED
    parser = TrainedParser(LANGUAGE, weights)
    digest = "".join(file_digests([str(weights)]).values())
    data = report_on(path)
    identity = {"dataset": kind.value, "part": part.value, "sha256": data.sha256,
                "limit": options.limit, "parser": digest, "code": code_digest(),
                "version": version("frontdesk")}
    folder = RunFolder(options.output, identity, resume=options.resume)
    started, began = dt.datetime.now(dt.UTC), time.monotonic()
    records, scores = _parse(parser, [each for each in turns if each.forms], folder)
    found = coverage(turns)
    report = {
        "dataset": kind.value, "part": part.value, "turns": found.turns,
        "convertible": found.converted,
        **measure_understanding(scores, [each["milliseconds"] for each in records]),
        "not_converted": dict(found.reasons),
        "data": {"file": data.file, "sha256": data.sha256, "defects": len(defects)},
        "run": run_section(started, time.monotonic() - began, parser=digest,
                           limit=options.limit)}
    folder.finish(records, report)
    write_whole(folder.path / PAGE, understanding_page(report, records))
    _show(report)
    sys.stdout.write(f"{folder.path / PAGE}\n")
    return 0


def _parse(parser: TrainedParser, turns: list[ParsedTurn], folder: RunFolder
           ) -> tuple[list[Record], list[TurnScore]]:
    """Parse the turns that are not parsed yet, and score all."""
    there, records, scores = dict(folder.records), [], []
    for turn in track(turns, "parsing", console=Console(stderr=True)):
        context = {"asked": turn.context.asked, "forms": _texts(turn.context.forms)}
        record = there.get((turn.dialogue, turn.turn))
        if record is None or record["utterance"] != turn.utterance or record["context"] != context:
            record = _record(parser, turn, context)
            folder.add([record])
        score = score_turn((turn.forms, *turn.also), _best(record))
        records.append({**record, "acts_right": score.acts_right, "right": score.right,
                        "cells": [list(cell) for cell in score.cells]})
        scores.append(score)
    return records, scores


def _record(parser: TrainedParser, turn: ParsedTurn, context: Mapping[str, Any]) -> Record:
    began = time.perf_counter()
    readings = parser.parse(ParserInput(turn.utterance, turn.context.asked, turn.context.forms))
    spent = 1000 * (time.perf_counter() - began)
    return {"dialogue": turn.dialogue, "turn": turn.turn, "utterance": turn.utterance,
            "context": context, "gold": _texts(turn.forms),
            "also": [_texts(each) for each in turn.also],
            "parse": [{"forms": _texts(each.forms), "probability": round(each.probability, 4)}
                      for each in readings], "milliseconds": round(spent, 2)}


def _texts(forms: Sequence[Form]) -> list[str]:
    return list(map(str, forms))


def _best(record: Record) -> tuple[Form, ...]:
    """The likeliest forms; none where nothing was found."""
    return read_forms(" ".join(record["parse"][0]["forms"])) if record["parse"] else ()


def _show(report: Mapping[str, Any]) -> None:
    table = Table(box=SIMPLE_HEAD, pad_edge=False,
                  title=f"{report['dataset']}, {report['convertible']} of {report['turns']} turns")
    shown = {**{name: report[name] for name in _SHOWN},
             **{f"out of scope, {name}": value for name, value in report["out_of_scope"].items()}}
    for name in shown:
        table.add_column(name.replace("_", " "), justify="right")
    table.add_row(*("\u2013" if each is None else f"{each:.3f}" for each in shown.values()))
    Console().print(table)


_FIGURES = {"Acts right": "act_accuracy", "F1 of acts": "act_f1", "F1 of slots": "slot_f1",
            "Forms right": "form_exact_match"}
#: What the page's script reads of a turn.
_OF_TURN = ("dialogue", "turn", "utterance", "context", "gold", "also", "parse", "cells",
            "acts_right", "right")


def understanding_page(report: Mapping[str, Any], records: Sequence[Record]) -> bytes:
    """The page as UTF-8.

    Args:
        report: The contents of ``report.json``.
    """
    out, times = report["out_of_scope"], report["latency_ms"]
    acts, cells = _confusion(records)
    return report_page(
        "understanding_report.html", "Understanding of utterances",
        data={"view": "understanding",
              "turns": [{name: each[name] for name in _OF_TURN} for each in records]},
        report=report, acts=acts, cells=cells,
        names=[act.replace("_", " ") or "none" for act in acts],
        facts=[("Data set", f"{report['dataset']}, part: {report['part']}"),
               ("Turns", f"{report['turns']}, {report['convertible']} of them with forms")],
        key_figures=[*((name, fixed(report[key]), "") for name, key in _FIGURES.items()),
                     ("Out of scope", f"{fixed(out['precision'])} / {fixed(out['recall'])}",
                      "precision / recall of turns")],
        per_act=[[act, each["gold"], each["found"], each["right"], *(
            fixed(each[name]) for name in ("precision", "recall", "f1"))]
            for act, each in report["per_act"].items()],
        latency=[[spoken(times["p50"]), spoken(times["p95"])]],
        run=run_facts(mapping(report.get("run")), data=mapping(report.get("data"))))


def _confusion(records: Sequence[Record]) -> tuple[list[str], dict[str, dict[str, int]]]:
    """The acts, the most frequent first, and how often each was found for each: gold \u2192 found;
    an empty act where there is none."""
    counts = Counter((gold, found) for each in records for gold, found in each["cells"])
    often = Counter[str]()
    for (gold, found), number in counts.items():
        often[gold] += number
        often[found] += number
    acts = [act for act, _ in often.most_common() if act]
    acts += [""] * any("" in cell for cell in counts)
    return acts, {gold: {found: counts[gold, found] for found in acts} for gold in acts}
