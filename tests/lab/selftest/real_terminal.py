"""A pseudo-terminal at whose other end a virtual screen stands."""

import asyncio
import codecs
import fcntl
import os
import pty
import select
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

END_MARK = b"<all was written>"
PATIENCE_S = 60.0


class RealPlace:
    """What comes out of a pseudo-terminal is drawn on a virtual one; what is sent goes through it."""

    def __init__(self, master: int, slave: int, columns: int, rows: int) -> None:
        self._master, self._slave = master, slave
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
        self._read_to_the_end()
        return self._terminal.misdeeds()

    def _read_to_the_end(self) -> None:
        """Draw all that was written by now: a busy system hands it on late, and in pieces of a sequence."""
        os.write(self._slave, END_MARK)
        come = b""
        while END_MARK not in come:
            assert select.select([self._master], [], [], PATIENCE_S)[0], "what was written never came"
            come += os.read(self._master, 65536)
        self._terminal.write(self._decoder.decode(come.replace(END_MARK, b"")))

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


async def play_at_pty(attack: Attack, columns: int, rows: int) -> Played:
    """Play an attack through a pseudo-terminal of a size."""
    loop = asyncio.get_running_loop()
    master, slave = pty.openpty()
    place, renderer = RealPlace(master, slave, columns, rows), RealRenderer()
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
