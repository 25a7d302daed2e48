"""Lines on stderr while a run is going on, and the one below them that is redrawn."""

import io
import os
import pty

import pytest

from agentcli.cli.talk.progress import CLEAR_LINE, Progress, at_work, can_redraw
from agentcli.session import entries as e
from agentcli.terminal.drawing.styled import Span
from tests.session.telling import BEGUN, Told, at, decided, opened, replied, started, state_of, use

CALLED = (*BEGUN, replied(use("c1", "look")))
TWO = (*BEGUN, replied(use("c1", "look"), use("c2", "pry")), decided("c1", tool="look"), decided("c2", tool="pry"))
FAILED = e.RequestFailed(1, 1, "overloaded", "busy", retry_at=at(9))


@pytest.mark.parametrize(
    ("told", "seconds", "said"),
    [
        ((opened(),), 0, ""),
        (BEGUN, 3, "step 1 of 6 · 3 s · scripted"),
        ((*BEGUN, FAILED), 3, "trying again in 6 s …"),
        ((*BEGUN, FAILED), 9, "step 1 of 6 · 9 s · scripted"),
        (CALLED, 3, ""),
        ((*CALLED, decided("c1", tool="look"), (1, started("c1"))), 3, "2 s · look …"),
        ((*TWO, (1, started("c1")), (2, started("c2"))), 4, "3 s · look, pry …"),
        ((*BEGUN, e.RunEnded("completed")), 3, ""),
    ],
    ids=["no run", "model", "retry", "tried again", "deciding", "tool", "tools", "over"],
)
def test_what_is_going_on(told: tuple[Told, ...], seconds: float, said: str) -> None:
    """The step and its model, how long until a request is tried again, or for how long which tools are at work."""
    assert at_work(state_of(*told), at(seconds)) == said


def test_the_line_is_drawn_anew_and_taken_away() -> None:
    """It is cut to the width, holds nothing that hides, and leaves nothing behind."""
    stream = io.StringIO()
    progress = Progress(stream, is_live=True)
    progress.show("one\x1b[2J")
    progress.show("one\x1b[2J")
    progress.show("")
    assert stream.getvalue() == f"{CLEAR_LINE}one⟨U+001B⟩[2J{CLEAR_LINE}"


def test_a_long_text_stays_on_its_line() -> None:
    """A line that wrapped could not be taken away again."""
    stream = io.StringIO()
    Progress(stream, is_live=True).show("x" * 500)
    assert len(stream.getvalue().removeprefix(CLEAR_LINE)) == 79


def test_lines_go_above_it(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for good takes its place, and the redrawn one follows below."""
    stream = io.StringIO()
    progress = Progress(stream, is_live=True)
    progress.show("at work")
    progress.line((Span("[allow] look {}"),))
    assert stream.getvalue() == f"{CLEAR_LINE}at work{CLEAR_LINE}{CLEAR_LINE}at work"
    assert capsys.readouterr().err == "[allow] look {}\n"


def test_lines_wait_while_somebody_else_draws(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is written into a question; it all comes afterwards."""
    stream = io.StringIO()
    progress = Progress(stream, is_live=True)
    with progress.held():
        progress.line((Span("one"),))
        progress.show("at work")
        progress.line((Span("two"),))
        assert capsys.readouterr().err == ""
    assert capsys.readouterr().err == "one\ntwo\n"
    assert "at work" not in stream.getvalue()


def test_where_nothing_is_redrawn_it_is_said_what_still_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    """Every ten seconds in which nothing else was told, and not while somebody else draws."""
    progress = Progress(io.StringIO(), is_live=False, is_read_out=True)
    progress.reassure("", at(0))
    for seconds in (9.9, 10.0, 19.9):
        progress.reassure("look", at(seconds))
    assert capsys.readouterr().err == "still going on: look\n"
    progress.line((Span("[allow] look {}"),))
    progress.reassure("look\x1b", at(29))
    with progress.held():
        progress.reassure("look", at(50))
    assert capsys.readouterr().err == "[allow] look {}\n"
    progress.reassure("look\x1b", at(51))
    assert capsys.readouterr().err == "still going on: look⟨U+001B⟩\n"
    unheard = Progress(io.StringIO(), is_live=False)
    unheard.reassure("look", at(0))
    unheard.reassure("look", at(20))
    assert capsys.readouterr().err == ""


def test_without_a_terminal_nothing_is_redrawn() -> None:
    """A log file gets lines alone."""
    stream = io.StringIO()
    Progress(stream, is_live=False).show("at work")
    Progress(None, is_live=True).show("at work")
    assert stream.getvalue() == ""


def test_a_terminal_that_is_gone_is_no_fault() -> None:
    """The run goes on without its redrawn line."""
    main, other = pty.openpty()
    stream = os.fdopen(other, "w")
    os.close(main)
    progress = Progress(stream, is_live=True)
    progress.show("at work")
    progress.show("at work still")


def test_where_a_line_can_be_redrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a terminal that can, unless the person wants it plain."""
    main, other = pty.openpty()
    with os.fdopen(main, "w"), os.fdopen(other, "w") as terminal:
        monkeypatch.setenv("TERM", "xterm")
        assert can_redraw(terminal, is_plain=False)
        assert not can_redraw(terminal, is_plain=True)
        assert not can_redraw(io.StringIO(), is_plain=False)
        assert not can_redraw(None, is_plain=False)
        monkeypatch.setenv("TERM", "dumb")
        assert not can_redraw(terminal, is_plain=False)
