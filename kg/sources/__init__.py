"""JSON, CSV and iCalendar files as knowledge bases."""
