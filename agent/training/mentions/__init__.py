"""Training of the mention tagger."""
