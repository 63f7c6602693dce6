"""Times in English: text to readings with probabilities."""
