"""Tests of what offline rules have in common."""
