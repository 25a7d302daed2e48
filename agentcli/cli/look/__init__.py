"""Commands that show what an agent can do and what would come of it: `tools`, `compare`, `demo`, `classify`."""
