"""What README.md prints is what the code does."""

import re
import subprocess
import sys
from pathlib import Path

import msgspec

from agentcli.cli.command_table import COMMANDS
from agentcli.gate.autonomy import IN_WORDS, MATRIX
from agentcli.session.allowance import RunLimits
from tests.cli.process import Home
from tests.terminal.chatting import chat

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def between(mark: str) -> str:
    found = re.search(rf"<!-- {mark} -->\n(.*?)<!-- end -->", README, re.DOTALL)
    assert found is not None, mark
    return found[1]


def alike(shown: str) -> list[str]:
    """The lines of a session without what is another one each time: codes, names, days, times."""
    for changing in (r"code \w{6}", r"by \w+", r"\d{4}-\d\d-\d\d", r"\d+\.\d s\b"):
        shown = re.sub(changing, "…", shown)
    return shown.splitlines()


def test_the_session_is_what_a_terminal_shows(tmp_path: Path) -> None:
    """Line by line, in order; what stands between them, and behind a sentence, is left out."""
    printed = between("session").removeprefix("```console\n$ agentcli chat --autonomy 2\n").removesuffix("```\n")
    said = re.findall(r"^[›>] (.+)$", printed, re.MULTILINE)
    with chat(Home(tmp_path), "--autonomy", "2", columns=100, rows=40) as screen:
        screen.enter(said[0], gap_s=0.01)
        frames = []
        for tool, answer in zip(("add_expense", "delete_expense"), said[1:], strict=True):
            screen.wait_for(f"Allow {tool}")
            frames += [screen.text, f"> {answer}"]
            screen.answer(answer)
        screen.wait_for("You said no")
        frames.append(screen.text)
    shown = iter(alike("\n".join(frames)))
    for line in filter(None, alike(printed)):
        assert any(one.startswith(line) for one in shown), line


def test_the_level_table_is_the_one_the_gate_reads() -> None:
    """README prints level × risk as the gate decides it."""
    rows = [line.strip("| ").split(" | ") for line in between("level table").splitlines()[2:]]
    assert rows == [
        [str(int(level)), *map(str, decisions), IN_WORDS[level]] for level, decisions in MATRIX.items()
    ]


def test_every_command_is_in_the_table_and_no_other() -> None:
    """README lists the commands that there are."""
    named = set(re.findall(r"`agentcli (\w+)", between("commands")))
    assert named == {command.name for command in COMMANDS}


def test_the_limits_are_the_defaults() -> None:
    """README names the limits that hold without a config."""
    limits = RunLimits()
    sentence = next(line for line in README.splitlines() if line.startswith("A run stops"))
    numbers = re.findall(r"[\d,.]*\d", sentence.partition("at ")[2])
    assert numbers[:6] == [
        str(limits.steps),
        f"{limits.tokens:,}",
        limits.cost_usd,
        str(limits.seconds),
        str(limits.asks),
        str(limits.irreversible),
    ]


def test_the_agent_of_your_own_loads_and_is_gated(tmp_path: Path) -> None:
    """The agent in README is behind the gate as soon as a config names it."""
    [code] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    tools, config = tmp_path / "garage.py", tmp_path / "config.toml"
    tools.write_text(code, encoding="utf-8")
    config.write_text(f'[agents.garage]\ntools = "{tools}"\n', encoding="utf-8")
    for path in (tools, config):
        path.chmod(0o600)
    command = [sys.executable, "-m", "agentcli", "--config", str(config), "--db", str(tmp_path / "x.db")]
    said = 'call scrap_car {"plate":"B-1","price":50} & call find_car {"plate":"B-1"}'
    ran = subprocess.run(
        [*command, "run", "--agent", "garage", "--autonomy", "4", "--model", "offline", "--json", said],
        capture_output=True,
        check=False,
        timeout=60,
    )
    events = [msgspec.json.decode(line) for line in ran.stdout.splitlines()]
    decided = [(one["tool"], one["decision"]) for one in events if one["type"] == "decided"]
    assert decided == [("scrap_car", "deny"), ("find_car", "allow")], ran.stderr
