"""Evaluation with simulated visitors: ``frontdesk evaluate simulated``."""
