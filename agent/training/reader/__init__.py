"""Training of the reader that Q² asks and infers with."""
