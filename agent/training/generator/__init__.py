"""Training of the embedded generator: turns are recorded, encoded, and learnt from."""
