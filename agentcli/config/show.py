"""Every key of the config with its value and where that came from."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from msgspec import Struct, json

from agentcli.config.errors import Key, dotted
from agentcli.config.records import SHIPPED, Agents, Config
from agentcli.config.sources import Sources
from agentcli.gate.autonomy import Level

Shown = str | int | float | bool | tuple[str, ...] | Mapping[str, object]


class Row(Struct, frozen=True):
    """One key with its effective value, and `default` or the file, flag or variable that gave it."""

    key: str
    value: Shown
    source: str

    @property
    def literal(self) -> str:
        """The value as the config file would write it."""
        return json.encode(self.value).decode()


def rows(config: Config) -> list[Row]:
    """Return a row for every key; an empty list or table has one of its own."""
    return [Row(dotted(key), value, config.sources.of(dotted(key))) for key, value in _values(config, ())]


def _values(node: object, at: Key) -> Iterator[tuple[Key, Shown]]:
    """Yield what is below a node, down to the values that the file would hold."""
    match node:
        case Sources():
            return
        case Agents():
            # In the file the user's own agents stand beside the ones that ship.
            for name in SHIPPED:
                yield from _values(getattr(node, name), (*at, name))
            for name, agent in node.own.items():
                yield from _values(agent, (*at, name))
        case Struct():
            for name in node.__struct_fields__:
                yield from _values(getattr(node, name), (*at, name))
        case Mapping() if node:
            for name, entry in node.items():
                yield from _values(entry, (*at, name))
        case (Struct(), *_):
            for index, entry in enumerate(node):
                yield from _values(entry, (*at, index))
        case _:
            yield at, _plain(node)


def _plain(value: Any) -> Shown:
    match value:
        case Decimal():
            return str(value)
        case Level():
            return int(value)
        case str():
            # A path of the system may hold bytes that are no text.
            return value.encode(errors="backslashreplace").decode()
        case float() if value.is_integer():
            return int(value)
        case _:
            plain: Shown = value
            return plain
