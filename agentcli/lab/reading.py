"""Reads demos strictly: what is wrong with one is told with file and line before anything plays."""

from pathlib import Path
from typing import Final

from agentcli.config.errors import ConfigError
from agentcli.config.files import parse_document
from agentcli.config.reading import read_record
from agentcli.lab.impossible import problems
from agentcli.lab.script import Script

MOST_BYTES: Final = 1_000_000


def read_script(path: Path) -> Script:
    """Return the demo in a file.

    Raises:
        ConfigError: It can't be read, or something in it can't be or can never come true.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(str(path), "", f"can't be read: {error.strerror}") from error
    if len(content) > MOST_BYTES:
        raise ConfigError(str(path), "", f"is larger than {MOST_BYTES:,} bytes")
    return parse_script(str(path), content)


def parse_script(path: str, content: bytes) -> Script:
    """Return the demo of that content; raises as `read_script` does."""
    file = parse_document(path, content)
    script = read_record(Script, file.document, file.sources.error)
    for key, problem in problems(script):
        raise file.sources.error(key, problem)
    return script
