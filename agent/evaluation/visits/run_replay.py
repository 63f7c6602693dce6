"""``frontdesk evaluate graphwoz-calendar``: dialogues replayed, their calendars compared."""

from __future__ import annotations

import argparse
import datetime as dt
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from frontdesk.agent.domains.domain_registry import pack_of_dataset
from frontdesk.agent.evaluation.evaluated_datasets import load_data
from frontdesk.agent.evaluation.reports.report_pages import report_page
from frontdesk.agent.evaluation.reports.report_tables import run_facts
from frontdesk.agent.evaluation.results import (
    PAGE,
    RunFolder,
    check_options,
    code_digest,
    run_section,
    single_path,
    write_whole,
)
from frontdesk.agent.evaluation.visits.receptionist import AgentReceptionist
from frontdesk.agent.evaluation.visits.replay_visits import Record, compare, replay
from frontdesk.agent.evaluation.visits.visit import for_evaluation
from frontdesk.agent.sessions.load_components import load_bare_encoder, load_generator
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.agent.settings.settings import Settings
from frontdesk.data.datasets.data_set import EvaluationDialogue, Input
from frontdesk.data.datasets.graphwoz_calendar import (
    AnnotatedCalendar,
    AnnotatedEvent,
    annotated_calendar,
)
from frontdesk.data.invented.visitors.judge import calendar_changes, change_text
from frontdesk.generation.voice.generator import Generator
from frontdesk.kg.graph.errors import InputError
from frontdesk.scoring.encoder import CachedEncoder, SentenceEncoder

#: With the user turns of the data alone, and with up to one closing "Yes.".
VARIANTS = ("alone", "closing yes")


def run_replay(options: argparse.Namespace) -> int:
    """Replay the dialogues that arrange something, as the options say.

    Returns:
        0, or 1 when dialogues failed.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable, or a component
            of the profile is missing.
    """
    check_options(options.dataset, options, needed=("path", "output"))
    words: Input = options.input or "manual"
    path = single_path(options)
    data = load_data(options.dataset, path, words=words)
    settings = load_settings(options.config, profile=options.profile)
    tasks = [(dialogue, calendar) for dialogue in data.dialogues
             if dialogue.annotated is not None
             and (calendar := annotated_calendar(dialogue.annotated)) is not None]
    if not tasks:
        raise InputError("no dialogue of the file arranges anything", place=str(path),
                         remedy=f"Use an official file of {data.data_set.title}, with its "
                                "annotations")
    identity = {"dataset": data.name, "sha256": data.report.sha256, "input": words,
                "profile": settings.profile, "code": code_digest(), "settings": asdict(settings)}
    folder = RunFolder(options.output, identity, resume=options.resume)
    started, began = dt.datetime.now(dt.UTC), time.monotonic()
    records = _replay_all(tasks, folder, settings, options.dataset)
    report = {"dataset": data.name, "profile": settings.profile, "input": words,
              **measure_replays(records), "dialogues": len(tasks),
              "run": run_section(started, time.monotonic() - began,
                                 settings=identity["settings"])}
    folder.finish(records, report)
    write_whole(folder.path / PAGE, replay_page(report, records))
    _show(report)
    sys.stdout.write(f"{folder.path / PAGE}\n")
    return 1 if report["failed"] else 0


def _replay_all(tasks: Sequence[tuple[EvaluationDialogue, AnnotatedCalendar]], folder: RunFolder,
                settings: Settings, dataset: str) -> list[Record]:
    """The records of all dialogues and variants, in order."""
    settings = for_evaluation(settings)
    encoder = CachedEncoder(load_bare_encoder(settings), None)
    generator = load_generator(settings, pack_of_dataset(dataset))
    keys = [(dialogue, calendar, number) for dialogue, calendar in tasks
            for number in range(len(VARIANTS))]
    try:
        with Console(stderr=True).status("") as status:
            for dialogue, calendar, number in keys:
                status.update(f"{dialogue.id}, {VARIANTS[number]}")
                if (dialogue.id, number) not in folder.records:
                    folder.add([_record(dialogue, calendar, number, settings, encoder,
                                        generator)])
    finally:
        folder.close()
    return [folder.records[dialogue.id, number] for dialogue, _, number in keys]


def _record(dialogue: EvaluationDialogue, calendar: AnnotatedCalendar, number: int,
            settings: Settings, encoder: SentenceEncoder, generator: Generator | None) -> Record:
    """One dialogue in one variant."""
    kb = calendar.organisation
    record: Record = {"dialogue": dialogue.id, "turn": number, "variant": VARIANTS[number],
                      "task": calendar.dialogue.task, "joined": calendar.joined,
                      "wanted": [_wanted(each, calendar) for each in calendar.events]}
    receptionist = AgentReceptionist(kb, settings, encoder=encoder, generator=generator)
    try:
        talk = replay(dialogue, calendar, receptionist, closing=bool(number))
        after = receptionist.organisation()
        compared = compare(calendar, after, [turn.user for turn in dialogue.turns])
    except Exception as error:  # noqa: BLE001 - a dialogue that fails must not end the run
        return record | {"talk": [], "changes": [], "slots": {}, "unasked": [], "conflicts": 0,
                         "exact": False, "right": False,
                         "error": {"type": type(error).__name__, "message": str(error)}}
    finally:
        receptionist.close()
    return record | {
        "talk": talk, "changes": [change_text(each, kb) for each in calendar_changes(kb, after)],
        "slots": {name: list(pair) for name, pair in compared.slots.items()},
        "unasked": list(compared.unasked), "conflicts": compared.conflicts,
        "exact": compared.right(exact=True), "right": compared.right(exact=False), "error": None}


def _wanted(event: AnnotatedEvent, calendar: AnnotatedCalendar) -> str:
    """What the annotations say of an event, in words."""
    kb = calendar.organisation
    parts = [event.existing.name if event.existing else f"new: {event.name or 'any name'}",
             str(event.day or ""), f"{event.time:%H:%M}" if event.time else "",
             f"{event.minutes} minutes" if event.minutes else "",
             kb.rooms[event.location].name if event.location else "",
             ", ".join(kb.people[each].name for each in sorted(event.attendees or ()))]
    return "; ".join(part for part in parts if part)


def measure_replays(records: Sequence[Record]) -> dict[str, Any]:
    """By variant, how many dialogues end with the right calendar and which slots are right.

    Args:
        records: Of :func:`run_replay`, one a dialogue and variant.
    """
    found: dict[str, Any] = {
        "failed": sum(each["error"] is not None for each in records),
        "users_missing_in_data": sum(each["joined"] for each in records) // len(VARIANTS)}
    for variant in VARIANTS:
        own = [each for each in records if each["variant"] == variant]
        slots, right, exact = Counter[str](), Counter[str](), Counter[str]()
        for record in own:
            for name, (same, good) in record["slots"].items():
                slot = name.rpartition(": ")[2]
                slots[slot] += 1
                exact[slot] += same
                right[slot] += good
        found[variant] = {
            "right_calendars": sum(each["right"] for each in own),
            "exact_calendars": sum(each["exact"] for each in own), "of": len(own),
            "double_bookings": sum(each["conflicts"] for each in own),
            "unasked_changes": sum(len(each["unasked"]) for each in own),
            "slots": {slot: {"right": right[slot], "exact": exact[slot], "of": slots[slot]}
                      for slot in slots}}
    return found


def replay_page(report: Mapping[str, Any], records: Sequence[Record]) -> bytes:
    """The report as one HTML page in UTF-8."""
    rows = [["Whole calendars", *(
        f"{report[variant][key]} of {report[variant]['of']}" for variant in VARIANTS
        for key in ("right_calendars", "exact_calendars"))]]
    slots = dict.fromkeys(slot for variant in VARIANTS for slot in report[variant]["slots"])
    for slot in slots:
        found = [report[variant]["slots"].get(slot, {"right": 0, "exact": 0, "of": 0})
                 for variant in VARIANTS]
        rows.append([slot, *(f"{each[key]} of {each['of']}" for each in found
                             for key in ("right", "exact"))])
    return report_page(
        "replay_report.html", "GraphWOZ dialogues that arrange something, replayed",
        facts=[("Profile", report["profile"]), ("User turns", report["input"]),
               ("Dialogues", report["dialogues"]),
               ("Users who are not among the people of the data", report["users_missing_in_data"]),
               ("Failed", report["failed"])],
        columns=[f"{variant}, {kind}" for variant in VARIANTS for kind in ("right", "exact")],
        rows=rows, records=records, run=run_facts(report["run"]))


def _show(report: Mapping[str, Any]) -> None:
    table = Table(box=SIMPLE_HEAD, pad_edge=False,
                  title="{dataset}, {profile}, {dialogues} dialogues".format_map(report))
    table.add_column("")
    for variant in VARIANTS:
        table.add_column(f"{variant}: right", justify="right")
        table.add_column("exact", justify="right")
    table.add_row("whole calendars", *(f"{report[variant][key]}/{report[variant]['of']}"
                                       for variant in VARIANTS
                                       for key in ("right_calendars", "exact_calendars")))
    for slot in report[VARIANTS[0]]["slots"]:
        found = [report[variant]["slots"].get(slot) for variant in VARIANTS]
        table.add_row(slot, *(f"{each[key]}/{each['of']}" if each else "–" for each in found
                              for key in ("right", "exact")))
    Console().print(table)
