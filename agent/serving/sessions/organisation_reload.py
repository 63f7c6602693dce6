"""Takes in what changes in the files of the organisation while it is served."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.domains.domain_registry import watched_files
from frontdesk.agent.serving.serve_options import ServeOptions
from frontdesk.agent.serving.sessions.conversations import Conversations
from frontdesk.agent.sessions.agent import Agent
from frontdesk.agent.sessions.load_agent import load_agent
from frontdesk.agent.settings.settings import Settings
from frontdesk.kg.graph.errors import FrontdeskError, UnavailableError

_LOG = logging.getLogger("frontdesk.serve")
#: What a file looks like from outside: its last change in nanoseconds, its bytes and its number.
FileLooks = dict[Path, tuple[int, int, int] | None]


class Reloading:
    """Watches the organisation's files, and has dialogues go on with what is in them now.

    A file that is being written is left until it stays as it is; one that cannot be read is told,
    and what was known before stays in force. Models are not loaded again.

    Args:
        settings: Of the components, and how often files are looked at.
        files: What the files looked like before they were read; :func:`looks_of` them.
    """

    def __init__(self, conversations: Conversations, options: ServeOptions,
                 settings: Settings, files: FileLooks) -> None:
        self._conversations, self._options, self._settings = conversations, options, settings
        self._known = self._seen = files
        self._stopped = threading.Event()

    def start(self) -> None:
        """Begin, where there are files and the settings want it."""
        if self._known and self._settings.serve.reload_s:
            threading.Thread(target=self._watch, daemon=True, name="reload").start()

    def close(self) -> None:
        """Watch no longer."""
        self._stopped.set()

    def look(self) -> bool:
        """Take in what has changed since, if it stayed as it was when last looked at.

        Returns:
            Whether dialogues go on with something new.
        """
        looks = looks_of(self._options, self._settings)
        steady, self._seen = looks == self._seen, looks
        if looks == self._known or not steady:
            return False
        try:
            agent = self._loaded(self._conversations.current.agent)
        except UnavailableError as error:
            _LOG.warning("the organisation has changed and is read later: %s", error)
            return False
        except FrontdeskError as error:
            self._known = looks
            _LOG.error("the organisation has changed and cannot be read; what was known before "
                       "stays in force, and frontdesk doctor tells what is wrong: %s", error)
            return False
        self._known = looks
        self._conversations.current.replace(agent, None if self._options.calendar else _carry_over)
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
        loaded = options.load()
        if loaded.warnings:  # whose words may be names
            _LOG.warning("%d things were left out of the organisation's files; frontdesk doctor "
                         "tells which", len(loaded.warnings))
        agent = load_agent(self._settings, loaded, options.calendar, like=old)
        if not options.calendar:
            _carry_over(old, agent)
        tell_left_out(agent)
        return agent


def _carry_over(old: Agent, new: Agent) -> None:
    """Have a calendar in memory know what was booked in the one before; done again, it adds what
    came since.

    Where turns that began before and after it book the same room at that moment, the later wins and
    the log says so; a calendar that lasts is one and the same before and after.
    """
    if not isinstance(old.calendar, SqliteCalendar) or new.calendar is None:
        return
    made = old.calendar.trail()
    for transaction in made:
        try:
            new.calendar.commit(transaction)
        except FrontdeskError as error:
            _LOG.warning("what was booked in memory does not go with the organisation as it is "
                         "now: %s", error)
    ids = {each.id for each in made}
    waiting = {(each.transaction, each.notice) for each in old.calendar.outbox().waiting()}
    outbox = new.calendar.outbox()
    outbox.delivered(
        each.number for each in outbox.waiting()
        if each.transaction in ids and (each.transaction, each.notice) not in waiting)


def tell_left_out(agent: Agent) -> None:
    """Log how much of the calendar was left out; the words of it may be names."""
    if agent.calendar is not None and (count := len(agent.calendar.warnings)):
        _LOG.warning("%d things were left out of the calendar; frontdesk doctor tells which", count)


def looks_of(options: ServeOptions, settings: Settings) -> FileLooks:
    """What the files of what is talked about look like now."""
    return {path: _look(path) for path in watched_files(options.domain, options.sources,
                                                        settings.house.files)}


def _look(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
