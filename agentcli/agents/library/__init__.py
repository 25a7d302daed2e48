"""The library agent: books, members, and who has borrowed what."""
