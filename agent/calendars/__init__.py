"""Calendars that the receptionist can change."""
