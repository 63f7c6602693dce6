"""Domain packs: everything that is particular to what is talked about."""
