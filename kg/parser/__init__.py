"""The trained semantic parser: utterances → logical forms."""
