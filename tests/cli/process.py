"""agentcli run as a real process, in a home of its own."""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from tests.store.processes import held_files
from tests.warm import Order, warm

READ_AT_START = ("PYTHON", "LANG", "LC_")
"""What Python itself reads when it starts."""

KEPT = ("COVERAGE_", "PYTHON", "PATH", "TMP")
"""What a process gets of the environment; nothing of it steers agentcli."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a process left: its exit code, and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its output, which is one line of JSON."""
        assert self.out.count("\n") == 1, self
        return json.loads(self.out)

    @property
    def events(self) -> list[dict[str, Any]]:
        """Its output, which is a JSON object a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def error(self) -> str:
        """What it says went wrong: one line, and nothing on stdout."""
        assert not self.out, self
        assert self.err.count("\n") == 1, self
        return self.err


class Home:
    """A person's home, in which nothing is but what the test puts there."""

    def __init__(self, folder: Path) -> None:
        if held_files():
            # Who is started here would seem to be started by an agent that an earlier test has left behind.
            gc.collect()
        self.folder = folder
        self.config = folder / ".config" / "agentcli" / "config.toml"
        self.store = folder / ".local" / "share" / "agentcli" / "agentcli.db"
        self.log = folder / ".local" / "state" / "agentcli" / "agentcli.log"

    def environment(self, **more: str) -> dict[str, str]:
        """The environment of a process in this home."""
        kept = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
        return {**kept, "HOME": str(self.folder), "LANG": "C.UTF-8", **more}

    def run(
        self,
        *arguments: str | bytes,
        stdin: str = "",
        stdout: int = subprocess.PIPE,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Ended:
        """Run a command to its end."""
        if any(name.startswith(READ_AT_START) for name in env or {}):
            return self.python("-m", "agentcli", *arguments, stdin=stdin, stdout=stdout, env=env, cwd=cwd)
        order = Order(
            "agentcli", [*map(os.fsdecode, arguments)], self.environment(**(env or {})), str(cwd or self.folder)
        )
        with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
            given.write(stdin.encode())
            given.seek(0)
            taken = out.fileno() if stdout == subprocess.PIPE else stdout
            code = warm().start(order, (given.fileno(), taken, err.fileno())).wait()
            out.seek(0)
            err.seek(0)
            return Ended(code, out.read().decode(), err.read().decode())

    def python(
        self,
        *arguments: str | bytes,
        stdin: str = "",
        stdout: int = subprocess.PIPE,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Ended:
        """Run Python to its end."""
        done = subprocess.run(
            [sys.executable, *arguments],
            input=stdin.encode(),
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=self.environment(**(env or {})),
            cwd=cwd or self.folder,
            timeout=60,
            check=False,
        )
        return Ended(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())

    def start(
        self, *arguments: str, env: Mapping[str, str] | None = None, stdin_stays_open: bool = False
    ) -> "subprocess.Popen[bytes]":
        """Start a command."""
        return subprocess.Popen(
            [sys.executable, "-m", "agentcli", *arguments],
            env=self.environment(**(env or {})),
            cwd=self.folder,
            stdin=subprocess.PIPE if stdin_stays_open else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def configure(self, text: str) -> Path:
        """Write the config file."""
        self.config.parent.mkdir(parents=True, exist_ok=True)
        self.config.write_text(text)
        self.config.chmod(0o600)
        return self.config
