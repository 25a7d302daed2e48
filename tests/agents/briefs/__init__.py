"""Tests of the briefs agent."""
