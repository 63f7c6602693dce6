"""A receptionist that answers from a knowledge graph. What stands here is meant to be imported.

Example:
    >>> from frontdesk.agent import load_agent, load_organisation, load_settings
    >>> organisation = load_organisation(org="demo", now="2026-03-17T10:20")
    >>> session = load_agent(load_settings(), organisation).session()
    >>> session.reply("When is the roadmap interview?").facts[0].text
    'The roadmap interview is tomorrow from 12:00 to 14:00.'

Each name is loaded when it is first asked for, so that ``import frontdesk.agent`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from frontdesk.agent.calendars.open_calendar import open_calendar
    from frontdesk.agent.domains.domain_pack import Loaded
    from frontdesk.agent.domains.organisation_pack import load_organisation
    from frontdesk.agent.sessions.agent import Agent, Session
    from frontdesk.agent.sessions.load_agent import load_agent
    from frontdesk.agent.settings.load_settings import load_settings
    from frontdesk.agent.settings.settings import Settings
    from frontdesk.agent.turn.reply import Reply
    from frontdesk.kg.graph.dialogue_graph import Hypothesis
    from frontdesk.kg.graph.errors import FrontdeskError

__all__ = ["Agent", "FrontdeskError", "Hypothesis", "Loaded", "Reply", "Session", "Settings",
           "load_agent", "load_organisation", "load_settings", "open_calendar"]

_MODULES = {
    "load_organisation": "frontdesk.agent.domains.organisation_pack",
    "load_settings": "frontdesk.agent.settings.load_settings",
    "load_agent": "frontdesk.agent.sessions.load_agent",
    "open_calendar": "frontdesk.agent.calendars.open_calendar",
    "Agent": "frontdesk.agent.sessions.agent",
    "Session": "frontdesk.agent.sessions.agent",
    "Reply": "frontdesk.agent.turn.reply",
    "Hypothesis": "frontdesk.kg.graph.dialogue_graph",
    "Loaded": "frontdesk.agent.domains.domain_pack",
    "Settings": "frontdesk.agent.settings.settings",
    "FrontdeskError": "frontdesk.kg.graph.errors",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return [*globals(), *_MODULES]
