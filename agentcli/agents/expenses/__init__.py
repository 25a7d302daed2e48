"""The expense agent: a book of expenses, and notes."""
