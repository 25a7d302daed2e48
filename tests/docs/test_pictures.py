"""The pictures in the documentation show what the program shows."""

import shlex
from pathlib import Path

from agentcli.lab.recording import drawn, record
from agentcli.lab.shelf import find_demo
from tests.cli.process import Home
from tests.docs.test_readme import between

DOCS = Path(__file__).parents[2] / "docs"


def test_the_picture_in_the_readme_is_not_stale() -> None:
    """It is made from a demo: what the demo shows now is what the picture shows."""
    now = drawn(record(find_demo("asks-twice").read()))
    kept = (DOCS / "asks-twice.svg").read_text(encoding="utf-8")
    assert now == kept, "docs/asks-twice.svg is stale: run `agentcli demo asks-twice --svg docs/asks-twice.svg`"


def test_the_readme_shows_it() -> None:
    """Under a text for those who can't see it."""
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert "(docs/asks-twice.svg)" in readme


def test_the_commands_that_look_and_record_work_as_printed(tmp_path: Path) -> None:
    """README's comparison, demo, recording and playback run one after the other."""
    home = Home(tmp_path)
    commands = [shlex.split(line) for line in between("looking").splitlines() if line.startswith("agentcli ")]
    assert len(commands) == 5
    for command in commands:
        ended = home.run(*command[1:])
        assert ended.code == 0, (command, ended)
