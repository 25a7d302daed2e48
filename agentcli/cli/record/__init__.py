"""The record and what it answers: `audit`."""
