"""MiniLM, what shares its passes, and small models trained on its states."""
