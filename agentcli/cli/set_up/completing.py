"""What the word that is being typed can become, read off the commands and their options. Pure, but for values."""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct, field

from agentcli.cli.command_table import BY_NAME

_SAFE: Final = re.compile(r"[A-Za-z0-9_./:=-]+", re.ASCII)
"""What a shell takes as it is, so that nothing that is offered can be more than a word."""

_CURSOR: Final = "|"
"""Stands for the cursor, so that a word is begun there in any case."""

_CHOICES: Final = re.compile(r"[a-z]+(\|[a-z]+)+", re.ASCII)
_RANGE: Final = re.compile(r"([0-9])-([0-9])", re.ASCII)


class Candidate(Struct, frozen=True):
    """A word that is offered, and what it stands for."""

    word: str
    about: str = ""


class Place(Struct):
    """Where in a command line a word stands.

    Attributes:
        path: The names of the commands.
        given: The values of options so far, by the names of their parameters.
        wanted: What the word is to be: the name of its parameter in capitals, a choice, or a range.
    """

    path: tuple[str, ...] = ()
    given: dict[str, str] = field(default_factory=dict)
    wanted: str = ""


Values = Callable[[Place], Iterable[Candidate]]
"""Looks up what can be named at a place: sessions, agents, tools."""


def candidates(root: Any, words: Sequence[str], values: Values) -> list[Candidate]:
    """Return what the last of the words can become.

    Args:
        root: The group of all commands, as Typer makes it.
        words: What was typed behind the program's name; the last one is begun, and may be empty.
    """
    *earlier, begun = words
    reading = _Reading(root)
    for word in earlier:
        if not reading.take(word):
            return []
    found = reading.offers(begun, values)
    return [one for one in found if one.word.startswith(begun) and _SAFE.fullmatch(one.word)]


def words_of(line: str) -> list[str]:
    """Return the words behind the program's name, as a shell reads them; the last one is begun, and may be empty.

    Args:
        line: The command line up to the cursor, which may stand within quotes.
    """
    for end in (_CURSOR, f'{_CURSOR}"', f"{_CURSOR}'"):
        with suppress(ValueError):  # a quote is open
            *earlier, begun = shlex.split(line + end)
            return [*earlier, begun.removesuffix(_CURSOR)][1:] or [""]
    return [""]


class _Reading:
    """Follows a command line word by word."""

    def __init__(self, root: Any) -> None:
        self._command = root
        self._place = Place()
        self._pending: Any = None
        self._used: set[str] = set()
        self._arguments = 0
        self._is_literal = False

    def take(self, word: str) -> bool:
        """Go past a word; return False where it is none that can stand there."""
        if self._pending is not None:
            self._place.given[self._pending.name] = word
            self._pending = None
        elif word == "--" and not self._is_literal:
            self._is_literal = True
        elif self._is_option(word):
            self._take_option(word)
        elif self._subcommands is not None:
            if word not in self._subcommands:
                return False
            self._command = self._subcommands[word]
            self._place.path += (word,)
            self._used.clear()
        else:
            self._arguments += 1
        return True

    def offers(self, begun: str, values: Values) -> Iterator[Candidate]:
        """Yield all that could stand where the begun word stands."""
        name, sign, _ = begun.partition("=")
        if self._pending is not None:
            yield from self._values(self._pending, values)
        elif self._is_option(begun) and sign:
            option = self._options.get(name)
            if option is not None and not option.is_flag:
                for one in self._values(option, values):
                    yield Candidate(f"{name}={one.word}", one.about)
        elif begun.startswith("-") and not self._is_literal:
            for name, option in self._options.items():
                if option.multiple or option.name not in self._used:
                    yield Candidate(name, option.help or "")
            yield Candidate("--help", "say what can be typed, and exit")
        elif self._subcommands is not None:
            for name in self._subcommands:
                listed = BY_NAME.get(name) if not self._place.path else None
                yield Candidate(name, listed.summary if listed else self._subcommands[name].get_short_help_str(80))
        else:
            arguments = [one for one in self._command.params if not one.opts[0].startswith("-")]
            if self._arguments < len(arguments):
                yield from self._values(arguments[self._arguments], values)

    def _take_option(self, word: str) -> None:
        name, sign, value = word.partition("=")
        option = self._options.get(name)
        if option is None:
            return
        self._used.add(option.name)
        if option.is_flag:
            return
        if sign:
            self._place.given[option.name] = value
        else:
            self._pending = option

    def _is_option(self, word: str) -> bool:
        return word.startswith("-") and len(word) > 1 and not self._is_literal

    @property
    def _subcommands(self) -> Mapping[str, Any] | None:
        return getattr(self._command, "commands", None)

    @property
    def _options(self) -> Mapping[str, Any]:
        shown = (one for one in self._command.params if one.opts[0].startswith("-") and not one.hidden)
        return {name: one for one in shown for name in one.opts}

    def _values(self, param: Any, values: Values) -> Iterator[Candidate]:
        wanted = str(param.metavar or "")
        spread = _RANGE.fullmatch(wanted)
        if _CHOICES.fullmatch(wanted):
            yield from map(Candidate, wanted.split("|"))
        elif spread is not None:
            yield from (Candidate(str(number)) for number in range(int(spread[1]), int(spread[2]) + 1))
        else:
            self._place.wanted = param.name.upper() if wanted == "NAME" else wanted
            yield from values(self._place)
