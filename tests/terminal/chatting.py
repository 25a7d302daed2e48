"""`agentcli chat` at a virtual terminal, in a home of its own, with tools that take as long as a test wants."""

import json
import time
from collections.abc import Mapping
from typing import Any

from tests.cli.process import Home
from tests.terminal.pty_screen import PtyScreen, python_module

OFFLINE = ("--model", "offline")

TOOLS = """
import pathlib, time
from agentcli import Suspend, Toolset, fact

tools = Toolset("slow")
here = pathlib.Path(__file__).parent

def held(name):
    (here / f"{name}-started").touch()
    while not (here / f"{name}-go").exists():
        time.sleep(0.01)
    (here / f"{name}-ended").touch()

@tools.read(establishes=fact("seen", subject="name", when=lambda result: True))
def look(name: str) -> dict:
    "Look, until it may go on."
    held(name)
    return {"seen": name}

@tools.irreversible
def launch(name: str) -> dict:
    "Can't be undone, and takes until it may go on."
    held(name)
    return {"launched": name}

@tools.read
def ask(resumed: dict | None = None) -> dict:
    "Ask a person."
    if resumed is None:
        day = {"type": "string", "format": "date", "title": "Which day?"}
        place = {"enum": ["inside", "outside"], "title": "Where?"}
        note = {"type": "string", "title": "Anything else?"}
        form = {"type": "object", "properties": {"day": day, "place": place, "note": note}}
        raise Suspend("When and where?", form | {"required": ["day", "place"]}, shown=["open from 6 to 11"])
    return resumed
"""

WAITS = "while ! [ -e {}-go ]; do sleep 0.02; done"


class Slow:
    """A home whose agent `slow` has tools that wait for the test."""

    def __init__(self, home: Home, *, level: int = 4) -> None:
        self.home = home
        tools = home.folder / "tools.py"
        tools.write_text(TOOLS)
        tools.chmod(0o600)
        home.configure(
            f'agent = "slow"\nmodel = "offline"\n[autonomy]\nlevel = {level}\n[agents.slow]\ntools = "{tools}"\n'
        )

    def hold_hooks(self, event: str) -> None:
        """Have a program asked before each call, or shown each result, that waits under the event's name."""
        path = self.home.folder / f"{event}.sh"
        path.write_text(f'#!/bin/sh\ncd "$(dirname "$0")"\ntouch {event}-started\n{WAITS.format(event)}\n')
        path.chmod(0o700)
        hook = f"[[hooks.{event}]]\ncommand = [{json.dumps(str(path))}]\ntimeout = 60\n"
        self.home.configure(self.home.config.read_text() + hook)

    def wait_started(self, name: str) -> None:
        """Wait until a call is at work."""
        deadline = time.monotonic() + 20
        while not (self.home.folder / f"{name}-started").exists():
            assert time.monotonic() < deadline, f"{name} does not start"
            time.sleep(0.01)

    def let_go(self, name: str) -> None:
        """Let it end."""
        (self.home.folder / f"{name}-go").touch()

    def has_started(self, name: str) -> bool:
        """Whether it was ever at work."""
        return (self.home.folder / f"{name}-started").exists()


def chat(
    home: Home,
    *arguments: str,
    command: str = "chat",
    columns: int = 80,
    rows: int = 24,
    env: Mapping[str, str] | None = None,
) -> PtyScreen:
    """Start a conversation; it is ready once its status line is there."""
    environment = home.environment(**(env or {}))
    started = PtyScreen(
        python_module("agentcli", command, *arguments),
        env=environment,
        cwd=home.folder,
        columns=columns,
        rows=rows,
    )
    started.wait_for(is_ready, timeout_s=30)
    return started


def is_ready(screen: PtyScreen) -> bool:
    """Whether the prompt and the status line below it are drawn."""
    lines = [line for line in screen.lines if line]
    return len(lines) > 1 and lines[-1].startswith("level ") and lines[-2].startswith((">", "edit>"))


def unwrapped(screen: PtyScreen) -> str:
    """All that was drawn, without the line breaks where a line was too long."""
    return screen.everything.replace("\n", "")


def sessions(home: Home) -> list[dict[str, Any]]:
    """The sessions as `agentcli sessions list` tells them."""
    listed: list[dict[str, Any]] = home.run("sessions", "list", "--json").json
    return listed


def events(home: Home, session: str | None = None) -> list[dict[str, Any]]:
    """The events of a session, the newest one if none is named."""
    found = session or str(sessions(home)[0]["id"])
    shown: list[dict[str, Any]] = home.run("sessions", "show", found, "--json").json["events"]
    return shown
