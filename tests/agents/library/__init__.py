"""Tests of the library agent."""
