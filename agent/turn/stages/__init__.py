"""The stages of a turn, one file each; their order is in :mod:`frontdesk.agent.turn.pipeline`."""
