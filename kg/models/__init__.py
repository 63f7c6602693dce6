"""MiniLM, which all that read with it share, and models of the hub."""
