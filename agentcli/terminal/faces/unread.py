"""Standard input, kept for ourselves: own code, and programs that it starts, find it at its end.

Else they would take the keys of whoever is to answer, and the words that were meant for the agent.
"""

import os
from typing import Any, TextIO


class Unread:
    """Stands in for standard input and has nothing to read until `end`; `beneath` has."""

    def __init__(self, stream: TextIO) -> None:
        self._empty = stream
        self._number = stream.fileno()
        self._kept = os.dup(self._number)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, self._number)
        os.close(nothing)
        # Open until the process ends, as standard input is.
        self.beneath = open(self._kept, encoding=stream.encoding, errors=stream.errors, closefd=False)  # noqa: SIM115

    def close(self) -> None:
        """It is not theirs to close."""

    def end(self) -> None:
        """Have the descriptor lead where it led before."""
        os.dup2(self._kept, self._number)

    def __iter__(self) -> Any:
        return iter(self._empty)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._empty, name)
