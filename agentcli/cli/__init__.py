"""What a person types: one file a command group, all of them listed in one table."""
