"""Commands that carry a session on, here or from elsewhere: `chat`, `run`, `resume`, `say`, `stop`."""
