"""Notices on their way to people: worded, sent by mail and to a webhook, and told to operators."""
