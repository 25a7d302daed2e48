"""The question about a call: how it is drawn, and when a line is an answer."""
