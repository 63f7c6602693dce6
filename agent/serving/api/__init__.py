"""The routes of the service, by protocol."""
