"""Loads the agent for a domain, as settings say."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import Any

from frontdesk.agent.domains.domain_pack import Loaded
from frontdesk.agent.sessions.agent import Agent, system_clock
from frontdesk.agent.settings.settings import Settings


def rule_warnings(settings: Settings) -> tuple[str, ...]:
    """What looks like a slip in the user's own rules."""
    if not settings.rules.files:
        return ()
    from frontdesk.rules.house_rules.rule_files import load_user_rules

    return load_user_rules(settings.rules.files).warnings


def load_agent(settings: Settings, loaded: Loaded[Any], calendar: str = "", *,
               like: Agent | None = None) -> Agent:
    """The agent for a domain, its clock fixed where the present is.

    Args:
        settings: Of its components; those of :func:`~frontdesk.agent.load_settings`.
        loaded: What it talks about; that of :func:`~frontdesk.agent.load_organisation`.
        calendar: Location of the calendar that it changes, as in
            :func:`~frontdesk.agent.open_calendar`; one in memory by default.
        like: An agent with the same settings whose models are used too.

    Raises:
        FrontdeskError: The calendar or the profile's components cannot be loaded.

    Example:
        >>> from frontdesk.agent import load_agent, load_organisation, load_settings
        >>> organisation = load_organisation(org="demo", now="2026-03-17T10:20")
        >>> session = load_agent(load_settings(), organisation).session()
        >>> session.reply("Where is Sorrel?").text
        'Sorrel is on the 2nd floor.'
    """
    pack, fixed = loaded.pack, loaded.now
    clock = system_clock if fixed is None else lambda: fixed
    parts = like.components if like is not None else None
    # A realiser has its own domain.
    shared = parts is not None and parts.generator is not parts.realiser
    changes = pack.actions if settings.actions.enabled else None
    agent = Agent(
        loaded.kb, settings, pack=pack, clock=clock, encoder=parts.encoder if parts else None,
        generator=parts.generator if parts and shared else None,
        calendar=changes.open_calendar(calendar, loaded.kb, clock) if changes else None,
        house=loaded.house)
    if parts is not None:
        agent.components = replace(agent.components, reaches=parts.reaches)
    # What is loaded stays: looking through it for garbage would interrupt turns.
    gc.freeze()
    return agent
