"""Carries the steps out: reads the next one off the state, does it, writes down what happened."""
