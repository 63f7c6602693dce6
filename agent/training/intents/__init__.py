"""Training of the intent head."""
