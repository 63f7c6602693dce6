"""Which facts answer an utterance, and the realiser that says them."""
