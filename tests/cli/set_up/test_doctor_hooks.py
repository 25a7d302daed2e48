"""`agentcli doctor` looks at the files of hooks, and runs none of them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.process import Home

Put = Callable[[Path], tuple[list[str], str]]


def script(folder: Path, mode: int = 0o700, name: str = "guard.sh") -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\ntouch {folder}/was-run\n")
    path.chmod(mode)
    return str(path)


def finding(home: Home, *commands: list[str]) -> tuple[int, str, str]:
    """The exit code, and what is said of the hooks."""
    home.configure("".join(f"[[hooks.{event}]]\ncommand = {json.dumps(command)}\n" for event, command in zip(("pre_tool", "post_tool"), commands, strict=False)))  # fmt: skip
    ended = home.run("doctor", "--json")
    (found,) = [one for one in ended.json if one["check"] == "hooks"]
    assert not (home.folder / "was-run").exists()
    assert found["ok"] is (ended.code == 0)
    return ended.code, found["detail"], found["advice"]


def test_hooks_that_can_be_run_are_fine(home: Home) -> None:
    """A script, and one that a shell is given."""
    guard = script(home.folder)
    assert finding(home, [guard], ["sh", guard, "--strict"]) == (0, "2 configured", "")


def test_a_function_is_fine_once_it_is_loaded(home: Home) -> None:
    """Its file has been looked at, and holds the function."""
    policy = home.folder / "policy.py"
    policy.write_text("def check(call): raise RuntimeError\n")
    policy.chmod(0o600)
    home.configure(f"[[hooks.pre_tool]]\npython = '{policy}:check'\n")
    (found,) = [one for one in home.run("doctor", "--json").json if one["check"] == "hooks"]
    assert (found["ok"], found["detail"]) == (True, "1 configured")


WRONG: list[tuple[str, Put]] = [
    ("missing", lambda folder: ([f"{folder}/missing.sh"], "there is no program")),
    ("not-in-the-path", lambda folder: (["no_such_program"], "there is no program 'no_such_program'")),
    ("not-executable", lambda folder: ([script(folder, 0o600)], "there is no program")),
    ("missing-script", lambda folder: (["sh", f"{folder}/missing.sh"], "missing.sh: No such file")),
    ("others-can-write-it", lambda folder: ([script(folder, 0o707)], "guard.sh can be written by everybody")),
    ("others-can-write-the-script", lambda folder: (["sh", script(folder, 0o707)], "can be written by everybody")),
]


@pytest.mark.parametrize("put", [row[1] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_hook_that_could_not_guard_is_a_finding(home: Home, put: Put) -> None:
    """It says which file, and what to do."""
    command, told = put(home.folder)
    code, detail, advice = finding(home, command)
    assert code == 1
    assert told in detail
    assert advice


def test_what_follows_a_program_need_not_be_a_script(home: Home) -> None:
    """A word, a folder, an option: they are the program's own business."""
    guard = script(home.folder)
    assert finding(home, [guard, "--folder"], [guard, str(home.folder)])[0] == 0
