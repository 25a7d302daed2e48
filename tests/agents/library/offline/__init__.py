"""Tests of what the library agent understands without a model."""
