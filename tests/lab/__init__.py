"""Tests of what is compared and demonstrated."""
