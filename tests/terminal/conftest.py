"""What tests of whole conversations share."""

import io
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input

from agentcli.terminal.faces.output import SteadyOutput
from agentcli.terminal.faces.screen import Screen
from tests.cli.process import Home
from tests.terminal.bench import Bench


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A new home."""
    return Home(tmp_path)


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    """A keyboard that is a pipe."""
    with create_pipe_input() as pipe:
        yield pipe


@pytest.fixture
async def bench(keys: PipeInput) -> AsyncIterator[Bench]:
    """A screen of 80 × 24."""
    written = io.StringIO()
    output = SteadyOutput(written, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    async with Screen(keys, output, colour=True, bell=True) as screen:
        yield Bench(keys, written, screen)
