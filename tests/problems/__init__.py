"""Tests of the classifier of problem responses."""
