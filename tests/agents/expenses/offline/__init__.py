"""Tests of the agents that ship."""
