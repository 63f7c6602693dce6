"""Entities, facts, schema, knowledge bases and the dialogue graph."""
