"""Training of the semantic parser."""
