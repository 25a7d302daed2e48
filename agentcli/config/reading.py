"""From a TOML document to the records, strictly: what is not exactly right is an error about its key."""

import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from types import UnionType
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import fields, replace

from agentcli.config.errors import ConfigError, Key, did_you_mean, dotted
from agentcli.config.records import SHIPPED, Agents, Config, OwnAgent
from agentcli.config.sources import Sources
from agentcli.problems import PAIRS, Pair, with_added

Blame = Callable[[Key, str], ConfigError]
Record = TypeVar("Record", bound=Struct)

_AGENT_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
# Records of other rooms have fields of bare types, and rules of their own.
_BARE_KINDS: Final = {
    str: Annotated[str, Meta(description="text in quotes")],
    int: Annotated[int, Meta(description="a whole number")],
}
_LONGEST_SHOWN: Final = 60
# Python refuses to write out integers of more than 4,300 digits, which TOML can hold as hexadecimals.
_HUGE: Final = 10**20


def read_config(document: Mapping[str, Any], blame: Blame) -> Config:
    """Return the config that the document says, defaults where it says nothing.

    Args:
        document: What a TOML parser returned.
        blame: Makes the error about a key of the document; an empty key stands for the document.

    Raises:
        ConfigError: The one that `blame` made, about the first key that can't be used.
    """
    config = _Reader(blame).record(Config, document, ())
    names = config.agents.names
    if config.agent not in names:
        hint = did_you_mean(config.agent, names) or f"; there are {', '.join(names)}"
        raise blame(("agent",), f"no agent {config.agent!r}{hint}")
    known: tuple[Pair, ...] = PAIRS
    for index, pair in enumerate(config.problems):
        try:
            known = with_added(known, (pair,))
        except ValueError as error:
            raise blame(("problems", index), str(error)) from error
    return config


def read_record(kind: type[Record], document: Mapping[str, Any], blame: Blame) -> Record:
    """Return another record that a document says, read as strictly; args and errors are those of `read_config`."""
    return _Reader(blame).record(kind, document, ())


class _Reader:
    """Reads one document; each method takes the kind that a value should be, the value, and its key."""

    def __init__(self, blame: Blame) -> None:
        self.blame = blame

    def record(self, kind: type[Record], value: object, at: Key) -> Record:
        table = self.table(value, at)
        # Where the values came from is no key of the file.
        keys = {field.name: field for field in fields(kind) if field.type is not Sources}
        for name in table:
            if name not in keys:
                raise self.unknown(name, keys, at)
        for name, field in keys.items():
            if field.required and name not in table:
                raise self.blame(at, f"missing key {name!r}")
        values = {name: self.value(keys[name].type, item, (*at, name)) for name, item in table.items()}
        try:
            return kind(**values)
        except ValueError as error:
            # A record that refuses one of its fields names it first.
            first_word = str(error).partition(" ")[0]
            raise self.blame((*at, first_word) if first_word in table else at, str(error)) from error

    def value(self, kind: Any, value: object, at: Key) -> Any:
        kind = _BARE_KINDS.get(kind, kind)
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self.leaf(kind, value, at)
        if origin in (Union, UnionType):
            # None stands for a key that is left out: TOML has no such value.
            return self.value(arguments[0], value, at)
        if origin is Mapping:
            entries = self.table(value, at).items()
            return {name: self.value(arguments[1], entry, (*at, name)) for name, entry in entries}
        if origin is tuple:
            tables = enumerate(self.tables(value, at))
            return tuple(self.record(arguments[0], table, (*at, index)) for index, table in tables)
        return self.agents(value, at) if kind is Agents else self.record(kind, value, at)

    def leaf(self, kind: Any, value: object, at: Key) -> Any:
        base, meta, *steps = get_args(kind)
        try:
            # As a `Decimal` msgspec would take NaN and 1_000: the kind's own step reads those from the text.
            fitted = value if base is Decimal else convert(value, kind)
            for step in steps:
                fitted = step(fitted)
        except (ValidationError, ValueError) as error:
            raise self.blame(at, f"{_shown(value)} is not {meta.description}") from error
        return fitted

    def agents(self, value: object, at: Key) -> Agents:
        """Read the agents that ship by their own records, every other one as one of the user's own."""
        table = self.table(value, at)
        own = {}
        for name, entry in table.items():
            if name not in SHIPPED:
                own[name] = self.own_agent(name, entry, (*at, name))
        shipped = {name: entry for name, entry in table.items() if name in SHIPPED}
        return replace(self.record(Agents, shipped, at), own=own)

    def own_agent(self, name: str, value: object, at: Key) -> OwnAgent:
        if not _AGENT_NAME.fullmatch(name):
            raise self.blame(at, f"{name!r} is not an agent's name: up to 64 letters, digits, '-' and '_'")
        hint = "" if "tools" in self.table(value, at) else did_you_mean(name, SHIPPED)
        if hint:
            raise self.blame(at, f"no agent {name!r} ships with agentcli{hint}")
        return self.record(OwnAgent, value, at)

    def table(self, value: object, at: Key) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.blame(at, f"{_shown(value)} is not a table")
        return value

    def tables(self, value: object, at: Key) -> list[Any]:
        if not isinstance(value, list):
            raise self.blame(at, f"{_shown(value)} is not a list of tables: write [[{dotted(at)}]]")
        return value

    def unknown(self, name: str, known: Iterable[str], at: Key) -> ConfigError:
        return self.blame((*at, name), f"unknown key {name!r}{did_you_mean(name, known)}")


def _shown(value: object) -> str:
    """Return the value for a message, long ones cut."""
    match value:
        case dict():
            return "a table"
        case list():
            return "this list"
        case bool():
            return str(value).lower()
        case int() if abs(value) >= _HUGE:
            return "a number of more than 20 digits"
        case str() | int() | float():
            text = repr(value)
            return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
        case _:
            return "a date or time"
