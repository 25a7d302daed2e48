"""The conversation: what is said, shown and asked, whatever kind of terminal it is at."""
