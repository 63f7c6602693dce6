"""The car's schema, names and words."""
