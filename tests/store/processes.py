"""Other processes, real ones, that share a store with the test."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from typing import Final

from agentcli.store.holder import FOLDER_SUFFIX

ROOT: Final = Path(__file__).parents[2]
PREAMBLE: Final = """
from pathlib import Path
from agentcli.session.ports import SessionBusy, StoreFailure
from agentcli.store.sqlite import SqliteStore
from tests.store.samples import NOW, note, said, write
"""


@contextmanager
def python(script: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Run a script beside the test; it is killed when the block is left."""
    process = subprocess.Popen(
        [sys.executable, "-c", PREAMBLE + dedent(script), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line_of(process: subprocess.Popen[str]) -> str:
    """The next line that the process prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def output_of(script: str, *arguments: object) -> str:
    """What a script prints until it ends well."""
    with python(script, *arguments) as process:
        output, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        return output.strip()


@contextmanager
def another_writer(path: Path) -> Iterator[None]:
    """Let another process hold the write lock of the store."""
    script = """
        import sys
        with SqliteStore.open(Path(sys.argv[1])) as store, store.transaction():
            print("locked", flush=True)
            sys.stdin.readline()
        """
    with python(script, path) as process:
        assert line_of(process) == "locked"
        yield


def held_files() -> list[str]:
    """Return the files by which sessions are held that this process has open; none where the system does not tell."""
    descriptors = Path("/proc/self/fd")
    opened = descriptors.iterdir() if descriptors.exists() else ()
    return [path for one in opened if f"{FOLDER_SUFFIX}/" in (path := _leads_to(one))]


def _leads_to(descriptor: Path) -> str:
    try:
        return os.readlink(descriptor)
    except OSError:  # it was that of the folder that is being read
        return ""
