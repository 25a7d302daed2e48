"""What tests of the wiring share."""

from collections.abc import Iterator

import pytest

from tests.wiring.garage import still_held


@pytest.fixture(autouse=True)
def _no_session_stays_held() -> Iterator[None]:
    """Close what a test has left open."""
    yield
    while still_held:
        still_held.pop().close()
