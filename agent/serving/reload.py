"""Takes in what changes in the files of the organisation while it is served."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from frontdesk.agent.agent import Agent
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.chat import load_agent
from frontdesk.agent.organisation import DEMO, load_organisation
from frontdesk.agent.serving.conversations import Conversations
from frontdesk.agent.serving.options import ServeOptions
from frontdesk.agent.settings import Settings
from frontdesk.kg.errors import FrontdeskError

_LOG = logging.getLogger("frontdesk.serve")
#: What a file looks like from outside: its last change in nanoseconds, its bytes and its number.
_Looks = dict[Path, tuple[int, int, int] | None]


class Reloading:
    """Watches the organisation's files, and has dialogues go on with what is in them now.

    A file that is being written is left until it stays as it is; one that cannot be read is told,
    and what was known before stays in force. Models are not loaded again.

    Args:
        conversations: Theirs is the agent.
        options: Name the files.
        settings: Of the components, and how often files are looked at.
    """

    def __init__(self, conversations: Conversations, options: ServeOptions,
                 settings: Settings) -> None:
        self._conversations, self._options, self._settings = conversations, options, settings
        self._files = [*options.ics, *filter(None, (options.people,))]
        if options.org is not None and options.org != DEMO:
            self._files.append(Path(options.org))
        self._known = self._looks()
        self._seen = self._known
        self._stopped = threading.Event()

    def start(self) -> None:
        """Begin, where there are files and the settings want it."""
        if self._files and self._settings.serve.reload_s:
            threading.Thread(target=self._watch, daemon=True, name="reload").start()

    def close(self) -> None:
        """Watch no longer."""
        self._stopped.set()

    def look(self) -> bool:
        """Take in what has changed since, if it stayed as it was when last looked at.

        Returns:
            Whether dialogues go on with something new.
        """
        looks = self._looks()
        steady, self._seen = looks == self._seen, looks
        if looks == self._known or not steady:
            return False
        self._known = looks
        try:
            agent = self._loaded(self._conversations.agent)
        except FrontdeskError as error:
            _LOG.error("the organisation has changed and cannot be read; what was known before "
                       "stays in force: %s", error)
            return False
        self._conversations.replace_agent(agent)
        _LOG.info("the organisation was read again")
        return True

    def _watch(self) -> None:
        while not self._stopped.wait(self._settings.serve.reload_s):
            try:
                self.look()
            except Exception:  # noqa: BLE001 - the next change is to be seen all the same
                _LOG.exception("the organisation could not be read again")

    def _loaded(self, old: Agent) -> Agent:
        options = self._options
        organisation = load_organisation(
            org=options.org, ics=options.ics, people=options.people, graphwoz=options.graphwoz,
            now=options.now, timezone=options.timezone)
        if organisation.warnings:  # whose words may be names
            _LOG.warning("%d things were left out of the organisation's files; frontdesk doctor "
                         "tells which", len(organisation.warnings))
        agent = load_agent(self._settings, organisation, options.calendar, like=old)
        if not options.calendar and isinstance(old.calendar, SqliteCalendar) \
                and agent.calendar is not None:
            for transaction in old.calendar.trail():  # what was booked in memory
                try:
                    agent.calendar.commit(transaction)
                except FrontdeskError as error:
                    _LOG.warning("what was booked in memory does not go with the organisation as "
                                 "it is now: %s", error)
        return agent

    def _looks(self) -> _Looks:
        return {path: _look(path) for path in self._files}


def _look(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
