"""What is served: what ``frontdesk serve``, ``doctor`` and Ray Serve are told."""

from __future__ import annotations

import argparse
import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from frontdesk.agent.domains.domain_pack import Loaded
from frontdesk.agent.domains.domain_registry import (
    DEFAULT,
    given_sources,
    load_domain,
    pack_named,
)
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.agent.settings.settings import Settings
from frontdesk.kg.graph.errors import InputError

#: Seconds that turns under way have to end when the service is stopped: at first those whose
#: replies are waited for, then again those that nobody waits for any more. A model that takes
#: longer is waited for until the process is killed.
GRACE_S = 30.0
#: Seconds after which a service that still runs may be killed.
STOPPED_AFTER_S = 2.5 * GRACE_S


@dataclass(frozen=True)
class ServeOptions:
    """What is served; each is the option of ``frontdesk serve`` with its name.

    Args:
        config: Settings that override the defaults.
        profile: Which components answer; the settings' by default.
        database: URL of the sessions' database; the settings' by default.
        keys: The keys of those who may call; the settings' by default.
        calendar: Where meetings are booked; empty for a calendar in memory.
        sources: Where it is read from, by the names of its pack's sources.
    """

    config: Path | None = None
    profile: str | None = None
    database: str | None = None
    keys: Path | None = None
    calendar: str = ""
    domain: str = DEFAULT.name
    sources: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, options: argparse.Namespace) -> ServeOptions:
        """Those among the options of a command."""
        own = {each.name: getattr(options, each.name) for each in fields(cls)
               if each.name != "sources"}
        return cls(**own, sources=given_sources(options))

    def load(self) -> Loaded[Any]:
        """Load what is talked about.

        Raises:
            InputError, FormatError: See
                :func:`~frontdesk.agent.domains.domain_registry.load_domain`; or there is a calendar
                for what has none.
        """
        if self.calendar and pack_named(self.domain).actions is None:
            raise InputError(f"the domain {self.domain} has nothing that can be changed",
                             place=f"--calendar {self.calendar}", remedy="Leave the option out")
        return load_domain(self.domain, self.sources)

    def settings(self) -> Settings:
        """The settings in force, with the database and the keys of the options.

        Raises:
            InputError: An origin or the address of the traces is none.
            InputError, FormatError: See
                :func:`~frontdesk.agent.settings.load_settings.load_settings`.
        """
        settings = load_settings(self.config, profile=self.profile)
        check_origins(settings.serve.origins)
        check_traces(settings.serve.traces)
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


def check_origins(origins: Sequence[str]) -> None:
    """Make sure that origins are ones that browsers send.

    Raises:
        InputError: One is not ``SCHEME://HOST`` or ``SCHEME://HOST:PORT``, in small letters.
    """
    for each in origins:
        parts = urlsplit(each)
        if not parts.hostname or "*" in each or parts.scheme not in ("http", "https") \
                or each != f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}":
            raise InputError(f"serve.origins has {each!r}",
                             remedy='Write it as "https://intranet.example.org", with the port '
                                    "where it is not that of the scheme")


def check_traces(url: str) -> None:
    """Make sure that traces are sent to an address, if anywhere.

    Raises:
        InputError: It is none of HTTP.
    """
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise InputError("serve.traces is no address",
                         remedy="Write it as http://localhost:4318/v1/traces, or leave it empty")
