"""The demos that there are: those that ship, and files of one's own."""

from pathlib import Path
from typing import Final

from msgspec import Struct

from agentcli.config.errors import did_you_mean, followed
from agentcli.lab.reading import read_script
from agentcli.lab.script import Script

FOLDER: Final = Path(__file__).with_name("demos")


class NoSuchDemo(LookupError):
    """No demo of this name ships, and there is no such file."""

    def __init__(self, name: str) -> None:
        none = f"no demo {name!r} ships, and there is no such file{did_you_mean(name, shipped_names())}"
        super().__init__(followed(none, "`agentcli demo` lists them"))


class Demo(Struct, frozen=True):
    """A demo under its name, and the file it is in."""

    name: str
    path: Path

    def read(self) -> Script:
        """Return what it says; raises as `read_script` does."""
        return read_script(self.path)


def shipped_names() -> list[str]:
    """Return the names of the demos that ship."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def shipped_demos() -> list[Demo]:
    """Return the demos that ship, by name."""
    return [Demo(name, FOLDER / f"{name}.toml") for name in shipped_names()]


def find_demo(named: str) -> Demo:
    """Return the demo of a name or in a file.

    Raises:
        NoSuchDemo: There is neither.
    """
    if named in shipped_names():
        return Demo(named, FOLDER / f"{named}.toml")
    path = Path(named)
    if not path.exists():
        raise NoSuchDemo(named)
    return Demo(path.stem, path)
