"""The terminals a person can sit at: a screen with an input line, one that is never redrawn, plain lines."""
