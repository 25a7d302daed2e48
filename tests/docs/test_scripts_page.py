"""The page about scripts names every exit code, and every event that only streams."""

import re
from pathlib import Path

import msgspec
import pytest

from agentcli.cli.exits import Exit
from agentcli.session import events as ev

PAGE = (Path(__file__).parents[2] / "docs" / "scripts.md").read_text(encoding="utf-8")


def test_every_exit_code_is_named_and_no_other() -> None:
    """In the order of their numbers."""
    assert re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE) == [str(int(one)) for one in sorted(Exit)]


@pytest.mark.parametrize("event", [ev.TextDelta, ev.ToolInputStarted, ev.ToolInputDelta, ev.ToolInputReady])
def test_what_only_streams_is_named_with_its_fields(event: type[ev.Event]) -> None:
    """The others are on the page about exports."""
    [sentence] = [line for line in PAGE.splitlines() if line.startswith("`--stream` adds")]
    named = {event.__struct_config__.tag} | {field.encode_name for field in msgspec.structs.fields(event)}
    assert named - {"session", "at"} <= set(re.findall(r"`(\w+)`", sentence))
