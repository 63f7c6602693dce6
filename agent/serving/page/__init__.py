"""The reception page."""
