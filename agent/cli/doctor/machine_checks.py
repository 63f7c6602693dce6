"""The machine: Python, packages, memory, cores, the clock and the port."""

from __future__ import annotations

import datetime as dt
import os
import re
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from frontdesk.agent.cli.doctor.finding import Finding, Subject, failed, skipped, warning

#: Bytes that a service takes after its first turns, some of it for each turn at once; a model of a
#: hub comes on top.
_NEEDED = 800 * 2**20
_NEEDED_PER_WORKER = 50 * 2**20
#: Workers that a process may always have: while one turn waits for a calendar another goes on.
_FEW_WORKERS = 2
_YEARS = range(2026, 2101)
#: Seconds by which clocks may differ before it is told.
_SKEW_S = 2.0


def python(_: Subject) -> Sequence[Finding]:
    """Whether Python is new enough."""
    version = ".".join(map(str, sys.version_info[:3]))
    wanted = metadata.metadata("frontdesk")["Requires-Python"]
    found = f"Python {version}, frontdesk {metadata.version('frontdesk')}"
    if not SpecifierSet(wanted).contains(version):
        return [failed(found, f"Install Python {wanted}")]
    return [Finding(found)]


def packages(subject: Subject) -> Sequence[Finding]:
    """Whether the packages that the options need are installed, in versions that it works with."""
    extras = _extras(subject)
    found, number = [], 0
    for requirement, extra in _required(extras):
        number += 1
        install = f"Install it with: pip install 'frontdesk[{extra}]'" if extra else \
            "Install frontdesk anew"
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            found.append(failed(f"{requirement.name} is not installed", install))
            continue
        if not requirement.specifier.contains(version, prereleases=True):
            found.append(failed(f"{requirement.name} is {version}, not {requirement.specifier}",
                                install))
    return found or [Finding(f"{number} packages of {', '.join(['frontdesk', *extras])}")]


def _extras(subject: Subject) -> list[str]:
    settings = subject.settings
    needed = {"serve": True, "postgresql": settings.serve.database.startswith("postgresql"),
              "openai": settings.profile == "openai",
              "caldav": settings.actions.enabled and "://" in subject.options.calendar}
    return [extra for extra, is_needed in needed.items() if is_needed]


def _required(extras: Sequence[str]) -> Iterator[tuple[Requirement, str]]:
    """What frontdesk and extras of it need, each with the extra."""
    for line in metadata.requires("frontdesk") or ():
        requirement = Requirement(line)
        for extra in ("", *extras):
            if requirement.marker is None:
                yield requirement, ""
                break
            if requirement.marker.evaluate({"extra": extra}):
                yield requirement, extra
                break


def memory(subject: Subject) -> Sequence[Finding]:
    """Whether there is memory enough for the models and the turns."""
    free = _free_memory()
    if free is None:
        return [skipped("this system does not say how much memory is free")]
    serving = subject.settings.serve
    needed = _NEEDED + serving.processes * serving.workers * _NEEDED_PER_WORKER
    found = f"{_size(free)} free, some {_size(needed)} needed"
    if free < needed:
        return [warning(found, "Give it more memory, or set fewer processes or workers under "
                               "[serve]")]
    return [Finding(found)]


def _free_memory() -> int | None:
    """Bytes that this process may still take, as far as its system and its container say."""
    found = []
    with suppress(OSError):
        if match := re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text()):
            found.append(int(match[1]) * 1024)
    folder = Path("/sys/fs/cgroup")
    with suppress(OSError, ValueError):  # "max" is no number
        most = int((folder / "memory.max").read_text())
        found.append(most - int((folder / "memory.current").read_text()))
    return min(found, default=None)


def cores(subject: Subject) -> Sequence[Finding]:
    """Whether turns that are worked on at once have a core each."""
    import torch

    number = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else \
        os.cpu_count() or 1
    with suppress(OSError, ValueError):
        most, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        number = max(1, min(number, int(most) // int(period)))
    serving, threads = subject.settings.serve, torch.get_num_threads()
    found = [Finding(f"{number} cores, {serving.processes} processes of {serving.workers} "
                     f"workers, {threads} threads of torch")]
    if serving.processes * serving.workers > max(number, _FEW_WORKERS * serving.processes):
        found.append(warning(f"{serving.processes * serving.workers} turns at once share {number} "
                             "cores", "Set fewer processes or workers under [serve]"))
    if threads > number:
        found.append(warning("torch uses more threads than there are cores",
                             f"Put OMP_NUM_THREADS={number} into the environment"))
    return found


def clock(subject: Subject) -> Sequence[Finding]:
    """Whether the clock is right, as far as it can be known from here."""
    now, zone = time.time(), subject.organisation.kb.timezone
    shown = dt.datetime.fromtimestamp(now, zone)
    found = [Finding(f"{shown:%Y-%m-%d %H:%M} in {zone.key}")]
    if shown.year not in _YEARS:
        found.append(failed(f"the system's clock says {shown.year}",
                            "Set it, and keep it right with NTP"))
    if (fixed := subject.organisation.now) is not None:
        found.append(warning(f"the present stands still at {fixed:%Y-%m-%d %H:%M}",
                             "Leave out what fixes it, e.g. --now, for real users"))
    before = time.monotonic()
    time.sleep(0.02)
    if not 0.02 <= (passed := time.monotonic() - before) < 5:
        found.append(failed(f"in a pause of 0.02 s the monotonic clock went on by {passed:.2f} s",
                            "Check the machine's clock source; leases and time limits need it"))
    return found + list(_file_clock(subject))


def _file_clock(subject: Subject) -> Iterator[Finding]:
    """How far the clock of the file system that holds the sessions is from this machine's."""
    url = subject.settings.serve.database
    folder = Path(url.removeprefix("sqlite:///")).parent if url.startswith("sqlite:///") else None
    if folder is None or not hasattr(os, "O_TMPFILE"):
        return
    try:
        # A file without a name: it is gone when it is closed.
        descriptor = os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o600)
    except OSError:
        return  # the sessions' own check tells what is wrong with the folder
    try:
        os.write(descriptor, b"?")
        yield from skew(os.fstat(descriptor).st_mtime - time.time(), "the file system's clock")
    finally:
        os.close(descriptor)


def skew(seconds: float, whose: str) -> Sequence[Finding]:
    """Whether two clocks differ by too much.

    Args:
        seconds: By which the other one is ahead.
        whose: The other one is, in words.
    """
    if abs(seconds) < _SKEW_S:
        return []
    return [warning(f"{whose} is {abs(seconds):.0f} s {'ahead' if seconds > 0 else 'behind'}",
                    "Keep both right with NTP: sessions are leased until a time")]


def port(subject: Subject) -> Sequence[Finding]:
    """Whether the port is free."""
    if subject.port is None:
        return [skipped("no --port was given")]
    place = f"{subject.host}:{subject.port}"
    try:
        family = socket.AF_INET6 if ":" in subject.host else socket.AF_INET
        socket.create_server((subject.host, subject.port), family=family).close()
    except (OSError, OverflowError) as error:
        return [failed(f"cannot listen at {place} ({error})",
                       "Choose another --host or --port, or stop what listens there")]
    return [Finding(f"{place} is free")]


def _size(number: float) -> str:
    return f"{number / 2**30:.1f} GiB"
