"""The agent: its components, the calendar as somebody may see it, and dialogues."""
