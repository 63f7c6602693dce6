"""The embedded generator: a pointer-generator over MiniLM states that copies values from facts."""
