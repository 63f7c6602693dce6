"""Logs, metrics, traces, memory and the audit log of the service."""
