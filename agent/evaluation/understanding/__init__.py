"""How well utterances are understood: their forms beside those that they should have."""
