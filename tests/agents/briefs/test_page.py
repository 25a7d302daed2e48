"""The page about problem responses tells what really happens: its commands, its body, its pair, its log."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest

from agentcli.problems import MAX_BODY_BYTES, PAIRS, PROBLEM_MEDIA_TYPE, Pair, classify, with_added
from tests.agents.briefs.test_leaks import LOGGED

PAGE = Path(__file__).parents[3] / "docs" / "problem-responses.md"
TEXT = PAGE.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """What stands in the fenced blocks of a language."""
    return [text for kind, text in re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.M | re.S) if kind == language]


def column(title: str, number: int) -> dict[str, str]:
    """One column of the exercise's table, by what stands first in each row."""
    rows = [
        [cell.strip().strip("`") for cell in line.split("|")[1:-1]]
        for line in TEXT.splitlines()
        if line[:1] == "|"
    ]
    (begin,) = [position for position, row in enumerate(rows) if row[number : number + 1] == [title]]
    return {row[0]: row[number] for row in rows[begin + 2 :]}


@pytest.mark.parametrize(("status", "number"), [(422, 1), (409, 2)])
def test_the_exercise_has_the_answer_that_the_code_gives(status: int, number: int) -> None:
    """The body on the page, with either status."""
    (body,) = blocks("json")
    assert len(body) < MAX_BODY_BYTES
    review = classify(status, PROBLEM_MEDIA_TYPE, body.encode())
    told = column(f"with {status}", number)
    assert (told["decision"], told["reason"]) == (review["decision"], review["reason"])
    assert told["what is logged"] == f"review: {review['reason']}, HTTP status {status}"
    as_number = json.dumps({**json.loads(body), "status": 422}).encode()
    assert classify(409, PROBLEM_MEDIA_TYPE, as_number)["reason"] == "BODY_STATUS_MISMATCH"


def test_the_pairs_on_the_page_are_those_that_ship() -> None:
    """With their decisions and reasons."""
    rows = re.findall(r"^\| `(https://\S+)` \| (\d+) \| `(\w+)` \| `(\w+)` \|$", TEXT, re.M)
    assert [Pair(kind, int(status), decision, reason) for kind, status, decision, reason in rows] == list(PAIRS)


def test_the_pair_on_the_page_can_be_added_and_its_mismatch_stays_generic() -> None:
    """As the table beside it says."""
    (block,) = blocks("toml")
    added = [Pair(**entry) for entry in tomllib.loads(block)["problems"]]
    (pair,) = added
    body = msgspec.json.encode({"type": pair.type})
    pairs = with_added(PAIRS, added)
    assert classify(pair.status, PROBLEM_MEDIA_TYPE, body, pairs=pairs)["reason"] == pair.reason
    assert classify(409, PROBLEM_MEDIA_TYPE, body, pairs=pairs)["reason"] == "UNKNOWN_OR_UNMATCHED_PROBLEM"


def test_the_log_on_the_page_looks_as_the_log_does() -> None:
    """Every line of it."""
    (block,) = (block for block in blocks("") if "disruption" in block)
    assert all(LOGGED.fullmatch(line) for line in block.splitlines())


@pytest.mark.parametrize("block", blocks("console"))
def test_a_command_on_the_page_prints_what_stands_below_it(tmp_path: Path, block: str) -> None:
    """Run as it is, in a home of its own."""
    command, _, expected = block.removeprefix("$ ").partition("\n")
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    environment = {name: value for name, value in environment.items() if not name.startswith("XDG_")}
    done = subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=60,
        check=True,
    )
    assert done.stdout == expected


def test_the_function_on_the_page_gives_what_it_says() -> None:
    """Its example holds its own claim, in a program of nothing else."""
    (code,) = blocks("python")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
