"""Invented organisations, dialogues and visitors."""
