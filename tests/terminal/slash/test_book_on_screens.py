"""`/book` on whole screens: narrow, usual, wide, and read out line by line."""

from datetime import date

import pytest

from agentcli.agents.expenses.rules import sample_day
from tests.cli.process import Home
from tests.terminal.chatting import OFFLINE, chat
from tests.terminal.pty_screen import PtyScreen, python_module


@pytest.mark.parametrize(
    ("columns", "row", "bar"),
    [
        (30, "amount    40.00", "2026-10  40.00  ██████████████"),
        (80, " 1  2026-10-02  tea   food       40.00  USD", f"2026-10  40.00  {'█' * 48}"),
        (200, " 1  2026-10-02  tea   food       40.00  USD", f"2026-10  40.00  {'█' * 48}"),
    ],
    ids=["narrow", "usual", "wide"],
)
def test_the_book_is_drawn_above_the_line(home: Home, columns: int, row: str, bar: str) -> None:
    """With what room there is."""
    with chat(home, *OFFLINE, columns=columns, rows=40) as screen:
        screen.enter("/book", gap_s=0.005)
        screen.wait_for("total 40.00 USD over 1")
        month = sample_day(date.today()).isoformat()[:7]
        assert row.replace("2026-10", month) in screen.lines
        assert bar.replace("2026-10", month) in screen.lines


def test_the_book_can_be_read_out(home: Home) -> None:
    """In plain mode it has neither bars nor rules."""
    plain = python_module("agentcli", "chat", *OFFLINE, "--plain")
    with PtyScreen(plain, env=home.environment(), cwd=home.folder, columns=80, rows=40) as screen:
        screen.wait_for("/help lists the rest")
        screen.enter("/book", gap_s=0.005)
        screen.wait_for("total 40.00 USD over 1")
        assert not {"█", "─"} & set(screen.everything)
        assert "by category, USD" in screen.everything
