"""The page about demo scripts: its examples pass the check, and its diff is the one that is printed."""

from pathlib import Path

import msgspec
import pytest

from agentcli.lab.script import AnswerLine, Effect, Expected, Meanwhile, PlannedCall, Reply, Script, Turn
from tests.cli.process import Home
from tests.docs.test_pages import DOCS, blocks, commands, pattern, printed

PAGE = "demo-scripts"
FILES = ("tea.toml", "words.toml")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with the page's files in it."""
    home = Home(tmp_path)
    scripts = [block.text for block in blocks(PAGE) if block.language == "toml"]
    for name, text in zip(FILES, scripts, strict=True):
        (home.folder / name).write_text(text)
    return home


def test_its_scripts_pass_the_check(home: Home) -> None:
    """Every command of the page prints what it says there."""
    told = list(commands(PAGE))
    assert [command.split()[2] for command, _ in told] == list(FILES)
    for command, expected in told:
        assert pattern(expected) == pattern(printed(home, command)), command
    assert (home.folder / "words.cast").exists()
    assert (home.folder / "words.svg").exists()


def test_its_diff_is_what_a_stale_script_prints(home: Home) -> None:
    """Shown as it comes."""
    stale = home.folder / "tea.toml"
    stale.write_text(stale.read_text().replace("count = 2", "count = 3"))
    [diff] = [block.text for block in blocks(PAGE) if block.language == "diff"]
    assert printed(home, "agentcli demo tea.toml --check") == diff


def test_every_key_is_on_the_page() -> None:
    """A key that a script may have can be looked up."""
    page = (DOCS / f"{PAGE}.md").read_text(encoding="utf-8")
    records = (Script, PlannedCall, Turn, Reply, Effect, Meanwhile, AnswerLine, Expected)
    names = {field.name for record in records for field in msgspec.structs.fields(record)}
    assert not {name for name in names if f"`{name}`" not in page and f"`[[{name}]]`" not in page} - {
        "calls",
        "line",
    }


def test_the_readme_names_it() -> None:
    """Nobody has to know the folder."""
    assert f"(docs/{PAGE}.md)" in (DOCS.parent / "README.md").read_text(encoding="utf-8")
