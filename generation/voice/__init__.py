"""Generators: pointer network, transformers, OpenAI-compatible models; prompts; decoding."""
