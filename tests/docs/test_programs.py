"""The programs in the documentation run as printed."""

import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
MESSAGE = "Add 300 for groceries, then delete expense 1."


@pytest.mark.parametrize(
    ("options", "ends"), [([], "done"), (["--decline"], "not done")], ids=["approving", "declining"]
)
def test_a_program_of_thirty_lines_shows_each_call_and_answers_it(options: list[str], ends: str) -> None:
    """A program reads the event stream, shows tool and input of what waits, and says yes or no to it."""
    command = [sys.executable, str(DOCS / "approving.py"), *options, MESSAGE]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
    questions = [line for line in shown if line.startswith("question ")]
    assert ["add_expense" in questions[0], "delete_expense" in questions[1]] == [True, True]
    assert '"amount":300' in questions[0]
    assert [line for line in shown if line.startswith(("done", "not done"))] == [
        f"{ends}: add_expense",
        f"{ends}: delete_expense",
    ]
    assert any(line.startswith("completed: ") for line in shown)


def test_a_program_without_words_says_how_it_is_called() -> None:
    """As its first lines do."""
    done = subprocess.run(
        [sys.executable, str(DOCS / "approving.py")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert 'python docs/approving.py "Add 300 for groceries, then delete expense 1."' in done.stderr
