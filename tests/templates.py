"""Settings for tests about how facts are said: the realiser words the replies, no trained model."""

from __future__ import annotations

from frontdesk.agent.settings.settings import EmbeddedSettings, Settings

TEMPLATES = Settings(embedded=EmbeddedSettings(words="templates"))
#: The same for the command line.
TEMPLATES_ENVIRONMENT = {"FRONTDESK_EMBEDDED_WORDS": "templates"}
