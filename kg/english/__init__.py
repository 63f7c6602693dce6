"""English outside trained weights: verbalisation, word forms, closed classes of words."""
