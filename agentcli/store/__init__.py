"""What is never lost: journals and books in one SQLite file."""
