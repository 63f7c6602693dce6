"""A turn: its state, the stages in order, and the reply that they lead to."""
