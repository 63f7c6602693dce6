"""The command line: chat, settings, doctor and the other commands."""
