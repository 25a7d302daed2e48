"""What `doctor` looks at, one thing at a time: where something is wrong it says what to do."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agentcli.cli.set_up.checks import (
    FIRST_YEAR,
    Finding,
    check_clock,
    check_host,
    check_key,
    check_log,
    check_mirror,
    check_variables,
)
from agentcli.config import Config
from agentcli.store.sqlite import SqliteStore

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
Put = Callable[[Path], Path]


def a_file(mode: int) -> Put:
    def put(folder: Path) -> Path:
        path = folder / "file"
        path.write_text("")
        path.chmod(mode)
        return path

    return put


def is_fine(finding: Finding, told: str) -> None:
    assert (finding.ok, finding.advice) == (True, "")
    assert told in finding.detail


def is_wrong(finding: Finding, told: str) -> None:
    assert not finding.ok
    assert finding.advice
    assert told in finding.detail


@pytest.mark.parametrize("check", [check_mirror, check_log], ids=["mirror", "log"])
def test_a_file_of_the_owner_s_alone_is_fine(check: Callable[[Path], Finding], tmp_path: Path) -> None:
    """There, or still to be made."""
    is_fine(check(tmp_path / "new"), "will be made when")
    is_fine(check(a_file(0o600)(tmp_path)), str(tmp_path / "file"))


@pytest.mark.parametrize("check", [check_mirror, check_log], ids=["mirror", "log"])
@pytest.mark.parametrize("mode", [0o640, 0o606, 0o666], ids=oct)
def test_a_record_that_others_can_read_is_a_finding(
    check: Callable[[Path], Finding], mode: int, tmp_path: Path
) -> None:
    """It holds what was said and done."""
    is_wrong(check(a_file(mode)(tmp_path)), f"is open to others ({mode:o})")


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    """Where a folder stands, or a file in place of one, no log can be written."""
    is_wrong(check_log(tmp_path), f"{tmp_path} can't be written")
    in_the_way = a_file(0o600)(tmp_path)
    is_wrong(check_log(in_the_way / "folder" / "log"), f"{in_the_way} can't be written")


@pytest.mark.parametrize(
    ("url", "model", "told"),
    [
        (
            "https://models.example",
            "claude-sonnet-5",
            ["ANTHROPIC_BASE_URL sends conversations to models.example"],
        ),
        ("https://api.anthropic.com", "claude-sonnet-5", []),
        ("https://models.example", "offline", []),
    ],
    ids=["elsewhere", "anthropic", "no-conversation-is-sent"],
)
def test_where_conversations_go_is_told_if_not_to_anthropic(url: str, model: str, told: list[str]) -> None:
    """Whoever set it may have forgotten."""
    found = list(check_host(Config(model=model), {"ANTHROPIC_BASE_URL": url}))
    assert [finding.detail for finding in found] == told


def a_store(folder: Path) -> Path:
    with SqliteStore.open(folder / "agentcli.db"):
        return folder / "agentcli.db"


# fmt: off
MIRRORS: list[tuple[str, Put, str]] = [
    # what is wrong   the mirror                              told
    ("no-folder",     lambda folder: folder / "no" / "file",  "there is no folder"),
    ("a-folder",      lambda folder: folder,                  "Is a directory"),
    ("a-device",      lambda folder: Path(os.devnull),        "is not a regular file"),
    ("a-store",       a_store,                                "is a database"),
]
# fmt: on


@pytest.mark.parametrize(("mirror", "told"), [row[1:] for row in MIRRORS], ids=[row[0] for row in MIRRORS])
def test_a_mirror_that_nothing_can_be_copied_to_is_a_finding(mirror: Put, told: str, tmp_path: Path) -> None:
    """Without it nothing runs."""
    is_wrong(check_mirror(mirror(tmp_path)), told)


def test_the_clock_is_compared_with_the_newest_entry() -> None:
    """A few minutes make no difference; a clock that was set back does."""
    is_fine(check_clock(NOW, None), "2026-11-30 12:00 UTC")
    is_fine(check_clock(NOW, NOW + timedelta(minutes=5)), "2026-11-30 12:00 UTC")
    is_wrong(check_clock(NOW, NOW + timedelta(minutes=5, seconds=1)), "the newest entry 2026-11-30 12:05")


def test_a_clock_that_was_never_set_is_a_finding() -> None:
    """Also where there is no entry to compare it with."""
    is_wrong(check_clock(NOW.replace(year=FIRST_YEAR - 1), None), "it says 2023-11-30 12:00 UTC")
    is_fine(check_clock(NOW.replace(year=FIRST_YEAR), None), "2024-11-30 12:00 UTC")


def test_a_variable_that_sets_nothing_is_a_finding() -> None:
    """Spelled wrong it would be as if it were not there."""
    environ = {"AGENTCLI_AUTONMY": "1", "AGENTCLI_DB": "x.db", "AGENTCLI_WHATEVER": "", "OTHER": "1"}
    found = list(check_variables(environ))
    is_wrong(found[0], "AGENTCLI_AUTONMY sets nothing; did you mean 'AGENTCLI_AUTONOMY'?")
    is_wrong(found[1], "AGENTCLI_WHATEVER sets nothing")
    assert len(found) == 2


def test_a_key_is_there_or_not_and_may_still_be_wrong() -> None:
    """Which variable holds it is told; whether a service takes it only the service can say."""
    is_fine(check_key(Config(), {}), "offline · no key: rules answer, not intelligence")
    told = "claude-sonnet-5 · ANTHROPIC_API_KEY set; whether it is right shows with the first message"
    is_fine(check_key(Config(), {"ANTHROPIC_API_KEY": "x"}), told)
    is_wrong(check_key(Config(model="claude-opus-5"), {}), "needs ANTHROPIC_API_KEY")
