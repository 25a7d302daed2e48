"""Plays every attack on terminals of several sizes that nobody sees, as fast as it goes."""

import asyncio
import signal
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth

from agentcli.lab.selftest.attack import Attack
from agentcli.lab.selftest.judging import findings
from agentcli.lab.selftest.playing import Played, play
from agentcli.lab.selftest.renderer import RealRenderer, Renderer
from agentcli.lab.selftest.virtual import Picture, VirtualTerminal
from agentcli.lab.stage import StageLoop
from agentcli.terminal.faces.output import SteadyOutput


class Achieved(Struct, frozen=True):
    """What an attack has achieved on a terminal of a size."""

    columns: int
    rows: int
    what: str


class Tried(Struct, frozen=True):
    """An attack, and what it has achieved; it is beaten if that is nothing."""

    attack: Attack
    found: tuple[Achieved, ...]

    @property
    def is_beaten(self) -> bool:
        """Whether the attack has achieved nothing."""
        return not self.found


class VirtualPlace:
    """A virtual terminal and a keyboard that is a pipe, on a time of their own."""

    def __init__(self, terminal: VirtualTerminal, keys: PipeInput, loop: StageLoop) -> None:
        self._terminal = terminal
        self._keys = keys
        self._loop = loop

    def send(self, text: str) -> None:
        """Have it arrive from the keyboard."""
        self._keys.send_text(text)

    def stall(self, seconds: float) -> None:
        """Let the time pass at once."""
        self._loop.skip(seconds)

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size, and tell the program."""
        self._terminal.resize(columns, rows)
        signal.raise_signal(signal.SIGWINCH)

    def picture(self) -> Picture:
        """What can be read now."""
        return self._terminal.picture()

    def scrolled(self) -> tuple[str, ...]:
        """The rows that have left the window at its top."""
        return self._terminal.scrolled()

    def misdeeds(self) -> Sequence[str]:
        """What came to the terminal besides what drawing takes."""
        return self._terminal.misdeeds()


def try_all(attacks: Iterable[Attack], renderer: Renderer | None = None) -> Iterator[Tried]:
    """Play attacks on all their sizes, one after the other, and say of each what it has achieved."""
    drawn_by = RealRenderer() if renderer is None else renderer
    for attack in attacks:
        found = (
            Achieved(columns, rows, what)
            for columns, rows in attack.sizes
            for what in dict.fromkeys(findings(attack, try_one(attack, drawn_by, columns, rows)))
        )
        yield Tried(attack, tuple(found))


def try_one(attack: Attack, renderer: Renderer, columns: int, rows: int) -> Played:
    """Play one attack on a virtual terminal."""
    loop = StageLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner, create_pipe_input() as keys:
        return runner.run(_play(attack, renderer, VirtualTerminal(columns, rows), keys))


async def _play(attack: Attack, renderer: Renderer, terminal: VirtualTerminal, keys: PipeInput) -> Played:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, StageLoop)
    output = SteadyOutput(
        terminal,  # type: ignore[arg-type]  # of a file it needs no more than the terminal has
        lambda: Size(rows=terminal.rows, columns=terminal.columns),
        term="xterm-256color",
        default_color_depth=ColorDepth.DEPTH_4_BIT,
        enable_cpr=False,
    )
    return await play(attack, VirtualPlace(terminal, keys, loop), renderer.open(keys, output), renderer)
