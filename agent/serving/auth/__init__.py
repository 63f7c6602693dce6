"""Who may call the service: keys, tokens, bind addresses and rate limits."""
