"""Users' own rule files: loaded and checked."""
