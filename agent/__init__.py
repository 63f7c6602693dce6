"""Composition: the turn pipeline, sessions, settings, chat and the command line."""

from frontdesk.agent.agent import Agent, Session
from frontdesk.agent.reply import Reply
from frontdesk.agent.settings import Settings, load_settings

__all__ = ["Agent", "Reply", "Session", "Settings", "load_settings"]
