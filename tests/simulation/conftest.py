"""What holds for simulated worlds: their tools fail on purpose, and nobody wants to read about it."""

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="package")
def quiet() -> Iterator[None]:
    """Keep the faults of simulated tools out of the log."""
    logger = logging.getLogger("agentcli")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    yield
    logger.setLevel(before)
