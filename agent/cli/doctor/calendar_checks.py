"""The calendar: readable, writable, and one whose events fit the organisation."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from platformdirs import user_state_path

from frontdesk.agent.calendars.calendar import Calendar
from frontdesk.agent.calendars.open_calendar import open_calendar
from frontdesk.agent.cli.doctor.finding import Finding, Subject, failed, failure, skipped, warning
from frontdesk.agent.cli.doctor.session_checks import read_only, writable
from frontdesk.kg.graph.errors import FrontdeskError


def calendar(subject: Subject) -> Sequence[Finding]:
    """Whether the calendar can be used. It is read only, or a copy of it is opened."""
    location, loaded = subject.options.calendar, subject.organisation
    if loaded.pack.actions is None:
        return [skipped(f"the domain {loaded.pack.name} has nothing that can be changed")]
    if not subject.settings.actions.enabled:
        return [skipped("nothing is booked: actions.enabled is false")]
    if not location and (processes := subject.settings.serve.processes) > 1:
        return [failed(f"{processes} processes cannot share a calendar in memory",
                       "Name a calendar with --calendar, or set serve.processes = 1")]
    if not location:
        return [warning("meetings are booked in memory and forgotten at the end",
                        "Name a calendar with --calendar")]
    if "://" in location:
        return _on_server(location, subject)
    path = Path(location).expanduser()
    found = writable(path, "the calendar")
    if found:
        return found
    if not path.exists():
        return [Finding(f"{path} is made at the first start, with the "
                        f"{len(loaded.kb.events)} events of the organisation")]
    return _in_file(path, subject)


def _in_file(path: Path, subject: Subject) -> Sequence[Finding]:
    """What a copy of the file says: to open it, it is written beside."""
    copy = subject.scratch / path.name
    try:
        if path.suffix.lower() in (".ics", ".ical"):
            shutil.copyfile(path, copy)
        else:
            with read_only(path) as source, closing(sqlite3.connect(copy)) as target:
                source.backup(target)
        with closing(_opened(str(copy), subject)) as opened:
            return [Finding(f"{path} can be read and written"), *_told(opened)]
    except (OSError, sqlite3.Error) as error:
        return [failed(f"{path} cannot be read ({error})", "Name a calendar that can be read")]
    except FrontdeskError as error:
        found = failure(error)
        return [failed(found.found.replace(str(copy), str(path)),
                       found.remedy.replace(str(copy), str(path)))]


def _on_server(location: str, subject: Subject) -> Sequence[Finding]:
    with closing(_opened(location, subject)) as opened:
        found = [Finding(f"{opened.name} answers"), *_told(opened)]
    folder = user_state_path("frontdesk")
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not os.access(there, os.W_OK):
        found.append(failed(f"its journal cannot be kept in {folder}",
                            "Set XDG_STATE_HOME to a folder that can be written"))
    return found


def _opened(location: str, subject: Subject) -> Calendar:
    return open_calendar(location, subject.organisation.kb, clock=subject.clock,
                         journal=subject.scratch / "journal.sqlite")


def _told(opened: Calendar) -> list[Finding]:
    """How many events a calendar has, and what of it could not be read."""
    return [Finding(f"{len(opened.state().kb.events)} events"),
            *(warning(each, "Correct the event or the organisation") for each in opened.warnings)]
