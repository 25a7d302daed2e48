"""A pseudo-terminal at whose other end a virtual screen stands."""

import asyncio
import codecs
import fcntl
import os
import pty
import signal
import struct
import termios
import time
from collections.abc import Sequence

from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_input

from agentcli.lab.selftest.attack import Attack
from agentcli.lab.selftest.playing import Played, play
from agentcli.lab.selftest.renderer import RealRenderer
from agentcli.lab.selftest.virtual import Picture, VirtualTerminal
from agentcli.terminal.faces.output import open_output


class RealPlace:
    """What comes out of a pseudo-terminal is drawn on a virtual one; what is sent goes through it."""

    def __init__(self, master: int, columns: int, rows: int) -> None:
        self._master = master
        self._terminal = VirtualTerminal(columns, rows)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._set_size(columns, rows)

    def read(self) -> None:
        """Draw what has come."""
        self._terminal.write(self._decoder.decode(os.read(self._master, 65536)))

    def send(self, text: str) -> None:
        os.write(self._master, text.encode())

    def stall(self, seconds: float) -> None:
        time.sleep(seconds)

    def resize(self, columns: int, rows: int) -> None:
        self._terminal.resize(columns, rows)
        self._set_size(columns, rows)
        signal.raise_signal(signal.SIGWINCH)

    def picture(self) -> Picture:
        return self._terminal.picture()

    def scrolled(self) -> tuple[str, ...]:
        return self._terminal.scrolled()

    def misdeeds(self) -> Sequence[str]:
        return self._terminal.misdeeds()

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


async def play_at_pty(attack: Attack, columns: int, rows: int) -> Played:
    """Play an attack through a pseudo-terminal of a size."""
    loop = asyncio.get_running_loop()
    master, slave = pty.openpty()
    place, renderer = RealPlace(master, columns, rows), RealRenderer()
    try:
        # Each application is the one of its session; several may be played on at a time.
        with create_app_session(), open(slave, closefd=False) as stdin, open(slave, "w", closefd=False) as stdout:
            loop.add_reader(master, place.read)
            screen = renderer.open(create_input(stdin), open_output(stdout, colour=True))
            return await play(attack, place, screen, renderer)
    finally:
        loop.remove_reader(master)
        os.close(master)
        os.close(slave)
