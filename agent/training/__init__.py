"""Training of what the agent learns from data: the weights of its linking rules."""
