"""What checks look at and find, and how they are held: each by itself, for a limited time."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from frontdesk.agent.domains.domain_pack import Loaded
from frontdesk.agent.serving.serve_options import ServeOptions
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.settings.settings_reference import without_secrets
from frontdesk.kg.graph.errors import FrontdeskError, MissingExtraError


class Verdict(StrEnum):
    """How it is; the later, the more there is to do, but for what was not looked at."""

    SKIPPED = "skipped"
    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True)
class Finding:
    """What is so.

    Args:
        remedy: What to do about it; empty when nothing is to be done.
    """

    found: str
    verdict: Verdict = Verdict.OK
    remedy: str = ""


def warning(found: str, remedy: str) -> Finding:
    """Something that works but will not do."""
    return Finding(found, Verdict.WARNING, remedy)


def failed(found: str, remedy: str) -> Finding:
    """Something without which the service does not work."""
    return Finding(found, Verdict.FAILED, remedy)


def skipped(why: str) -> Finding:
    """Something that was not looked at."""
    return Finding(why, Verdict.SKIPPED)


def failure(error: FrontdeskError) -> Finding:
    """An error as what was found."""
    return failed(f"{error.place}: {error.message}" if error.place else error.message,
                  error.remedy)


@dataclass(frozen=True)
class Check:
    """Something to look at.

    Args:
        look: Looks; what it finds is reported as one. Whatever it raises is a failure.
        seconds: After which it is left to itself and has failed.
    """

    name: str
    look: Callable[[], Sequence[Finding]]
    seconds: float = 10.0


@dataclass(frozen=True)
class Outcome:
    """What came of a check."""

    name: str
    finding: Finding
    seconds: float

    def to_data(self) -> dict[str, Any]:
        """It for programs."""
        return {"name": self.name, "verdict": self.finding.verdict.value,
                "found": self.finding.found, "remedy": self.finding.remedy,
                "seconds": round(self.seconds, 3)}


class NotLookedAtError(Exception):
    """A check needs what an earlier one found wanting."""


def hold(check: Check) -> Outcome:
    """What comes of a check, after its time at the latest."""
    found: list[Finding] = []
    began = time.monotonic()
    # One that hangs cannot be stopped, but it does not keep the process from ending.
    thread = threading.Thread(target=lambda: found.append(_looked(check)), daemon=True,
                              name=f"check {check.name}")
    thread.start()
    thread.join(check.seconds)
    finding = found[0] if found else failed(
        f"no answer within {check.seconds:g} s", "Find out what it waits for: a server that is "
        "not reachable, a network folder, or too little memory")
    found_, remedy = (" ".join(without_secrets(text).split())
                      for text in (finding.found, finding.remedy))
    return Outcome(check.name, Finding(found_, finding.verdict, remedy),
                   time.monotonic() - began)


def _looked(check: Check) -> Finding:
    try:
        return _together(check.look())
    except (NotLookedAtError, MissingExtraError) as error:  # the packages' check tells the latter
        return skipped(str(error))
    except FrontdeskError as error:
        return failure(error)
    except Exception as error:  # noqa: BLE001 - one check's defect must not hide what others find
        return failed(f"the check itself went wrong: {type(error).__name__}: {error}",
                      "Please report it")


def _together(findings: Sequence[Finding]) -> Finding:
    """Several findings as one: as bad as the worst."""
    if not findings:
        return skipped("there is nothing to look at")
    order = list(Verdict)
    return Finding("; ".join(each.found for each in findings),
                   max((each.verdict for each in findings), key=order.index),
                   ". ".join(dict.fromkeys(each.remedy.rstrip(".") for each in findings
                                           if each.remedy)))


@dataclass
class Subject:
    """An installation with its options; checks fill in what later ones need.

    Args:
        scratch: A folder for what a check must write; it goes when all are done.
        port: The port that should be free; None if that is not asked.
    """

    options: ServeOptions
    scratch: Path
    host: str = "127.0.0.1"
    port: int | None = None
    loaded_settings: Settings | None = None
    loaded_organisation: Loaded[Any] | None = None

    @property
    def settings(self) -> Settings:
        """The settings in force.

        Raises:
            NotLookedAtError: They could not be loaded.
        """
        if self.loaded_settings is None:
            raise NotLookedAtError("the settings could not be loaded")
        return self.loaded_settings

    @property
    def organisation(self) -> Loaded[Any]:
        """The organisation.

        Raises:
            NotLookedAtError: It could not be loaded.
        """
        if self.loaded_organisation is None:
            raise NotLookedAtError("the organisation could not be loaded")
        return self.loaded_organisation

    def clock(self) -> dt.datetime:
        """The organisation's present, zone-aware."""
        return self.organisation.now or dt.datetime.now(dt.UTC)
