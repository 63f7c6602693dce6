"""Composition: the turn pipeline, sessions, settings, chat and the command line."""

from frontdesk.agent.sessions.agent import Agent, Session
from frontdesk.agent.settings.settings import Settings, load_settings
from frontdesk.agent.turn.reply import Reply

__all__ = ["Agent", "Reply", "Session", "Settings", "load_settings"]
