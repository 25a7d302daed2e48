"""What a tool is: its risk, its input, its outcomes, and what it declares about itself. Pure."""
