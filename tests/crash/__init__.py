"""Real processes, killed before and after every write and inside tools, and what is left when others go on."""
