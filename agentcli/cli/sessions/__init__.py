"""What was said and done: `sessions`, and a session as lines, Markdown or a page."""
