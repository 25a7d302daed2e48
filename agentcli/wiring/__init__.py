"""Picks the concrete classes: which store, model and agent a session runs with."""
