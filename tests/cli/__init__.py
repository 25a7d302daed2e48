"""The command line, as real processes see it."""
