"""Q² and QAGS: whether questions about a reply have the same answers in the knowledge."""
