"""Tests of what the support agent understands without a model."""
