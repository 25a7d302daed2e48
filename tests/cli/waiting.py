"""A home in which a call waits for a person."""

import json
import sqlite3
import subprocess
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.cli.process import Home

OFFLINE = ("--model", "offline")
SEED = "Add 300 for groceries, then delete expense 1."
FIELDS = ["kind", "session", "call_id", "tool", "input", "risk", "level", "preview", "code", "asked_at", "reasons"]

TOOLS = """
import pathlib, time
from agentcli import Suspend, Toolset

tools = Toolset("garage")
here = pathlib.Path(__file__)
FORM = {"type": "object", "required": ["bay"], "properties": {
    "bay": {"type": "string", "enum": ["left", "right"], "title": "Which bay?"}, "days": {"type": "integer"}}}

@tools.irreversible(preview=lambda values: [f"will scrap {values['plate']}"])
def scrap(plate: str) -> dict:
    "Can't be undone."
    here.with_name("started").touch()
    while not here.with_name("go").exists():
        time.sleep(0.02)
    return {}

@tools.irreversible
def lift(plate: str, resumed: dict | None = None) -> dict:
    "Can't be undone."
    if resumed is None:
        raise Suspend("Which bay for how long?", FORM, shown=["both are free"])
    here.with_name("lifted").write_text(str(resumed))
    return {}
"""


def pending(home: Home) -> list[dict[str, Any]]:
    """What waits, as programs are told."""
    found: list[dict[str, Any]] = home.run("approvals", "list", "--json").json
    return found


def ask(home: Home, text: str = SEED, *arguments: str) -> dict[str, Any]:
    """Say something that leads to a question, and return what waits."""
    assert home.run("run", *OFFLINE, *arguments, text).code == 3
    (found,) = pending(home)
    return found


def garage(home: Home, level: int = 2) -> None:
    """Give the home an agent of its own."""
    path = home.folder / "tools.py"
    path.write_text(TOOLS)
    path.chmod(0o600)
    home.configure(
        f'agent = "garage"\nmodel = "offline"\n[autonomy]\nlevel = {level}\n[agents.garage]\ntools = "{path}"\n'
    )


def die_at_work(home: Home) -> dict[str, Any]:
    """Kill a process while an irreversible tool is at work, and return what waits then."""
    garage(home, level=4)
    process = home.start("run", "--", 'call scrap {"plate": "A-1"}')
    until(home.folder / "started")
    assert pending(home) == [], "it is at work"
    process.kill()
    process.communicate()
    (home.folder / "go").touch()
    (found,) = pending(home)
    return found


def expires(home: Home, at: datetime) -> None:
    """Have the one question expire at a time, behind the store's back."""
    with sqlite3.connect(home.store) as store:
        for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            store.execute(f"DROP TRIGGER {name}")
        ((body,),) = store.execute("SELECT body FROM journal WHERE kind = 'asked'")
        changed = json.loads(body) | {"expires_at": at.isoformat()}
        store.execute("UPDATE journal SET body = ? WHERE kind = 'asked'", (json.dumps(changed).encode(),))


def until(path: Path) -> None:
    """Wait until a file is there."""
    deadline = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def until_gone(command: str) -> None:
    """Wait until no process runs a command."""
    deadline = time.monotonic() + 30
    while command in subprocess.run(["ps", "ax", "-o", "args"], capture_output=True, text=True, check=True).stdout:
        assert time.monotonic() < deadline, f"{command!r} goes on"
        time.sleep(0.05)
