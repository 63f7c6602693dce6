"""The schema of the sessions, from the first one to the newest."""
