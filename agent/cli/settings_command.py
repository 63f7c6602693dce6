"""The options of ``frontdesk settings``."""

from __future__ import annotations

import argparse
from pathlib import Path

from frontdesk.agent.settings.settings import PROFILES

_EXAMPLES = """\
examples:
  frontdesk settings                            what is in force here, and where each comes from
  frontdesk settings --config acme.toml         the same with a file; says what is wrong in it
  frontdesk settings --markdown                 what each means and may be
"""


def add_settings_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``settings`` to the commands."""
    parser = commands.add_parser(
        "settings", help="show the settings in force", epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Write the settings in force as a settings file, each with where it comes "
                    "from; passwords are left out.")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--config", type=Path, metavar="FILE.toml",
                       help="settings that override the defaults")
    which.add_argument("--markdown", action="store_true",
                       help="write the reference of all settings instead")
    parser.add_argument("--profile", choices=PROFILES, help="which components answer")
