"""An utterance resolved against the dialogue: mentions, follow-ups, requests."""
