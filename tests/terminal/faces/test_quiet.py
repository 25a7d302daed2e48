"""A timer that runs out only when nothing came meanwhile."""

import asyncio
from dataclasses import dataclass, field

from agentcli.terminal.faces.quiet import QuietTimer

SOON_S, LATER_S = 0.01, 0.05


@dataclass
class Keyboard:
    """Says whether something waits, the given answers in turn, then no."""

    waiting: list[bool] = field(default_factory=list)

    def is_waiting(self) -> bool:
        return self.waiting.pop(0) if self.waiting else False


async def test_it_runs_out_after_the_time() -> None:
    """Not before."""
    ran_out = asyncio.Event()
    QuietTimer(Keyboard().is_waiting, ran_out.set).restart(SOON_S)
    assert not ran_out.is_set()
    await asyncio.wait_for(ran_out.wait(), 60)


async def test_keys_that_wait_unread_start_it_anew() -> None:
    """They were typed before it ran out, even if the program was too busy to read them."""
    keyboard = Keyboard([True, True])
    ran_out = asyncio.Event()
    QuietTimer(keyboard.is_waiting, ran_out.set).restart(SOON_S)
    await asyncio.wait_for(ran_out.wait(), 60)
    assert keyboard.waiting == []


async def test_restarting_and_cancelling_take_back_the_first_time() -> None:
    """Only the last time counts."""
    ran_out: list[str] = []
    timer = QuietTimer(Keyboard().is_waiting, lambda: ran_out.append("quiet"))
    timer.restart(SOON_S)
    timer.restart(SOON_S)
    await asyncio.sleep(LATER_S)
    assert ran_out == ["quiet"]
    timer.restart(SOON_S)
    timer.cancel()
    timer.cancel()
    await asyncio.sleep(LATER_S)
    assert ran_out == ["quiet"]
