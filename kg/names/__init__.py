"""Who or what words may name."""
