"""The page about exports names every field that there is."""

import re
from pathlib import Path

import msgspec
import pytest

from agentcli.cli.sessions.exporting import VERSION
from agentcli.cli.sessions.summaries import Summary
from agentcli.session import events as ev
from agentcli.session.findings import Standing

PAGE = (Path(__file__).parents[2] / "docs" / "session-exports.md").read_text(encoding="utf-8")
STREAMED = {"text_delta", "tool_input_started", "tool_input_delta", "tool_input_ready"}
KINDS = {kind.__struct_config__.tag: kind for kind in ev.Event.__subclasses__()}


def rows() -> dict[str, set[str]]:
    """The tables of the page: what is named in each row, by each name in its first cell."""
    found: dict[str, set[str]] = {}
    for first, second in re.findall(r"^\| (`.*?) \| (.*) \|$", PAGE, re.MULTILINE):
        for name in re.findall(r"`(\w+)`", first):
            found[name] = set(re.findall(r"`(\w+)`", second))
    return found


def test_every_field_of_an_export_is_named() -> None:
    """Those of the list, the version, and the events."""
    named = set(rows())
    assert set(Summary.__struct_fields__) | {"version", "events"} <= named
    assert f"of this format: {VERSION} |" in PAGE
    assert rows()["state"] == {standing.value for standing in Standing}


@pytest.mark.parametrize("tag", sorted(str(tag) for tag in KINDS if tag not in STREAMED))
def test_every_event_is_named_with_its_fields(tag: str) -> None:
    """As they are stored; what only forms while it streams is in no export."""
    fields = {field.encode_name for field in msgspec.structs.fields(KINDS[tag])} - {"session", "at"}
    named = rows()[tag] - ({"rule", "reason"} if tag == "decided" else set()) - {"heard"}
    assert named | ({"step"} if tag == "queued" else set()) >= fields
    assert named <= fields | ({"step"} if tag == "queued" else set())
