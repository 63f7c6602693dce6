"""English patterns that read requests, until the trained parser takes their place."""
