"""Who may be told what."""
