"""Expenses from a file: found in one folder, read as a table, understood or asked about, and put into the book."""
