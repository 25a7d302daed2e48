"""What a person types: one file a command, in a room with what it needs; all of them listed in one table."""
