"""What is served: what ``frontdesk serve``, ``doctor`` and Ray Serve are told."""

from __future__ import annotations

import argparse
import ipaddress
from dataclasses import dataclass, fields, replace
from pathlib import Path

from frontdesk.agent.settings import Settings, load_settings
from frontdesk.kg.errors import InputError


@dataclass(frozen=True)
class ServeOptions:
    """What is served; each is the option of ``frontdesk serve`` with its name.

    Args:
        config: Settings that override the defaults.
        profile: Which components answer; the settings' by default.
        database: URL of the sessions' database; the settings' by default.
        keys: The keys of those who may call; the settings' by default.
        calendar: Where meetings are booked; empty for a calendar in memory.
        org, ics, people, graphwoz, timezone, now: See
            :func:`~frontdesk.agent.organisation.load_organisation`.
    """

    config: Path | None = None
    profile: str | None = None
    database: str | None = None
    keys: Path | None = None
    calendar: str = ""
    org: str | None = None
    ics: tuple[Path, ...] = ()
    people: Path | None = None
    graphwoz: str | None = None
    timezone: str | None = None
    now: str | None = None

    @classmethod
    def of(cls, options: argparse.Namespace) -> ServeOptions:
        """Those among the options of a command."""
        return cls(**{each.name: getattr(options, each.name) for each in fields(cls)})

    def settings(self) -> Settings:
        """The settings in force, with the database and the keys of the options.

        Raises:
            InputError, FormatError: See :func:`~frontdesk.agent.settings.load_settings`.
        """
        settings = load_settings(self.config, profile=self.profile)
        return replace(settings, serve=replace(
            settings.serve, database=self.database or settings.serve.database,
            keys=str(self.keys) if self.keys else settings.serve.keys))


def check_reach(host: str, *, has_keys: bool) -> None:
    """Nobody listens to other machines without keys by mistake.

    Raises:
        InputError: Other machines reach the address, and nobody needs a key.
    """
    try:
        here = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        here = False
    if not here and not has_keys:
        raise InputError(f"{host} can be reached from other machines and there are no keys",
                         remedy="Give --keys FILE.toml, or listen at 127.0.0.1")
