"""Tests of what a tool is: JSON as it was written, schemas, declarations, outcomes."""
