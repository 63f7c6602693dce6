"""Training of the relevance model jointly with the generator (paper, section 3.3)."""
