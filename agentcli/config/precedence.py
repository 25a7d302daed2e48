"""Which value counts: the flag's, else the variable's, else the file's, else the default."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from agentcli.config.errors import ConfigError, Key, dotted
from agentcli.config.files import ConfigFile
from agentcli.config.places import Places
from agentcli.config.reading import read_config
from agentcli.config.records import Config, LogFile, StoreFile
from agentcli.config.sources import DEFAULT, Sources
from agentcli.gate.autonomy import Level

VARIABLES: Final[Mapping[str, str]] = {
    "--config": "AGENTCLI_CONFIG",
    "--db": "AGENTCLI_DB",
    "--agent": "AGENTCLI_AGENT",
    "--model": "AGENTCLI_MODEL",
    "--autonomy": "AGENTCLI_AUTONOMY",
}

_TOOL_LEVEL: Final = re.compile(r"([A-Za-z0-9_-]{1,64})=([0-4])", re.ASCII)
_LEVELS: Final = {str(int(level)): int(level) for level in Level}


class Flags(Struct, frozen=True, kw_only=True):
    """What the command line says; None, False or empty where it says nothing.

    Args:
        autonomy: The level as typed.
        tool_levels: Each `--tool-level` as typed, `TOOL=N`; of two for one tool the later counts.
    """

    config: str | None = None
    db: str | None = None
    agent: str | None = None
    model: str | None = None
    autonomy: str | None = None
    tool_levels: tuple[str, ...] = ()
    max_steps: int | None = None
    require_approval: bool = False
    plain: bool = False


def config_path(flags: Flags, environ: Mapping[str, str], places: Places) -> tuple[str, str]:
    """Return the config file's path, and what names it: `--config`, `AGENTCLI_CONFIG` or `default`.

    Raises:
        ConfigError: `--config` is empty.
    """
    said = _said(flags.config, "--config", environ)
    return (places.config, DEFAULT) if said is None else (_from_here(said[0], places), said[1])


def resolve(flags: Flags, environ: Mapping[str, str], file: ConfigFile, places: Places) -> Config:
    """Return the config in which each value is the one that counts, the default paths filled in.

    An empty variable counts as not set.

    Raises:
        ConfigError: A flag or a variable that counts can't be used; the error names it.
    """
    document, given = file.document, dict(file.sources.given)
    for key, value, source in _overrides(flags, environ, places):
        document = _with(document, key, value)
        given[dotted(key)] = source
    sources = Sources(file.sources.file, file.sources.text, given)
    config = read_config(document, sources.error)
    return replace(
        config,
        store=StoreFile(config.store.path or places.store),
        log=LogFile(config.log.file or places.log),
        sources=sources,
    )


def _overrides(flags: Flags, environ: Mapping[str, str], places: Places) -> Iterator[tuple[Key, object, str]]:
    """Yield what the command line and the variables say: the key, its value, and what gave it."""
    either: tuple[tuple[Key, str | None, str, Callable[[str], object]], ...] = (
        (("agent",), flags.agent, "--agent", str),
        (("model",), flags.model, "--model", str),
        (("autonomy", "level"), flags.autonomy, "--autonomy", _level),
        (("store", "path"), flags.db, "--db", lambda path: _from_here(path, places)),
    )
    for key, on_flag, flag, read in either:
        if said := _said(on_flag, flag, environ):
            yield key, read(said[0]), said[1]
    for typed in flags.tool_levels:
        match = _TOOL_LEVEL.fullmatch(typed)
        if match is None:
            raise ConfigError("--tool-level", "", f"{typed!r} is not TOOL=N with a level from 0 to 4")
        yield ("autonomy", "tools", match[1]), int(match[2]), f"--tool-level {typed}"
    only_flags: tuple[tuple[Key, object, str], ...] = (
        (("limits", "steps"), flags.max_steps, "--max-steps"),
        (("approval", "require"), flags.require_approval or None, "--require-approval"),
        (("terminal", "plain"), flags.plain or None, "--plain"),
    )
    yield from (each for each in only_flags if each[1] is not None)


def _said(on_flag: str | None, flag: str, environ: Mapping[str, str]) -> tuple[str, str] | None:
    """Return what the flag says, else what its variable says, and which of the two it was."""
    if on_flag is not None:
        if not on_flag:
            raise ConfigError(flag, "", "is empty")
        return on_flag, flag
    variable = VARIABLES[flag]
    return (environ[variable], variable) if environ.get(variable) else None


def _level(text: str) -> int | str:
    """Return the level that the text says; what says none is left for the reader to refuse."""
    return _LEVELS.get(text, text)


def _from_here(path: str, places: Places) -> str:
    return os.path.join(places.here, os.path.expanduser(path))


def _with(document: Mapping[str, Any], key: Key, value: object) -> dict[str, Any]:
    """Return the document with one value set; the document itself stays as it is."""
    name, *rest = key
    inner = _with(document.get(str(name), {}), tuple(rest), value) if rest else value
    return {**document, str(name): inner}
