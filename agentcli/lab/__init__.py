"""Levels compared, demos played: everything here works on copies of the books and leaves the world alone."""
