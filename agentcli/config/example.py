"""The example config: every key with its default, ready to be edited."""

import os
from pathlib import Path

from agentcli.config.errors import ConfigError


def example_text() -> str:
    """Return the example that ships with agentcli."""
    from importlib.resources import files  # noqa: PLC0415  # only `config init` pays for it

    return files(__package__).joinpath("config.example.toml").read_text(encoding="utf-8")


def write_example(path: str) -> None:
    """Write the example to a new file that the user alone may read, making its folder if need be.

    Raises:
        ConfigError: There is something at that path already, which stays as it is, or it can't be written.
    """
    try:
        Path(path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(path, "x", encoding="utf-8", opener=_open_for_user_alone) as file:
            file.write(example_text())
    except OSError as error:
        is_there = isinstance(error, FileExistsError) and error.filename == path
        problem = "exists already and is left as it is" if is_there else f"can't be written: {error.strerror}"
        raise ConfigError(path, "", problem) from error


def _open_for_user_alone(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
