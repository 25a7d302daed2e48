"""What `doctor` says of a terminal."""

import os

import pytest

from agentcli.cli.set_up.checks import LEAST_COLUMNS, LEAST_ROWS, Finding, terminal_finding
from agentcli.cli.set_up.doctor import told


@pytest.mark.parametrize(
    ("environ", "columns", "rows", "ok", "told"),
    [
        ({"TERM": "xterm"}, 80, 24, True, "xterm, 80 × 24"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, 80, 24, True, "xterm, without colours, 80 × 24"),
        ({"TERM": "dumb"}, 80, 24, True, "dumb: nothing is drawn anew, without colours, 80 × 24"),
        ({"TERM": "xterm"}, LEAST_COLUMNS, LEAST_ROWS, True, "xterm, 20 × 8"),
        ({"TERM": "xterm"}, LEAST_COLUMNS - 1, LEAST_ROWS, False, "xterm, 19 × 8"),
        ({"TERM": "xterm"}, LEAST_COLUMNS, LEAST_ROWS - 1, False, "xterm, 20 × 7"),
    ],
)
def test_a_terminal_is_told_with_what_it_is_good_for(
    environ: dict[str, str], columns: int, rows: int, ok: bool, told: str
) -> None:
    """Where it is too small to read a question in, with what to do."""
    found = terminal_finding(environ, os.terminal_size((columns, rows)))
    assert (found.ok, found.detail) == (ok, told)
    assert bool(found.advice) is not ok


def test_findings_are_folded_at_a_terminal_and_whole_elsewhere() -> None:
    """What to do stands below what is wrong."""
    found = [Finding("store", False, "it is open to others " * 3, "chmod 600 it"), Finding("clock", True, "12:00")]
    assert list(told(found, None)) == [
        "wrong  store  it is open to others it is open to others it is open to others⟨1 space⟩",
        "    → chmod 600 it",
        "ok     clock  12:00",
    ]
    narrow = list(told(found, 40))
    assert narrow[0].startswith("wrong  store  it is open")
    assert narrow[1].startswith("      ")
    assert max(map(len, narrow)) <= 40
