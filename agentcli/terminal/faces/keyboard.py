"""The keyboard: what comes from the terminal is sifted before it is read as keys."""

import asyncio
import select
import sys
from collections.abc import Callable
from typing import Final

from prompt_toolkit.application.current import get_app
from prompt_toolkit.input import Input
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.input.vt100_parser import Vt100Parser

from agentcli.terminal.faces.incoming import Incoming, Sifted, end_paste, release, sift

PASTE_PATIENCE_S: Final = 2.0
_KNOWN: Final = frozenset(ANSI_SEQUENCES)


class SiftedParser(Vt100Parser):
    """Leaves out what no key sends before another parser reads it, and ends a paste whose end does not come."""

    def __init__(self, inner: Vt100Parser, on_dropped: Callable[[], None]) -> None:
        super().__init__(inner.feed_key_callback)
        self._inner = inner
        self._on_dropped = on_dropped
        self._incoming = Incoming()
        self._watchdog: asyncio.TimerHandle | None = None

    def feed(self, data: str) -> None:
        """Take what was read."""
        self._take(sift(self._incoming, data, _KNOWN))
        if self._watchdog is not None:
            self._watchdog.cancel()
            self._watchdog = None
        if self._incoming.in_paste:
            self._watchdog = asyncio.get_running_loop().call_later(PASTE_PATIENCE_S, self._end_paste)

    def flush(self) -> None:
        """Take what was held back for what it is."""
        self._take(release(self._incoming))
        self._inner.flush()

    def _take(self, sifted: Sifted) -> None:
        self._incoming = sifted.rest
        self._inner.feed(sifted.passed)
        if sifted.has_dropped:
            self._on_dropped()

    def _end_paste(self) -> None:
        self._take(end_paste(self._incoming))
        app = get_app()
        app.key_processor.feed_multiple(app.input.flush_keys())
        app.key_processor.process_keys()


def sift_keys(input: Input, on_dropped: Callable[[], None]) -> None:
    """Put the sieve in front of the keys; `on_dropped` hears when something was left out."""
    if sys.platform == "win32":  # pragma: no cover  # there keys do not come as text
        return
    from prompt_toolkit.input.vt100 import Vt100Input  # noqa: PLC0415  # it can't be imported everywhere

    if isinstance(input, Vt100Input):
        input.vt100_parser = SiftedParser(input.vt100_parser, on_dropped)


def is_input_waiting(input: Input) -> bool:
    """Return whether something was typed that nobody has read yet."""
    return bool(select.select([input.fileno()], [], [], 0)[0])
