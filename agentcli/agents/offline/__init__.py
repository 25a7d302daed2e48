"""What the offline rules of the agents that ship have in common: from clauses to calls, and results in words."""
