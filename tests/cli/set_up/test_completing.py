"""What Tab offers: commands, options and names, each only where it can stand."""

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import typer.main

from agentcli.agents import SHIPPED
from agentcli.cli.app import app
from agentcli.cli.command_table import COMMANDS
from agentcli.cli.set_up.completable import MOST, values_at
from agentcli.cli.set_up.completing import Candidate, Place, candidates, words_of
from agentcli.cli.set_up.completion import SCRIPTS
from agentcli.session.entries import Opened
from agentcli.store.register import create_session, rename_session
from agentcli.store.sqlite import SqliteStore
from tests.cli.process import Home
from tests.session.telling import START, opened

ROOT: Any = typer.main.get_command(app)


def wanted(place: Place) -> Iterable[Candidate]:
    """Offers what is wanted at a place, instead of what there is of it here."""
    yield Candidate(f"{place.wanted}:{'/'.join(place.path)}")


def offered(*words: str) -> list[str]:
    return [one.word for one in candidates(ROOT, words, wanted)]


def test_every_command_is_offered_with_its_summary() -> None:
    """In the order of the help; none of their modules is needed for that."""
    found = candidates(ROOT, [""], wanted)
    assert found == [Candidate(command.name, command.summary) for command in COMMANDS]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ses", ["sessions"]),
        ("sessions ", ["list", "show", "export", "rename", "delete"]),
        ("sessions re", ["rename"]),
        ("--", ["--config", "--db", "--version", "--help"]),
        ("--db x ses", ["sessions"]),
        ("--db=x ses", ["sessions"]),
        ("--db ", ["FILE:"]),
        ("nonsense ", []),
        ("sessions nonsense ", []),
        ("sessions show ", ["SESSION:sessions/show"]),
        ("sessions show 08 ", []),
        ("sessions show 08 --", ["--json", "--help"]),
        ("sessions export x --format ", ["md", "json", "html"]),
        ("sessions export x -f j", ["json"]),
        ("sessions export x --format=", ["--format=md", "--format=json", "--format=html"]),
        ("sessions export x --format=h", ["--format=html"]),
        ("sessions export x --form", ["--format"]),
        ("run --on", ["--on-ask"]),
        ("run --on-ask wait --on", []),
        ("run --tool-level a=1 --tool-l", ["--tool-level"]),
        ("run --stream=", []),
        ("run --nonsense x --stre", ["--stream"]),
        ("run -a ", ["AGENT:run"]),
        ("run --model ", ["MODEL:run"]),
        ("run -l ", ["0", "1", "2", "3", "4"]),
        ("run hello ", []),
        ("run -- --", []),
        ("tools explain ", ["TOOL:tools/explain"]),
        ("approvals settle ", ["CALL:approvals/settle"]),
        ("approvals settle c ", ["happened", "not", "retry"]),
        ("drain o", ["on", "off"]),
        ("completion ", ["bash", "zsh", "fish"]),
        ("run --plain -", ["-a", "-l", "-m", "-c"]),
    ],
)
def test_a_word_becomes_what_can_stand_there(line: str, words: list[str]) -> None:
    """Read off the commands and their options; what has a value does not take an option for it."""
    found = offered(*line.split(" "))
    if line.endswith(" -"):
        found = [word for word in found if not word.startswith("--")]
    assert found == words


def test_what_a_shell_would_not_take_as_a_word_is_never_offered() -> None:
    """Whatever a config or a store holds, it can't become more than a word of the line."""
    hostile = ["a b", "$(reboot)", "`x`", "*", "a;b", "a'b", 'a"b', "a\nb", "\x1b", "ä", "", "good_one-1.x"]

    def values(_: Place) -> Iterable[Candidate]:
        return map(Candidate, hostile)

    assert [one.word for one in candidates(ROOT, ["run", "-a", ""], values)] == ["good_one-1.x"]


def test_a_value_knows_the_options_before_it() -> None:
    """So that the tools are those of the agent that is named, and the sessions those of the store."""
    seen: list[dict[str, str]] = []

    def values(place: Place) -> Iterable[Candidate]:
        seen.append(dict(place.given))
        return ()

    candidates(ROOT, ["--db", "x.db", "tools", "explain", "-a", "support", "--model=offline", ""], values)
    assert seen == [{"db": "x.db", "agent": "support", "model": "offline"}]


def at(wanted: str, *path: str, **given: str) -> list[Candidate]:
    """What there is here, with a config and a store of the test's own."""
    return list(values_at(Place(path, given, wanted)))


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "config.toml"
    path.touch(0o600)
    return str(path)


def test_agents_models_tools_and_demos_are_those_there_are(config: str) -> None:
    """Tools are those of the agent that is named; each says what it risks."""
    assert [one.word for one in at("AGENT", config=config)] == list(SHIPPED)
    assert [one.word for one in at("MODEL")][:3] == ["auto", "offline", "offline:reckless"]
    assert [one.word for one in at("SCRIPT")][:2] == ["asks-once", "asks-twice"]
    [refund] = [one for one in at("TOOL", config=config, agent="support") if one.word == "process_refund"]
    assert refund.about.startswith("irreversible: ")
    levels = [one.word for one in at("TOOL=N", config=config, agent="briefs")]
    assert levels[:5] == [f"list_briefs={level}" for level in range(5)]
    assert at("MESSAGE") == []


def test_tab_runs_no_code_of_an_agent_of_ones_own(tmp_path: Path) -> None:
    """Its tools are not offered: to look them up would be to run its file, before Enter."""
    tools, config = tmp_path / "tools.py", tmp_path / "config.toml"
    tools.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    config.write_text(f'[agents.mine]\ntools = "{tools}"\n')
    for path in (tools, config):
        path.chmod(0o600)
    assert [one.word for one in at("AGENT", config=str(config))] == [*SHIPPED, "mine"]
    assert at("TOOL", config=str(config), agent="mine") == []
    assert not (tmp_path / "ran").exists()


def test_sessions_are_offered_the_one_used_last_first(config: str, tmp_path: Path) -> None:
    """With agent, time and title; where there is no store none is made."""
    db = str(tmp_path / "x.db")
    assert at("SESSION", config=config, db=db) == at("CALL", config=config, db=db) == []
    assert not Path(db).exists()
    ids = []
    with SqliteStore.open(Path(db)) as store, store.transaction() as transaction:
        for _ in range(MOST + 1):
            entry = opened()
            assert isinstance(entry, Opened)
            ids.append(create_session(transaction, entry, START))
        rename_session(transaction, ids[-1], "tea", "ana", START)
    found = at("ID", config=config, db=db)
    assert [one.word for one in found] == ids[:0:-1]
    assert found[0].about.startswith("tester, 2026-11-02 ")
    assert found[0].about.endswith(", tea")


def test_a_session_without_a_title_is_told_by_what_was_said_first(home: Home) -> None:
    """As in the list of sessions; ids alone tell nothing."""
    home.run("run", "--model", "offline", "--on-ask", "decline", "add 5\nfor tea " + "x" * 60)
    home.run("run", "--model", "offline", "--continue", "what's my total?")
    [offered] = home.run("completion", "fish", "--", "resume", "").out.splitlines()
    assert offered.endswith(f", add 5 for tea {'x' * 45}…")


def test_calls_are_offered_that_wait_or_that_were(home: Home) -> None:
    """`approvals` is about those that wait, `audit show` about all."""
    home.run("run", "--model", "offline", "--on-ask", "decline", "add 5 for tea")
    home.run("run", "--model", "offline", "add 6 for tea")
    [waits] = home.run("approvals", "list", "--json").json
    ended = home.run("completion", "fish", "--", "approvals", "show", "")
    assert ended.out == f"{waits['call_id']}\tadd_expense\n"
    ended = home.run("completion", "bash", "--", "agentcli audit show ")
    assert len(ended.out.splitlines()) == 2
    assert waits["call_id"] in ended.out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("agentcli", [""]),
        ("agentcli ", [""]),
        ("agentcli  run  ", ["run", ""]),
        ("agentcli run -m offline:r", ["run", "-m", "offline:r"]),
        ('agentcli --db "my dir/x.db" resume 0', ["--db", "my dir/x.db", "resume", "0"]),
        ("agentcli --db my\\ dir/x.db resume ", ["--db", "my dir/x.db", "resume", ""]),
        ('agentcli --db "my di', ["--db", "my di"]),
        ("agentcli --db 'my ", ["--db", "my "]),
        ("agentcli --db my\\", ["--db", "my"]),
        ("agentcli say 0 \"it's", ["say", "0", "it's"]),
        ("agentcli say 0 it's \"", ["say", "0", 'its "']),
        ("agentcli run $(rm x) #", ["run", "$(rm", "x)", "#"]),
    ],
)
def test_a_line_is_read_as_words(line: str, words: list[str]) -> None:
    """Quotes belong to no word, and the last one may still be open."""
    assert words_of(line) == words


@pytest.mark.parametrize(
    ("shell", "line"),
    [
        ("bash", "offline:reckless\n"),
        ("zsh", "offline\\:reckless\n"),
        ("fish", "offline:reckless\n"),
    ],
)
def test_each_shell_gets_words_as_it_takes_them(home: Home, shell: str, line: str) -> None:
    """A colon parts word and description in zsh, a tab in fish."""
    typed = ["agentcli run -m offline:"] if shell == "bash" else ["run", "-m", "offline:"]
    ended = home.run("completion", shell, "--", *typed)
    assert (ended.code, ended.out, ended.err) == (0, line, "")


def test_descriptions_are_one_line(home: Home) -> None:
    """A tool's own words can't break the list."""
    described = home.run("completion", "zsh", "--", "sessions", "l").out
    assert described == "list:List all sessions, the one with the newest entry first.\n"


def test_another_shell_is_wrong_usage(home: Home) -> None:
    """With those that there are."""
    ended = home.run("completion", "powershell")
    assert ended.code == 2
    assert "'powershell' is not one of bash, zsh, fish" in ended.error


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_script_can_be_read_by_its_shell(shell: str) -> None:
    """As it is printed."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"this system has no {shell}")
    done = subprocess.run([program, "-n"], input=SCRIPTS[shell], text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


BASH = shutil.which("bash")


@pytest.mark.skipif(BASH is None, reason="this system has no bash")
@pytest.mark.parametrize(
    ("line", "offers", "replies"),
    [
        ("agentcli se", "sessions\nselftest\n", "[sessions][selftest]"),
        ("agentcli run ", "", ""),
        ("agentcli run -m offline:r", "offline:reckless\n", "[reckless]"),
        ("agentcli run --agent=s", "--agent=support\n", "[support]"),
        ("agentcli run -m * ", "*\n", "[*]"),
        ('agentcli --db "a file" resume $(touch ran) 0', "08j5\n", "[08j5]"),
    ],
)
def test_bash_replaces_what_stands_behind_the_last_colon(
    tmp_path: Path, line: str, offers: str, replies: str
) -> None:
    """It has split the word there; and nothing in a line is expanded by looking at it."""
    assert BASH is not None
    (tmp_path / "a file").touch()
    script = f"""
        agentcli() {{ printf '%s' "$*" > asked; printf '%s' "$OFFERS"; }}
        {SCRIPTS["bash"]}
        COMP_LINE="$LINE" COMP_POINT=${{#LINE}}
        _agentcli
        [[ ${{#COMPREPLY[@]}} == 0 ]] || printf '[%s]' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        [BASH, "--norc", "--noprofile", "-c", script],
        env={"LINE": line, "OFFERS": offers, "PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
        text=True,
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (replies, "")
    assert (tmp_path / "asked").read_text() == f"completion bash -- {line}"
    assert not (tmp_path / "ran").exists()


FISH = shutil.which("fish")


@pytest.mark.skipif(FISH is None, reason="this system has no fish")
@pytest.mark.parametrize(
    ("line", "asked", "offers", "replies"),
    [
        ("agentcli se", "[se]", "sessions\tall", "sessions\tall\n"),
        ('agentcli --db "a b" resume ', "[--db][a b][resume][]", "08j5", "08j5\n"),
        ('agentcli --db "a f', "[--db][a f]", "", "a file\n"),
        ("agentcli --db=a\\ f", "[--db=a f]", "", "--db=a file\n"),
    ],
)
def test_fish_hands_on_words_without_their_quotes(
    tmp_path: Path, line: str, asked: str, offers: str, replies: str
) -> None:
    """Where nothing is offered, files are, behind an option's sign too."""
    assert FISH is not None
    (tmp_path / "a file").touch()
    script = f"""
        function agentcli; printf '[%s]' $argv[4..] > asked; test -z "$OFFERS"; or printf '%s' $OFFERS; end
        {SCRIPTS["fish"]}
        complete -C "$LINE"
    """
    done = subprocess.run(
        [FISH, "--no-config", "-c", script],
        env={"LINE": line, "OFFERS": offers, "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        cwd=tmp_path,
        text=True,
        capture_output=True,
        check=True,
    )
    assert (tmp_path / "asked").read_text() == asked
    assert done.stdout.replace("\t\n", "\n") == replies
