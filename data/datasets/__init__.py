"""Loaders of public data sets, and how they are fetched."""
