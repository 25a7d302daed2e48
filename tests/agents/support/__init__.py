"""Tests of the support agent."""
