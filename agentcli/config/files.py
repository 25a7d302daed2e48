"""The config file: read if it is safe, parsed, and checked to the last key."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from agentcli.config.errors import ConfigError, Key, dotted
from agentcli.config.reading import read_config
from agentcli.config.safety import UnsafeFileError, read_guarded
from agentcli.config.sources import DEFAULT, Sources

_AT_LINE: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


class ConfigFile(Struct, frozen=True):
    """What a file says, and where each key of it stands."""

    document: Mapping[str, Any]
    sources: Sources


NO_FILE: Final = ConfigFile({}, Sources())


def read_file(path: str, *, may_be_missing: bool, named_by: str = DEFAULT) -> ConfigFile:
    """Return what is in the config file.

    Args:
        named_by: The flag or the variable that names it.

    Raises:
        ConfigError: The file is missing, unsafe or unreadable, or something in it is wrong.
    """
    try:
        content = read_guarded(Path(path))
    except FileNotFoundError as error:
        # A link that leads nowhere is a config that was meant to hold: going on without it could loosen things.
        if may_be_missing and not os.path.islink(path):
            return NO_FILE
        by = "" if named_by == DEFAULT else f", which {named_by} names"
        raise ConfigError(path, "", f"there is no such file{by}") from error
    except OSError as error:
        raise ConfigError(path, "", f"can't be read: {error.strerror}") from error
    except UnsafeFileError as error:
        raise ConfigError(path, "", error.problem) from error
    return parse_file(path, content)


def parse_file(path: str, content: bytes) -> ConfigFile:
    """Return the config file of that content.

    Raises:
        ConfigError: It is not TOML, or a key or value in it can't be used.
    """
    file = parse_document(path, content)
    read_config(file.document, file.sources.error)
    return file


def parse_document(path: str, content: bytes) -> ConfigFile:
    """Return a TOML file of that content, nothing in it read yet.

    Raises:
        ConfigError: It is not TOML.
    """
    try:
        # Editors on Windows put a mark at the beginning, which TOML does not know.
        text = content.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(path, "", "is not UTF-8 text", line) from error
    document = _parse(path, text)
    return ConfigFile(document, Sources(path, text, {dotted(key): path for key in _keys(document, ())}))


def _parse(path: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _AT_LINE.search(str(error))
        line = int(place[1]) if place and place[1] else text.count("\n") + 1
        raise ConfigError(path, "", f"is not TOML: {_AT_LINE.sub('', str(error))}", line) from error
    except RecursionError as error:
        raise ConfigError(path, "", "is nested too deeply") from error
    except ValueError as error:
        raise ConfigError(path, "", f"holds a value that can't be read: {error}") from error


def _keys(node: object, at: Key) -> Iterator[Key]:
    """Yield every key at and below a node, tables and entries of lists included."""
    yield at
    match node:
        case dict():
            for name, child in node.items():
                yield from _keys(child, (*at, name))
        case list():
            for index, child in enumerate(node):
                yield from _keys(child, (*at, index))
