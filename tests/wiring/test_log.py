"""The log: the detail that no screen shows, and no secret in it."""

import json
import logging
import stat
from pathlib import Path

import pytest

from agentcli.wiring.log import FILES, MAX_BYTES, LogFile, new_reference


def record(message: str, error: BaseException | None = None) -> logging.LogRecord:
    """Something that is logged."""
    raised = None if error is None else (type(error), error, error.__traceback__)
    return logging.LogRecord("agentcli.engine", logging.ERROR, __file__, 1, message, (), raised)


def test_a_line_is_json_in_ascii_for_the_owner_alone(tmp_path: Path) -> None:
    """No text can break a line or steer the terminal that shows the log."""
    path = tmp_path / "state" / "agentcli.log"
    LogFile(path).emit(record("caf\xe9\n\x1b[2J\ud800", ValueError("boom")))
    raw = path.read_bytes()
    assert raw.isascii()
    assert raw.count(b"\n") == 1
    assert json.loads(raw)["message"] == "caf\xe9\n\x1b[2J\ufffd"
    assert json.loads(raw)["detail"] == "ValueError: boom"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_three_files_of_one_megabyte(tmp_path: Path) -> None:
    """The newest lines are kept, in files that do not grow without end."""
    log = LogFile(tmp_path / "agentcli.log")
    for number in range(5 * FILES):
        log.emit(record(f"{number} " + "x" * (MAX_BYTES // 4)))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["agentcli.log", "agentcli.log.1", "agentcli.log.2"]
    assert all(path.stat().st_size <= MAX_BYTES for path in tmp_path.iterdir())
    newest = (tmp_path / "agentcli.log").read_text().splitlines()[-1]
    assert json.loads(newest)["message"].startswith(f"{5 * FILES - 1} ")


def test_a_log_that_cant_be_written_stops_nothing(tmp_path: Path) -> None:
    """What happens is more important than telling it."""
    (tmp_path / "file").write_text("")
    LogFile(tmp_path / "file" / "agentcli.log").emit(record("lost"))


def test_a_reference_names_one_entry() -> None:
    """Eight hex digits, a new one each time."""
    references = {new_reference() for _ in range(100)}
    assert len(references) == 100
    assert all(len(one) == 8 and int(one, 16) >= 0 for one in references)


@pytest.mark.parametrize("message", ["the key is {key}", "Authorization: Bearer {key}"])
def test_the_key_is_struck_out(tmp_path: Path, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever an exception says, the key is not in the log."""
    key = "sk-ant-canary-0123456789"
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    path = tmp_path / "agentcli.log"
    LogFile(path).emit(record(message.format(key=key), ValueError(key)))
    assert key not in path.read_text()
    assert "[secret]" in path.read_text()
