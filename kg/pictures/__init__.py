"""The graph drawn."""
