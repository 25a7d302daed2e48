"""What a command writes: answers and JSON to stdout, all else to stderr, in columns and pages."""
