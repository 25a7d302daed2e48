"""Tests of expenses from a file."""
