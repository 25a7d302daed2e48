"""The file of a recording: what stands in it, who may read it, and what is no recording."""

import json
import os
from pathlib import Path

import pytest

from agentcli.models.recording import BadRecording, begin_recording, read_recording
from tests.models.recorded import LATER, REQUEST, SAID, recorded


async def test_each_message_is_kept_once(tmp_path: Path) -> None:
    """A recording grows with the conversation, not with its square."""
    path = tmp_path / "x.jsonl"
    await recorded(path, (REQUEST, SAID), (LATER, SAID))
    _, first, second = map(json.loads, path.read_text().splitlines())
    assert [len(one["asked"]["messages"]) for one in (first, second)] == [1, 2]
    assert [one["kept"] for one in (first, second)] == [0, 1]


async def test_a_recording_is_readable_to_its_owner_alone(tmp_path: Path) -> None:
    """It holds a whole conversation, also where the file was there before."""
    path = tmp_path / "x.jsonl"
    path.touch(mode=0o644)
    await recorded(path, (REQUEST, SAID))
    assert path.stat().st_mode & 0o777 == 0o600


async def test_a_line_that_is_broken_within_a_recording_is_no_crash(tmp_path: Path) -> None:
    """Somebody has changed it, so nothing of it plays."""
    path = tmp_path / "x.jsonl"
    await recorded(path, (REQUEST, SAID), (LATER, SAID))
    head, first, second = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([head, first[:-1], second, b""]))
    with pytest.raises(BadRecording, match="is no recording"):
        read_recording(path)


def test_a_recording_that_can_not_begin_is_told(tmp_path: Path) -> None:
    """With the file and why."""
    with pytest.raises(BadRecording, match=r"nowhere/x\.jsonl: can't be written: No such file or directory"):
        begin_recording(tmp_path / "nowhere" / "x.jsonl")


def test_a_device_keeps_its_permissions() -> None:
    """Others use it too."""
    before = Path(os.devnull).stat().st_mode
    begin_recording(Path(os.devnull))
    assert Path(os.devnull).stat().st_mode == before


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "can't be read"),
        (b"", "is no recording"),
        (b"hello\n", "is no recording"),
        (b'{"agentcli_recording":2}\n', "another version"),
        (b'{"agentcli_recording":1}\n{"kept":0}\n', "is no recording"),
        (
            b'{"agentcli_recording":1}\n{"kept":0,"asked":{"system":"","tools":[],"may_call":true,"messages":[]},'
            b'"events":[{"event":"Nonsense"}]}\n',
            "is no recording",
        ),
    ],
)
def test_what_is_no_recording_is_told(tmp_path: Path, content: bytes | None, problem: str) -> None:
    """Before a session begins."""
    path = tmp_path / "x.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadRecording, match=problem):
        read_recording(path)
