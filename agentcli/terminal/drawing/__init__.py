"""Text as rows of a given width."""
