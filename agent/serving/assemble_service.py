"""What answers over HTTP, put together: for ``frontdesk serve`` and for Ray Serve alike."""

from __future__ import annotations

import logging
import sys
import threading
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from frontdesk.agent.domains.domain_pack import Loaded
from frontdesk.agent.notices.open_channels import make_sender, open_channels, reaches
from frontdesk.agent.serving.auth.api_keys import Keys, load_keys
from frontdesk.agent.serving.auth.tokens import load_tokens
from frontdesk.agent.serving.operations.memory import give_back_holes
from frontdesk.agent.serving.serve_options import ServeOptions
from frontdesk.agent.serving.sessions.conversations import Conversations
from frontdesk.agent.serving.sessions.notice_sending import NoticeSending
from frontdesk.agent.serving.sessions.organisation_reload import Reloading, looks_of, tell_left_out
from frontdesk.agent.serving.sessions.session_store import SessionStore, StoreUnavailableError
from frontdesk.agent.sessions.agent import Agent
from frontdesk.agent.sessions.load_agent import load_agent, rule_warnings
from frontdesk.agent.sessions.load_components import with_house
from frontdesk.agent.settings.settings import Settings
from frontdesk.rules.engine.prover_process import end_workers

_LOG = logging.getLogger("frontdesk.serve")
_HOUR_S, _DAY_S = 3600.0, 86_400.0


def keys_of(settings: Settings) -> Keys:
    """The keys and tokens that the settings name.

    Raises:
        InputError, FormatError, UnavailableError: See
            :func:`~frontdesk.agent.serving.auth.api_keys.load_keys` and
            :func:`~frontdesk.agent.serving.auth.tokens.load_tokens`.
    """
    keys = load_keys(Path(settings.serve.keys) if settings.serve.keys else None)
    for warning in keys.warnings:
        _LOG.warning("%s", warning)
    return keys.with_tokens(load_tokens(settings.serve))


@dataclass(frozen=True)
class Served:
    """The dialogues, open: with the database and the calendar that they need.

    Args:
        reloading: Takes in what changes in the organisation's files.
        sending: Sends the notices; None where the settings name no server.
    """

    conversations: Conversations
    reloading: Reloading
    sending: NoticeSending | None = None
    _stopped: threading.Event = field(default_factory=threading.Event)

    def keep_in_order(self) -> None:
        """Until it is closed: take in changes of the organisation, send notices, forget the
        sessions that nobody used for so long as is set, and give back memory that is not used.
        """
        self.reloading.start()
        if self.sending is not None:
            self.sending.start()
        give_back_holes(self._stopped)
        threading.Thread(target=self._forget, daemon=True, name="forget").start()

    def _forget(self) -> None:
        seconds = self.conversations.settings.keep_days * _DAY_S
        while not self._stopped.wait(min(_HOUR_S, seconds)):
            try:
                self.conversations.store.forget_unused(seconds)
            except StoreUnavailableError as error:
                _LOG.warning("unused sessions are forgotten later: %s", error)
            except Exception:  # noqa: BLE001 - they are tried again
                _LOG.exception("unused sessions cannot be forgotten")

    def close(self) -> None:
        """Let go of the calendar and the database."""
        self._stopped.set()
        self.reloading.close()
        if self.sending is not None:
            self.sending.close()
        self.conversations.close()


def assemble(options: ServeOptions, settings: Settings, *, like: Agent | None = None) -> Served:
    """Load the organisation, open its calendar and the sessions, and have all models ready.

    What was left out of the sources is told on stderr.

    Args:
        settings: Theirs, :meth:`ServeOptions.settings`.
        like: An agent whose models are used; :func:`load_models` has told then what was left out.

    Raises:
        FrontdeskError: The organisation, the database or the components cannot be loaded.
    """
    channels = open_channels(settings.notices)
    # Before they are read: what changes meanwhile is read again.
    files = looks_of(options, settings)
    loaded = _load(options, settings, told=like is not None)
    store = SessionStore(settings.serve.database)
    try:
        agent = load_agent(settings, loaded, options.calendar, like=like)
        _warm_up(agent)
    except BaseException:
        store.close()
        raise
    tell_left_out(agent)
    if channels:
        agent.components = replace(agent.components, reaches=partial(reaches, channels))
    conversations = Conversations(agent, store, settings.serve)
    sending = NoticeSending(conversations.current, make_sender(channels, settings.notices)) \
        if channels and agent.calendar is not None else None
    return Served(conversations, Reloading(conversations, options, settings, files), sending)


def load_models(options: ServeOptions, settings: Settings) -> Agent:
    """An agent of the organisation with all models ready and nothing open, for processes to fork.

    Nor does a process of its own run: each that is forked starts one.

    What was left out of the sources is told on stderr.

    Raises:
        FrontdeskError: The organisation or the components cannot be loaded.
    """
    agent = load_agent(settings, _load(options, settings, told=False))
    _warm_up(agent)
    agent.close()
    end_workers()
    return agent


def _warm_up(agent: Agent) -> None:
    """What is loaded with the first turns is loaded with these, which nobody waits for.

    What they ask for is never confirmed.
    """
    session, pack = agent.session(), agent.domain.pack
    session.reply(pack.examples(agent.kb)[0])
    if pack.actions is not None:
        session.reply(pack.actions.example)


def _load(options: ServeOptions, settings: Settings, *, told: bool) -> Loaded[Any]:
    loaded = options.load()
    if not told:
        for warning in (*loaded.warnings, *rule_warnings(with_house(settings, loaded.house)[0])):
            sys.stderr.write(f"frontdesk: {warning}\n")
    return loaded
