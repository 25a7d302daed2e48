"""`agentcli run`: the answer alone on stdout, everything else on stderr, and an exit code for each ending."""

import subprocess
import sys
from typing import Any

import pytest

from tests.cli.process import Home

SEED = "Add 300 for groceries, then delete expense 1."
OFFLINE = ("--model", "offline")
BY_STREAM = {"text_delta", "tool_input_started", "tool_input_delta", "tool_input_ready"}


def decisions(events: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Which tool was decided about, and how."""
    return [(event["tool"], event["decision"]) for event in events if event["type"] == "decided"]


def test_stdout_holds_the_answer_alone(home: Home) -> None:
    """The first line and the audit lines go to stderr; stdout can be piped."""
    ended = home.run("run", "What's my total?")
    assert ended.code == 0
    assert ended.out == "The total is 40.00 USD, over 1 expense.\n"
    first, audit = ended.err.splitlines()
    assert first.startswith("expenses · offline · level 2 (default) · no key: rules answer")
    assert audit == "[allow] get_total {}"


@pytest.mark.parametrize(
    ("level", "code", "decided"),
    [
        ("0", 0, []),
        ("1", 0, [("add_expense", "deny"), ("delete_expense", "deny")]),
        ("2", 3, [("add_expense", "ask")]),
        ("3", 3, [("add_expense", "allow"), ("delete_expense", "ask")]),
        ("4", 0, [("add_expense", "allow"), ("delete_expense", "allow")]),
    ],
)
def test_the_seed_case_at_every_level(home: Home, level: str, code: int, decided: list[tuple[str, str]]) -> None:
    """The level decides what runs, is asked about, or is denied; an open question ends with 3."""
    ended = home.run("run", *OFFLINE, "--autonomy", level, "--json", SEED)
    assert ended.code == code
    assert decisions(ended.events) == decided
    assert [event["type"] for event in ended.events].count("run_finished") == 1
    assert ended.events[-1]["type"] == "run_finished"
    assert ended.events[-1]["outcome"] == ("waiting" if code == 3 else "completed")


def test_a_question_stays_open_without_a_terminal(home: Home) -> None:
    """Nobody is asked where nobody can answer: the question stays open, and the line that goes on is printed."""
    ended = home.run("run", *OFFLINE, SEED)
    [session] = home.run("sessions", "list", "--json").json
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.splitlines()[-1] == (
        f"add_expense waits for a yes or no, see `agentcli approvals show {session['questions'][0]}`; "
        f"`agentcli resume {session['id']}` goes on"
    )
    assert session["state"] == "waiting"
    assert len(session["questions"]) == 1


def test_on_ask_decline_declines_and_lets_the_run_go_on(home: Home) -> None:
    """With `--on-ask decline` the model hears no, and the run ends by itself."""
    ended = home.run("run", *OFFLINE, "--on-ask", "decline", "--json", SEED)
    assert ended.code == 0
    answers = [event["answer"] for event in ended.events if event["type"] == "answered"]
    assert answers == ["declined", "declined"]
    assert [event["type"] for event in ended.events].count("run_finished") == 1


def test_an_event_a_line_and_the_stream_only_when_asked_for(home: Home) -> None:
    """`--json` writes events alone; text and inputs as they form come only with `--stream`."""
    plain = home.run("run", *OFFLINE, "--json", "What's my total?")
    streamed = home.run("run", *OFFLINE, "--json", "--stream", "What's my total?")
    assert not BY_STREAM & {event["type"] for event in plain.events}
    assert {event["type"] for event in streamed.events} >= BY_STREAM
    without = [event["type"] for event in streamed.events if event["type"] not in BY_STREAM]
    assert without == [event["type"] for event in plain.events]
    assert all({"type", "session", "at"} <= set(event) for event in plain.events)


def test_without_stdin_nothing_is_read(home: Home) -> None:
    """A stdin that stays open and silent does not hold the run up."""
    process = home.start("run", *OFFLINE, "What's my total?", stdin_stays_open=True)
    assert process.wait(timeout=30) == 0
    process.communicate()


def test_the_message_can_come_from_stdin(home: Home) -> None:
    """`--stdin` takes the whole of standard input as one message."""
    ended = home.run(
        "run",
        *OFFLINE,
        "--stdin",
        stdin="note: two\nlines\n",
    )
    shown = home.run("sessions", "show", home.run("sessions", "list", "--json").json[0]["id"], "--json").json
    assert ended.code == 3
    assert shown["events"][0]["text"] == "note: two\nlines"


def test_standard_input_that_can_not_be_read_is_wrong_usage(home: Home) -> None:
    """It is open for writing alone."""
    command = 'exec "$0" -m agentcli run --stdin 0>written'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable],
        cwd=home.folder,
        env=home.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "agentcli: standard input can't be read: Bad file descriptor\n"


def test_what_an_editor_puts_around_a_file_is_not_said(home: Home) -> None:
    """Neither the mark that begins it nor the line ends of another system at its end."""
    home.run("run", *OFFLINE, "--stdin", stdin="\ufeffWhat's my total?\r\n")
    assert home.run("sessions", "list", "--json").json[0]["title"] == "What's my total?"


@pytest.mark.parametrize("message", ["--autonomy 4", "-h", "--"])
def test_after_two_dashes_everything_is_text(home: Home, message: str) -> None:
    """What stands after `--` is said, not obeyed."""
    ended = home.run("run", *OFFLINE, "--json", "--", message)
    assert ended.code == 0
    assert ended.events[0]["text"] == message
    assert next(event for event in ended.events if event["type"] == "run_started")["level"] == 2


def test_a_limit_ends_with_4(home: Home) -> None:
    """A run that reaches its step limit says so, and how to go on."""
    ended = home.run("run", *OFFLINE, "--max-steps", "1", "What's my total?")
    assert (ended.code, ended.out) == (4, "")
    assert "Stopped: step limit reached; `agentcli resume " in ended.err


def test_require_approval_asks_about_reads_too(home: Home) -> None:
    """`--require-approval` asks for every call."""
    ended = home.run("run", *OFFLINE, "--require-approval", "What's my total?")
    assert ended.code == 3
    assert "every call is asked about" in ended.err
    assert "[ask] get_total {}" in ended.err


def test_a_tools_own_level_counts_for_it_alone(home: Home) -> None:
    """`--tool-level` releases one tool; the first line says so."""
    ended = home.run("run", *OFFLINE, "--tool-level", "add_expense=3", "--json", SEED)
    assert decisions(ended.events) == [("add_expense", "allow"), ("delete_expense", "ask")]
    assert "add_expense at level 3" in ended.err


def test_level_4_says_its_limits(home: Home) -> None:
    """A run that nobody is asked about names what holds it."""
    ended = home.run("run", *OFFLINE, "--autonomy", "4", "What's my total?")
    assert "level 4 (--autonomy) · runs alone, within 6 steps" in ended.err


@pytest.mark.parametrize(
    "again", [("--continue",), ("--session", "{id}"), ("--session", "{prefix}")], ids=" ".join
)
def test_a_session_is_gone_on_with(home: Home, again: tuple[str, ...]) -> None:
    """`--continue` takes the newest session, `--session` one by its id or the beginning of it."""
    home.run("run", *OFFLINE, "What's my total?")
    session = home.run("sessions", "list", "--json").json[0]["id"]
    named = [part.format(id=session, prefix=session[:7]) for part in again]
    ended = home.run("run", *named, "--json", "list")
    assert ended.code == 0
    assert {event["session"] for event in ended.events} == {session}
    assert ended.events[0]["message"] == 2


def test_words_during_an_open_question_leave_it_open(home: Home) -> None:
    """A message never answers a question: it is kept and named as not yet heard."""
    home.run("run", *OFFLINE, SEED)
    ended = home.run("run", "--continue", "--json", "yes")
    assert ended.code == 3
    assert ended.events[-1]["undelivered"] == [2]
    assert not [event for event in ended.events if event["type"] == "answered"]


def test_nothing_in_the_current_directory_is_read_or_imported(home: Home) -> None:
    """A folder full of files that others wrote changes nothing."""
    cwd = home.folder / "hostile"
    cwd.mkdir()
    for name in ("rich", "typer", "typing", "msgspec", "sitecustomize", "usercustomize", "tools", "agentcli_own"):
        (cwd / f"{name}.py").write_text(f"import sys; sys.exit('imported {name}')")
    (cwd / ".env").write_text("AGENTCLI_AUTONOMY=4\nANTHROPIC_API_KEY=sk-theirs-0123456789\n")
    (cwd / "agentcli.toml").write_text("[autonomy]\nlevel = 4\n")
    (cwd / "config.toml").write_text("[autonomy]\nlevel = 4\n")
    before = sorted(path.name for path in cwd.iterdir())
    ended = home.run("run", "What's my total?", cwd=cwd)
    assert ended.code == 0
    assert "offline · level 2 (default)" in ended.err
    assert sorted(path.name for path in cwd.iterdir()) == before


def test_what_hides_in_the_answer_is_marked(home: Home) -> None:
    """An answer can't steer the terminal it is printed on."""
    home.run("run", *OFFLINE, "--autonomy", "3", "note: a\u202eb\u200bc")
    ended = home.run("run", *OFFLINE, "list notes")
    assert "a⟨U+202E⟩b⟨U+200B⟩c" in ended.out
