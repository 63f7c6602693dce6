"""Metrics of replies and rankings, with significance."""
