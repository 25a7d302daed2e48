"""Files of different kinds are different files: what is appended to one would destroy what another holds."""

import os
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from msgspec import Struct

from agentcli.config.errors import Key, dotted
from agentcli.config.records import Config
from agentcli.config.sources import DEFAULT

BESIDE_STORE: Final = ("-wal", "-shm", "-journal", "-held")
BESIDE_LOG: Final = (".1", ".2")
"""How the files end that stand beside one that is named, and are written with it."""


def require_apart(config: Config) -> None:
    """Refuse a file that two settings name, or that is the config itself, before anything writes to it.

    Raises:
        ConfigError: About the mirror, else about the log, else about the store.
    """
    for one, other in combinations(_kept_files(config), 2):
        if one.identities.isdisjoint(other.identities):
            continue
        # A default is put right by whoever named the other file.
        is_named = not other.key or config.sources.of(dotted(one.key)) != DEFAULT
        wrong, owner = (one, other) if is_named else (other, one)
        raise config.sources.error(wrong.key, f"{wrong.path!r} is kept for {owner.what}; name another file")


class _Kept(Struct, frozen=True):
    """A file that is kept: its key (the config itself has none), what it is, what the system knows it by."""

    key: Key
    what: str
    path: str
    identities: frozenset[str | tuple[int, int]]


def _kept_files(config: Config) -> Iterator[_Kept]:
    """Yield the files in the order in which an error is about them."""
    if config.audit.file:
        yield _kept(("audit", "file"), "the mirror of the record", config.audit.file)
    yield _kept(("log", "file"), "the log", config.log.file, BESIDE_LOG)
    yield _kept(("store", "path"), "the store", config.store.path, BESIDE_STORE)
    if config.sources.file:
        yield _kept((), "the config", config.sources.file)


def _kept(key: Key, what: str, path: str, beside: tuple[str, ...] = ()) -> _Kept:
    paths = (path, *(path + ending for ending in beside))
    return _Kept(key, what, path, frozenset(known for each in paths for known in _identities(each)))


def _identities(path: str) -> Iterator[str | tuple[int, int]]:
    """Yield what a file is known by: its path without links, and its number where it is there."""
    yield os.path.realpath(path)
    try:
        status = os.stat(path)
    except OSError:
        return
    yield status.st_dev, status.st_ino
