"""The agent and its dialogues: components loaded, sessions begun and gone on with."""
