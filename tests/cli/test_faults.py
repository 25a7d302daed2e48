"""Whatever goes wrong ends in one clear line on stderr and the exit code that scripts can rely on."""

import json
import os
import re
import shlex
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agentcli.cli.exits import explain
from agentcli.session.ports import SessionBusy
from agentcli.store.sqlite import SqliteStore
from tests.cli.process import Home

KEY = "sk-ant-canary-0123456789abcdef"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("confg",), "no such command 'confg'; did you mean 'config'?"),
        (("sessions", "lst"), "no such command 'lst'; did you mean 'list'?"),
        (("rename", "x"), "no such command 'rename'; did you mean 'sessions rename'? see `agentcli --help`"),
        (("export",), "did you mean 'sessions export' or 'audit export'? see"),
        (("help",), "agentcli: no such command 'help'; did you mean '--help'? see `agentcli --help`"),
        (("sessions",), "say which: list, show, export, rename, delete"),
        (("run", "--autonmy", "2", "x"), "did you mean '--autonomy'?"),
        (("run", "--level", "2", "x"), "did you mean '--autonomy'?"),
        (("compare", "--level", "2", "x"), "did you mean '--levels'?"),
        (("run", "--db", "x", "hi"), "--db stands before the command, as in `agentcli --db FILE run`"),
        (("run", "a", "b"), "got more than it takes: b"),
        (("run",), "say one thing"),
        (("run", "--stdin", "hi"), "say one thing"),
        (("run", "--stdin"), "the message is empty"),
        (("run", " \t"), "the message is empty"),
        (("run", "--autonomy", "5", "hi"), "--autonomy: '5' is not a level from 0 to 4"),
        (("run", "--autonomy", "", "hi"), "--autonomy: is empty"),
        (("run", "--tool-level", "add_expense", "hi"), "'add_expense' is not TOOL=N"),
        (("run", "--tool-level", "add_expnse=3", "hi"), "did you mean 'add_expense'?"),
        (("run", "--max-steps", "0", "hi"), "'0' is not a whole number from 1 to 999,999,999"),
        (("run", "--on-ask", "maybe", "hi"), "'maybe' is not one of prompt, wait, decline"),
        (("run", "--on-ask", "prompt", "hi"), "--on-ask prompt needs a terminal"),
        (("run", "--stream", "hi"), "--stream needs --json"),
        (("resume", "--stream"), "--stream needs --json"),
        (("run", "--agent", "expnses", "hi"), "no agent 'expnses'; did you mean 'expenses'?"),
        (("run", "--session", "zzz", "hi"), "no session 'zzz'; `agentcli sessions list` shows them"),
        (("run", "--continue", "hi"), "there is no session to go on with"),
        (("run", "--continue", "--session", "x", "hi"), "--session and --continue name two sessions"),
        (("run", "--model", "claude-sonnet-5", "hi"), "needs ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN"),
        (("run", "--model", "gpt", "hi"), "--model: no model 'gpt'; there are: auto, offline, "),
        (("approvals", "show", "zzz"), "no call 'zzz'; `agentcli approvals list` shows those that wait, "),
        (("resume", "zzz"), "no session 'zzz'"),
        (("sessions", "show", "zzz"), "no session 'zzz'"),
        (("tools", "list", "--agent", "x"), "no agent 'x'"),
        (("classify",), "missing option '--status'"),
        (("classify", "--status", "422", "/nowhere"), "/nowhere: No such file or directory"),
        (("--config", "/nowhere.toml", "run", "hi"), "/nowhere.toml: there is no such file, which --config names"),
        (
            ("--db", "/nowhere/x.db", "sessions", "list"),
            "--db: there is no folder '/nowhere'; make it, or correct",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_wrong_usage_ends_with_2_and_one_line(home: Home, arguments: tuple[str, ...], said: str) -> None:
    """What was typed wrong is named in one line, with what to type instead."""
    ended = home.run(*arguments)
    assert ended.code == 2
    assert said in ended.error


def test_no_key_says_that_offline_needs_none(home: Home) -> None:
    """Without a key, the line names the variables, and the model that needs none."""
    ended = home.run("run", "--model", "claude-sonnet-5", "hi")
    assert "--model offline needs none" in ended.error
    assert not home.store.exists() or home.run("sessions", "list", "--json").json == []


@pytest.mark.parametrize("before", [("--db", "a b.db"), ("--db=c.db",), ("--config", "d.toml", "--db", "e.db")])
def test_a_command_that_is_advised_is_on_the_same_store(home: Home, before: tuple[str, ...]) -> None:
    """What stood before the command stands before the next one too: copied, it works."""
    (home.folder / "d.toml").touch(0o600)
    ended = home.run(*before, "resume", "nobody")
    assert ended.code == 2
    assert f"`{shlex.join(['agentcli', *before])} sessions list` shows them" in ended.error
    assert "`agentcli sessions list` shows them" in home.run("resume", "nobody").error


def test_a_name_that_is_near_one_there_is_says_which(home: Home) -> None:
    """A session's or a call's, also where it was typed in capitals."""
    home.run("run", "--model", "offline", "add 3 for tea")
    [waits] = home.run("approvals", "list", "--json").json
    for named, command in (
        ("session", ("resume",)),
        ("call_id", ("approvals", "show")),
        ("call_id", ("audit", "show")),
    ):
        ended = home.run(*command, waits[named].upper() + "_")
        assert ended.code == 2
        assert f"; did you mean {waits[named]!r}? `agentcli " in ended.error
    assert "did you mean" not in home.run("resume", waits["session"][:5] + "___").error


def test_a_wrong_config_names_file_key_and_line(home: Home) -> None:
    """A wrong value is found by file, line and key."""
    path = home.configure('agent = "expenses"\n\n[limits]\nsteps = 0\n')
    ended = home.run("run", "hi")
    assert ended.code == 2
    assert f"{path}:4: limits.steps: 0 is not" in ended.error


def test_a_model_that_there_is_none_of_names_what_named_it(home: Home) -> None:
    """The file with its line, or the variable; `doctor` finds it too."""
    path = home.configure('agent = "expenses"\nmodel = "ofline"\n')
    told = "no model 'ofline'; did you mean 'offline'? there are: "
    assert home.run("run", "hi").error.startswith(f"agentcli: {path}:2: model: {told}")
    assert home.run("run", "hi", env={"AGENTCLI_MODEL": "ofline"}).error.startswith(
        f"agentcli: AGENTCLI_MODEL: {told}"
    )
    assert home.run("compare", "hi").code == 2
    doctor = home.run("doctor", "--json")
    assert doctor.code == 1
    assert [one["check"] for one in doctor.json if not one["ok"]] == ["key"]
    missing = home.run("run", "hi", env={"AGENTCLI_CONFIG": "/nowhere.toml"}).error
    assert missing == "agentcli: /nowhere.toml: there is no such file, which AGENTCLI_CONFIG names\n"


def test_a_config_that_others_can_write_is_refused(home: Home) -> None:
    """A config that others can write decides nothing."""
    home.configure("").chmod(0o666)
    ended = home.run("run", "hi")
    assert ended.code == 2
    assert "can be written by everybody" in ended.error


@pytest.mark.parametrize(
    "arguments",
    [("run", "--agent", "a\x1b[2Jb", "hi"), ("x\x1b[2J\u202e",), ("run", "--session", "\u202e\x9b", "x")],
)
def test_an_error_holds_nothing_that_hides(home: Home, arguments: tuple[str, ...]) -> None:
    """Escape sequences in an argument can't reach the terminal through an error."""
    ended = home.run(*arguments)
    assert ended.code == 2
    assert ended.error.removesuffix("\n").isprintable()


def test_bytes_that_are_no_text_are_no_fault(home: Home) -> None:
    """An argument in another encoding is said with replacement marks, not refused."""
    ended = home.run("run", "--model", "offline", b"note: caf\xe9", "--autonomy", "3")
    assert ended.code == 0
    assert home.run("sessions", "list", "--json").json[0]["title"] == "note: caf\ufffd"


def _broken(home: Home) -> None:
    home.run("run", "--model", "offline", "list")
    content = bytearray(home.store.read_bytes())
    content[:100] = b"x" * 100
    home.store.write_bytes(bytes(content))


def _foreign(home: Home) -> None:
    home.store.parent.mkdir(parents=True)
    with sqlite3.connect(home.store) as other:
        other.execute("CREATE TABLE theirs (id)")


def _newer(home: Home) -> None:
    home.run("run", "--model", "offline", "list")
    with sqlite3.connect(home.store) as store:
        store.execute("PRAGMA user_version = 99")


def _folder(home: Home) -> None:
    home.store.mkdir(parents=True)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_broken, "the store is corrupt"),
        (_foreign, "not one of agentcli"),
        (_newer, "newer version"),
        (_folder, "the store is"),
    ],
    ids=["corrupt", "another program's", "of a newer version", "a folder"],
)
@pytest.mark.parametrize("arguments", [("run", "--model", "offline", "list"), ("sessions", "list")], ids=" ".join)
def test_a_store_that_cant_be_used_ends_with_5(
    home: Home, damage: Callable[[Home], None], said: str, arguments: tuple[str, ...]
) -> None:
    """A store that can't be used is said to be, with what to do; nothing is run."""
    damage(home)
    ended = home.run(*arguments)
    assert ended.code == 5
    last = ended.err.splitlines()[-1]
    assert said in last
    assert "--db" in last or "update agentcli" in last
    assert "Traceback" not in ended.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_store_ends_with_5(home: Home) -> None:
    """A store that can't be written runs nothing."""
    home.run("run", "--model", "offline", "list")
    home.store.chmod(stat.S_IRUSR)
    ended = home.run("run", "--model", "offline", "list")
    assert ended.code == 5
    assert "read-only" in ended.err


@pytest.mark.skipif(sys.platform == "win32", reason="limits of this kind are those of POSIX")
def test_a_store_that_may_not_grow_stops_the_run(home: Home) -> None:
    """As on a full disk: no word is dropped in silence, nothing runs, and what was stored before is whole."""
    home.run("run", "--model", "offline", "list")
    program = (
        "import resource, sys; from agentcli.cli.app import run;"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({home.store.stat().st_size},) * 2);"
        "sys.exit(run(['run', '--model', 'offline', '--autonomy', '4', sys.argv[1]]))"
    )
    words = " & ".join(f'call add_expense {{"item":"{item}","amount":1}}' for item in range(400))
    # What measures coverage would want to write, too.
    ended = home.python("-c", program, words, env={"COVERAGE_PROCESS_START": "", "COVERAGE_PROCESS_CONFIG": ""})
    assert ended.code == 5
    assert (ended.out, ended.err.splitlines()[-1].startswith("agentcli: the store ")) == ("", True)
    assert "[allow]" not in ended.err
    assert home.run("audit", "verify").code == 0
    assert len(home.run("run", "--model", "offline", "list").out.splitlines()) == 2


def test_a_session_held_elsewhere_ends_with_5(home: Home) -> None:
    """One process holds a session; the second is told which."""
    home.run("run", "--model", "offline", "list")
    [listed] = home.run("sessions", "list", "--json").json
    with SqliteStore.open(home.store) as store, store.hold(listed["id"]):
        ended = home.run("run", "--session", listed["id"], "list")
    assert ended.code == 5
    assert f"is held by process {os.getpid()}; go on there, or speak to it: `agentcli say " in ended.error


def test_who_left_a_session_with_ctrl_z_is_told_how_it_goes_on() -> None:
    """In the shell where it was stopped; nobody has to know how a process is looked up."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        problem = explain(SessionBusy("s1", process.pid))
        process.send_signal(signal.SIGCONT)
        process.communicate(b"\n")
    assert problem.code == 5
    told = f"process {process.pid}; it is stopped, and `fg` in its shell has it go on"
    assert problem.message == f"session 's1' is held by {told}"


@pytest.mark.parametrize("command", [("run", "list"), ("resume",)], ids=" ".join)
def test_events_end_with_the_last_one_also_where_no_run_could_begin(home: Home, command: tuple[str, ...]) -> None:
    """A program that reads them is told in the last line, as ever, that it failed and why."""
    _broken(home)
    ended = home.run(*command, "--json")
    assert ended.code == 5
    (last,) = ended.events
    assert (last["type"], last["session"], last["outcome"]) == ("run_finished", "", "failed")
    assert "the store is corrupt" in last["text"]
    assert ended.err.endswith(f"{last['text']}\n")


@pytest.mark.parametrize("command", [("resume",), ("run", "--continue", "list")], ids=" ".join)
def test_events_of_a_session_held_elsewhere_are_the_last_one_alone(home: Home, command: tuple[str, ...]) -> None:
    """It names the session, also where the newest one was meant, and the words that wait there."""
    home.run("run", "--model", "offline", "list")
    [listed] = home.run("sessions", "list", "--json").json
    with SqliteStore.open(home.store) as store, store.hold(listed["id"]):
        home.run("say", listed["id"], "hello?")
        ended = home.run(*command, "--json")
    (last,) = ended.events
    assert (last["undelivered"], last["steps"]) == ([2], 0)
    assert (ended.code, last["session"], last["outcome"]) == (5, listed["id"], "failed")
    assert f"is held by process {os.getpid()}" in last["text"]


def test_with_nothing_to_go_on_with_the_last_event_says_that_it_is_done(home: Home) -> None:
    """Also where there is no session at all."""
    ended = home.run("resume", "--json")
    (last,) = ended.events
    assert (ended.code, last["type"], last["outcome"], last["steps"]) == (0, "run_finished", "completed", 0)


def test_what_was_asked_for_wrongly_makes_no_events(home: Home) -> None:
    """No run was asked for: exit code 2 and the line on stderr say so."""
    ended = home.run("run", "--json", "--session", "zzz", "list")
    assert (ended.code, ended.out) == (2, "")


BUG = f"""
import sys
from agentcli.cli.set_up import config
from agentcli.cli.app import run

@config.app.command()
def bug() -> None:
    raise RuntimeError("it holds {KEY}")

sys.exit(run(["config", "bug"]))
"""


def test_a_bug_is_a_reference_and_its_detail_is_in_the_log(home: Home) -> None:
    """A bug of ours is one line with a reference; its detail, without the key, is in the log."""
    ended = home.python("-c", BUG, env={"ANTHROPIC_API_KEY": KEY})
    assert ended.code == 1
    reference = re.fullmatch(
        rf"agentcli: internal error \(reference ([0-9a-f]{{8}})\); the detail is in {home.log}\n", ended.error
    )
    assert reference
    [line] = home.log.read_text().splitlines()
    entry = json.loads(line)
    assert reference[1] in entry["message"]
    assert "RuntimeError: it holds [secret]" in entry["detail"]
    assert stat.S_IMODE(home.log.stat().st_mode) == 0o600


def test_what_a_tools_file_raises_is_told_without_the_key(home: Home) -> None:
    """A file of the user's own that fails is named with what it said, the key struck out."""
    tools = home.folder / "tools.py"
    tools.write_text("import os\nraise RuntimeError(os.environ['ANTHROPIC_API_KEY'])\n")
    tools.chmod(0o600)
    home.configure(f'[agents.mine]\ntools = "{tools}"\n')
    ended = home.run("run", "--agent", "mine", "hi", env={"ANTHROPIC_API_KEY": KEY})
    assert ended.code == 2
    assert f"{tools}:2: RuntimeError: [secret]" in ended.error


def test_the_key_is_in_no_file_and_on_no_screen(home: Home) -> None:
    """The key goes to the service and nowhere else."""
    home.configure("")
    seen = ""
    for arguments in (
        ("run", "--model", "offline", "list"),
        ("config", "show"),
        ("doctor",),
        ("sessions", "list", "--json"),
        ("run", "--model", "x" * 20, "--max-steps", "1", "--autonomy", "9", "hi"),
    ):
        ended = home.run(*arguments, env={"ANTHROPIC_API_KEY": KEY})
        seen += ended.out + ended.err
    assert KEY not in seen
    files = [path for path in home.folder.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full disk to try")
@pytest.mark.parametrize(
    ("arguments", "stdin", "also"),
    [
        (("config", "show"), "", ""),
        (("--help",), "", ""),
        (("run", "--help"), "", ""),
        (("run", "--json", "--model", "offline", "list"), "", "stopped; `agentcli resume "),
        (("chat", "--model", "offline"), "list\n", "goes on with this session"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_output_that_cant_be_written_is_told(
    home: Home, arguments: tuple[str, ...], stdin: str, also: str
) -> None:
    """A full disk behind the output is named, not swallowed; what was begun can be gone on with."""
    with open("/dev/full", "wb") as full:
        ended = home.run(*arguments, stdin=stdin, stdout=full.fileno())
    assert (ended.code, ended.out) == (1, "")
    assert "agentcli: the output can't be written: No space left on device\n" in ended.err
    assert also in ended.err


def test_a_reader_that_has_gone_is_no_fault_to_speak_of(home: Home) -> None:
    """Output into a pipe that nobody reads any more ends quietly, with the code for a hang-up."""
    reading, writing = os.pipe()
    os.close(reading)
    ended = home.run("config", "show", stdout=writing)
    os.close(writing)
    assert (ended.code, ended.err) == (129, "")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_harm_nothing(home: Home, closed: str) -> None:
    """A process started without some of its streams writes nothing into the store by mistake."""
    command = f"exec {sys.executable} -m agentcli run --model offline list {closed}"
    done = subprocess.run(["sh", "-c", command], env=home.environment(), cwd=home.folder, check=False, timeout=60)
    assert done.returncode == (129 if ">&-" in closed.split() else 0)
    assert [one["state"] for one in home.run("sessions", "list", "--json").json] == ["idle"]


def test_a_line_that_is_not_in_the_encoding_is_read_all_the_same(home: Home) -> None:
    """What can't be read of it is a mark in the words; the conversation goes on."""
    ended = home.run("chat", "--model", "offline", stdin="note: café\n", env={"PYTHONIOENCODING": "ascii:strict"})
    assert ended.code == 3
    assert home.run("sessions", "list", "--json").json[0]["title"] == "note: caf\ufffd\ufffd"
