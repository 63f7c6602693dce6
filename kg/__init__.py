"""The knowledge graph: entities, facts, dialogue state, importers, verbalisation, drawing."""
