"""The store: what is never lost, and how it is told when it can't be kept."""
