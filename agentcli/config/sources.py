"""Where each value of the config came from, and so where an error about it points."""

from collections.abc import Mapping

from msgspec import Struct, field

from agentcli.config.errors import ConfigError, Key, dotted
from agentcli.config.lines import line_of

DEFAULT = "default"


class Sources(Struct, frozen=True):
    """The file that was read, and for each key that something gave what gave it.

    Args:
        file: The path of the config file; empty where there is none.
        text: The text of that file.
        given: Key as `dotted` writes it → the file's path, a flag (`--model`) or a variable (`AGENTCLI_MODEL`).
    """

    file: str = ""
    text: str = ""
    given: Mapping[str, str] = field(default_factory=dict)

    def of(self, key: str) -> str:
        """Return what gave the key its value, `default` where nothing did."""
        return self.given.get(key, DEFAULT)

    def line(self, key: Key) -> int | None:
        """Return the line of the file on which a key stands; None where the file does not give it."""
        is_there = bool(self.file) and self.given.get(dotted(key)) == self.file
        return line_of(self.text, key) if is_there else None

    def error(self, key: Key, problem: str) -> ConfigError:
        """Return the error about a key: with its line where the file gave it, else by the flag or variable."""
        name = dotted(key)
        source = self.given.get(name, self.file)
        if source != self.file:
            return ConfigError(source, "", problem)
        return ConfigError(source, name, problem, line_of(self.text, key) if key else None)
