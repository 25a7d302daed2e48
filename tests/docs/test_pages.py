"""The pages of the documentation: their files are written, their commands run, and what they print is compared."""

import builtins
import datetime
import decimal
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest

from agentcli.tools.toolset import Toolset
from tests.cli.process import Home

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("your-own-agent", "why-code", "hooks", "session-exports", "the-record", "scripts")
# Files that a page has its reader save, by the language of the block.
SAVED = {
    "your-own-agent": {"python": "garage.py", "markdown": "prompt.md", "py": "desk.py"},
    "why-code": {},
    "session-exports": {},
    "the-record": {},
    "scripts": {},
    "hooks": {"sh": "check_refund.sh"},
}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str


def blocks(page: str) -> Iterator[Block]:
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield Block(found[1], found[2])


def follow(page: str, home: Home) -> None:
    """Do what a page tells its reader to: save its files, with the config beside them."""
    saved = SAVED[page]
    for block in blocks(page):
        if block.language in saved:
            path = home.folder / saved[block.language]
            path.write_text(block.text)
            path.chmod(0o700)
    configs = [block.text for block in blocks(page) if block.language == "toml"]
    if configs:
        home.configure(configs[0].replace("/path/to", str(home.folder)))


def printed(home: Home, command: str) -> str:
    """What a command of a page writes to a terminal."""
    program, *arguments = shlex.split(command)
    assert program == "agentcli"
    done = subprocess.run(
        [sys.executable, "-m", "agentcli", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=home.environment(COLUMNS="200"),
        cwd=home.folder,
        text=True,
        timeout=60,
        check=False,
    )
    return done.stdout


def commands(page: str) -> Iterator[tuple[str, str]]:
    """Each command of a page with what it is said to print; `…` stands for anything."""
    for block in blocks(page):
        if block.language == "console":
            for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, _, expected = part.partition("\n")
                yield command, expected


def pattern(expected: str) -> str:
    return ".*".join(map(re.escape, expected.rstrip("\n").split("…")))


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_print_what_it_says(page: str, home: Home) -> None:
    """Somebody who follows the page, line by line, sees the same."""
    follow(page, home)
    told = list(commands(page))
    assert told
    for command, expected in told:
        out = printed(home, command)
        assert re.fullmatch(pattern(expected), out.rstrip("\n"), re.DOTALL), f"{command}\n{out}"


def test_the_program_with_an_agent_of_ones_own_prints_what_the_page_says(home: Home) -> None:
    """Run as it stands, beside the file of the tools."""
    follow("your-own-agent", home)
    [expected] = [block.text for block in blocks("your-own-agent") if block.language == "text"]
    ran = subprocess.run(
        [sys.executable, "desk.py"],
        env=home.environment(),
        cwd=home.folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.stdout == expected, ran.stderr


KINDS = ["str", "int", "float", "bool", "Decimal", "date", "datetime", "Colour"]


@pytest.mark.parametrize("kind", [*KINDS, "Literal['a', 'b']", *(f"list[{kind}]" for kind in KINDS)])
def test_a_parameter_can_be_what_the_page_says(kind: str) -> None:
    """Of each kind that it names, in a dict too, and none at all."""
    names: dict[str, Any] = {
        name: getattr(module, name)
        for name in KINDS
        for module in (builtins, decimal, datetime)
        if hasattr(module, name)
    }
    names |= {"Colour": Enum("Colour", {"RED": "red"}), "Literal": Literal, "Toolset": Toolset}
    code = f"""
tools = Toolset("desk")
@tools.read
def look(one: {kind}, many: dict[str, {kind}], none: {kind} | None = None) -> dict: ...
"""
    exec(code, names)
    assert set(names["tools"]["look"].schema.json_schema["properties"]) == {"one", "many", "none"}


def test_an_agent_of_ones_own_takes_forty_lines() -> None:
    """As the page promises."""
    (code,) = [block.text for block in blocks("your-own-agent") if block.language == "python"]
    assert len(code.splitlines()) <= 40


def test_the_page_about_hooks_has_the_function_as_well(home: Home) -> None:
    """Every config that it shows can be loaded."""
    follow("hooks", home)
    (home.folder / "policy.py").write_text("def check(call):\n    return None\n")
    (home.folder / "policy.py").chmod(0o600)
    for block in blocks("hooks"):
        if block.language == "toml":
            home.configure(block.text.replace("/path/to", str(home.folder)))
            found = home.run("doctor", "--json").json
            assert [one["detail"] for one in found if one["check"] == "hooks"] == ["1 configured"]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_named_in_the_readme(page: str) -> None:
    """Nobody has to know the folder."""
    assert f"(docs/{page}.md)" in (DOCS.parent / "README.md").read_text(encoding="utf-8")
