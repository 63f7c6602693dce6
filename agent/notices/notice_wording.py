"""The words of notices, which are those of ``notice_wording.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def _templates() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files(__package__).joinpath("notice_wording.toml").read_text("utf-8"))


def word(section: str, which: str, /, **said: str) -> str:
    """A text with what is said in it.

    Example:
        >>> word("texts", "invited", sender="Ada", event="lens day")
        'Ada invites you to “lens day”.'
    """
    return _templates()[section][which].format(**said)
