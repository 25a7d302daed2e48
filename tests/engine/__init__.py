"""Tests of the engine: permits, the executor, the journal and the loop."""
