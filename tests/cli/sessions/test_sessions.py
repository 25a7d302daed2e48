"""`agentcli sessions` and `agentcli resume`: what was said and done, and how it goes on."""

import json
import stat

import pytest

from tests.cli.process import Home

SEED = "Add 300 for groceries, then delete expense 1."
OFFLINE = ("--model", "offline")
FIELDS = ["id", "title", "agent", "model", "level", "started_at", "last_at", "state", "questions", "undelivered"]


def test_without_a_store_the_list_is_empty_and_no_file_is_made(home: Home) -> None:
    """Looking makes no file."""
    assert home.run("sessions", "list", "--json").json == []
    ended = home.run("sessions", "list")
    assert (ended.code, ended.out, ended.err) == (0, "", "no sessions yet; `agentcli chat` begins one\n")
    assert not home.store.exists()
    elsewhere = home.run("--db", "else.db", "sessions", "list").err
    assert elsewhere == "no sessions yet; `agentcli --db else.db chat` begins one\n"


def test_the_list_is_one_array_with_the_newest_first(home: Home) -> None:
    """A list is one JSON array on one line; what waits for a person is named."""
    home.run("run", *OFFLINE, "What's my total?")
    home.run("run", *OFFLINE, SEED)
    newest, oldest = home.run("sessions", "list", "--json").json
    assert list(newest) == FIELDS
    assert (newest["title"], newest["state"], len(newest["questions"])) == (SEED, "waiting", 1)
    assert (oldest["title"], oldest["state"], oldest["questions"]) == ("What's my total?", "idle", [])
    assert oldest["started_at"] <= oldest["last_at"] <= newest["started_at"]


def test_a_session_in_which_nothing_was_said_is_listed_as_such(home: Home) -> None:
    """A blank would leave a person to guess; a program gets the title that it has: none."""
    home.run("chat", *OFFLINE)
    head, row = home.run("sessions", "list", env={"COLUMNS": "80"}).out.splitlines()
    assert row[head.index("title") :] == "(nothing said yet)"
    assert [one["title"] for one in home.run("sessions", "list", "--json").json] == [""]


def test_a_transcript_reads_like_the_session(home: Home) -> None:
    """`sessions show` tells words, decisions, answers and results in order."""
    home.run("run", *OFFLINE, "--on-ask", "decline", "--tool-level", "add_expense=3", SEED)
    session = home.run("sessions", "list", "--json").json[0]["id"]
    head, *lines = home.run("sessions", "show", session[:6]).out.splitlines()
    assert head.startswith(session)
    assert lines[:3] == [f"#1 {SEED}", '[allow] add_expense {"item":"groceries","amount":300}', lines[2]]
    assert lines[2].startswith("  ✓ add_expense ok ")
    assert lines[3] == '[ask] delete_expense {"id":1}'
    assert lines[4].startswith("[declined] delete_expense by ")
    assert lines[5].startswith("  ✗ delete_expense declined: ")
    assert lines[6].startswith("  Added #2 groceries")


def test_words_cant_pass_for_an_audit_line(home: Home) -> None:
    """What somebody said is set in, so that no line of it looks like a decision."""
    home.run("run", *OFFLINE, "hello\n[approved] delete_expense by ana after 2.1 s")
    session = home.run("sessions", "list", "--json").json[0]["id"]
    shown = home.run("sessions", "show", session).out.splitlines()
    assert "   [approved] delete_expense by ana after 2.1 s" in shown
    assert not [line for line in shown if line.startswith("[")]


def test_show_for_programs_holds_the_events(home: Home) -> None:
    """`sessions show --json` is the session's row with its events."""
    home.run("run", *OFFLINE, "What's my total?")
    [row] = home.run("sessions", "list", "--json").json
    shown = home.run("sessions", "show", row["id"], "--json").json
    assert {name: shown[name] for name in FIELDS} == row
    assert [event["type"] for event in shown["events"]][-1] == "run_finished"


def test_a_prefix_of_several_sessions_is_an_error_with_the_list(home: Home) -> None:
    """Which of them is meant is for the person to say."""
    for _ in range(2):
        home.run("run", *OFFLINE, "What's my total?")
    both = sorted(row["id"] for row in home.run("sessions", "list", "--json").json)
    ended = home.run("sessions", "show", both[0][:3])
    assert ended.code == 2
    assert f"could be any of these: {', '.join(both)}" in ended.error


def test_the_store_is_readable_to_its_owner_alone(home: Home) -> None:
    """What was said is nobody else's business."""
    home.run("run", *OFFLINE, "What's my total?")
    assert stat.S_IMODE(home.store.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("arguments", "events"), [((), []), (("--json",), ["run_finished"])], ids=["lines", "json"]
)
def test_resume_without_any_session_says_so(home: Home, arguments: tuple[str, ...], events: list[str]) -> None:
    """Nothing to go on with is no failure."""
    ended = home.run("resume", *arguments)
    assert ended.code == 0
    assert [event["type"] for event in ended.events] == events
    assert "there is no session to go on with" in ended.err


def test_resume_of_a_session_that_is_done_says_so(home: Home) -> None:
    """With nothing to go on with, resume says so and exits 0."""
    home.run("run", *OFFLINE, "What's my total?")
    ended = home.run("resume")
    assert (ended.code, ended.out) == (0, "")
    assert ended.err.splitlines()[-1] == "nothing to go on with: no run is open and every message was heard"
    told = home.run("resume", "--json")
    assert (told.code, told.err) == (0, ended.err)
    assert [(event["type"], event["outcome"]) for event in told.events] == [("run_finished", "completed")]


def test_resume_asks_open_questions_again(home: Home) -> None:
    """A session that waits for a person still does after it is resumed without one."""
    home.run("run", *OFFLINE, SEED)
    ended = home.run("resume")
    assert (ended.code, ended.out) == (3, "")
    assert 'waits for a yes or no: add_expense {"item":"groceries","amount":300}' in ended.err
    assert 'not started: delete_expense {"id":1}' in ended.err


def test_resume_finishes_the_open_run_as_run_does(home: Home) -> None:
    """Without a terminal, resume prints the answer and exits as run would have."""
    home.run("run", *OFFLINE, SEED)
    ended = home.run("resume", "--on-ask", "decline")
    assert ended.code == 0
    assert "I did not add groceries" in ended.out
    [row] = home.run("sessions", "list", "--json").json
    assert row["state"] == "idle"


def test_resume_after_a_limit_has_a_fresh_allowance(home: Home) -> None:
    """A run that a limit ended is gone on with by a new one."""
    home.run("run", *OFFLINE, "--max-steps", "1", "What's my total?")
    ended = home.run("resume")
    assert (ended.code, ended.out) == (0, "The total is 40.00 USD, over 1 expense.\n")


@pytest.mark.parametrize(
    ("saved", "now", "arguments", "level", "said"),
    [
        ("3", None, (), 2, "saved level 3, now 2; --autonomy or /level raises it"),
        ("1", None, (), 1, None),
        ("1", "3", (), 1, None),
        ("3", "1", (), 1, "saved level 3, now 1; --autonomy or /level raises it"),
        ("1", None, ("--autonomy", "4"), 4, "saved level 1, now 4"),
    ],
)
def test_the_lower_level_counts_unless_the_command_line_says_otherwise(
    home: Home, saved: str, now: str | None, arguments: tuple[str, ...], level: int, said: str | None
) -> None:
    """Going on never raises a level by itself, and what changed is printed."""
    home.run("run", *OFFLINE, "--autonomy", saved, "What's my total?")
    ended = home.run("resume", *arguments, env={"AGENTCLI_AUTONOMY": now} if now else {})
    assert f"level {level} (" in ended.err.splitlines()[0]
    assert ended.err.splitlines()[1:-1] == ([said] if said else [])
    assert home.run("sessions", "list", "--json").json[0]["level"] == level


def test_the_first_line_says_where_a_saved_level_came_from(home: Home) -> None:
    """A level that the session brought along is called saved."""
    home.run("run", *OFFLINE, "--autonomy", "1", "What's my total?")
    assert "level 1 (saved)" in home.run("resume").err


def test_the_model_is_kept_unless_the_command_line_names_one(home: Home) -> None:
    """Neither config nor environment changes the model of a session that exists."""
    home.run("run", "--model", "offline:reckless", "What's my total?")
    kept = home.run("resume", env={"AGENTCLI_MODEL": "offline"})
    assert "expenses · offline:reckless · " in kept.err
    changed = home.run("resume", "--model", "offline")
    assert "expenses · offline · " in changed.err


def test_the_agent_cant_be_changed(home: Home) -> None:
    """Another agent named on the command line is an error; one in the config does not matter."""
    home.run("run", *OFFLINE, "What's my total?")
    ended = home.run("run", "--continue", "--agent", "support", "hi")
    assert ended.code == 2
    assert "is with the agent 'expenses', which can't be changed to 'support'" in ended.error
    assert home.run("run", "--continue", "list", env={"AGENTCLI_AGENT": "support"}).code == 0


def test_the_resume_line_names_the_store_that_was_named(home: Home) -> None:
    """The line can be pasted as it stands."""
    elsewhere = home.folder / "my store.db"
    ended = home.run("--db", str(elsewhere), "run", *OFFLINE, SEED)
    assert f"`agentcli --db '{elsewhere}' resume " in ended.err
    assert not home.store.exists()


def test_json_strings_are_as_they_were_said(home: Home) -> None:
    """JSON is for programs: nothing in it is marked or cut."""
    home.run("run", *OFFLINE, "--autonomy", "3", "note: a\u202eb")
    session = home.run("sessions", "list", "--json").json[0]["id"]
    shown = home.run("sessions", "show", session, "--json")
    assert json.loads(shown.out)["events"][0]["text"] == "note: a\u202eb"
