"""What happened, and what is next: entries, the state folded from them, the step read off it. Pure."""
