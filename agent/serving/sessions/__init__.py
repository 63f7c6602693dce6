"""Sessions of the service: stored, leased, held by one process at a time."""
