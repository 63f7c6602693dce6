"""Checks of replies: claims against the graph, Q², PMI-FAITH."""
