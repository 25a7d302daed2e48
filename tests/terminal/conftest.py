"""What tests of whole conversations share."""

from pathlib import Path

import pytest

from tests.cli.process import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A new home."""
    return Home(tmp_path)
