"""Loads the agent for an organisation, as settings say."""

from __future__ import annotations

import gc

from frontdesk.agent.calendars.open_calendar import open_calendar
from frontdesk.agent.domains.load_organisation import Organisation
from frontdesk.agent.sessions.agent import Agent, system_clock
from frontdesk.agent.settings.settings import Settings


def rule_warnings(settings: Settings) -> tuple[str, ...]:
    """What looks like a slip in the user's own rules."""
    if not settings.rules.files:
        return ()
    from frontdesk.rules.house_rules.rule_files import load_user_rules

    return load_user_rules(settings.rules.files).warnings


def load_agent(settings: Settings, organisation: Organisation, calendar: str = "", *,
               like: Agent | None = None) -> Agent:
    """The agent for an organisation, its clock fixed where the organisation's present is.

    Args:
        settings: Of its components; those of :func:`~frontdesk.agent.load_settings`.
        organisation: What it talks about; that of :func:`~frontdesk.agent.load_organisation`.
        calendar: Location of the calendar that it changes, as in
            :func:`~frontdesk.agent.open_calendar`; one in memory by default.
        like: An agent with the same settings whose models are used too.

    Raises:
        FrontdeskError: The calendar or the profile's components cannot be loaded.

    Example:
        >>> from frontdesk.agent import load_agent, load_organisation, load_settings
        >>> organisation = load_organisation(org="demo", now="2026-03-17T10:20")
        >>> session = load_agent(load_settings(), organisation).session()
        >>> session.reply("Where is the Zeta room?").text
        "I don't know a room called “Zeta”."
    """
    fixed = organisation.now
    clock = system_clock if fixed is None else lambda: fixed
    shared = like is not None and like.generator is not like.realiser  # which has its own domain
    agent = Agent(
        organisation.kb, settings, clock=clock, encoder=like.encoder if like else None,
        generator=like.generator if like and shared else None, calendar=open_calendar(
            calendar, organisation.kb, clock=clock) if settings.actions.enabled else None)
    # What is loaded stays: looking through it for garbage would interrupt turns.
    gc.freeze()
    return agent
