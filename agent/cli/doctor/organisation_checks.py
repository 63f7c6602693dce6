"""What the checks look at: the options of ``frontdesk serve`` and what they load."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frontdesk.agent.cli.doctor.finding import NotLookedAtError
from frontdesk.agent.domains.domain_pack import Loaded
from frontdesk.agent.serving.serve_options import ServeOptions
from frontdesk.agent.settings.settings import Settings


@dataclass
class Subject:
    """An installation with its options; checks fill in what later ones need.

    Args:
        options: What is to be served.
        scratch: A folder for what a check must write; it goes when all are done.
        host: Where to listen.
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
