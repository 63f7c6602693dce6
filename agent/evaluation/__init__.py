"""Offline evaluation: runs over data sets, their metrics and reports."""
