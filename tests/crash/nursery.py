"""Gives life to processes: each is a copy of this one, in which everything is loaded and nothing has happened yet."""

import json
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Self

from tests.crash.life import live

ROOT = Path(__file__).parents[2]
BROKEN = 70


class Nursery:
    """The nursery's own process; used with `with`."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def live(self, folder: Path, kill_at: int = 0) -> int | None:
        """Let a process live; return how many points it passed, None where it was killed at one.

        Args:
            kill_at: The point at which it is killed; 0 for none.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([str(folder), kill_at]) + "\n")
        self._process.stdin.flush()
        passed: int | None = json.loads(self._process.stdout.readline())
        return passed


def _born(folder: Path, kill_at: int) -> int | None:
    reads, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writes, str(live(folder, kill_at)).encode())
            os._exit(0)
        except BaseException:  # noqa: BLE001  # whatever it is, it is told and goes no further
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(BROKEN)
    os.close(writes)
    with open(reads, encoding="ascii") as passed:
        told = passed.read()
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return None
    if os.WEXITSTATUS(status) != 0:
        raise RuntimeError(f"a process in {folder}, to be killed at {kill_at}, failed")
    return int(told)


def main() -> None:
    """Give life for each line that asks for it."""
    for line in sys.stdin:
        folder, kill_at = json.loads(line)
        sys.stdout.write(json.dumps(_born(Path(folder), kill_at)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
