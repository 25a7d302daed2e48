"""Ctrl-Z and going on, with keys from a pipe; with a shell it is tried on a whole screen."""

import asyncio
import io
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager

import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput, PipeInput

from agentcli.terminal import happened as h
from agentcli.terminal.faces.linear import LinearOutput
from agentcli.terminal.faces.output import SteadyOutput
from agentcli.terminal.faces.screen import Screen
from agentcli.terminal.faces.suspending import Suspending
from agentcli.terminal.question.answer import Approve
from agentcli.terminal.question.arming import Standing
from tests.terminal.bench import Bench
from tests.terminal.views import view_of

CTRL_Z = "\x1a"
STOPPED = "[1]+ Stopped\n"
PASTE_OFF, PASTE_ON = "\x1b[?2004l", "\x1b[?2004h"


@pytest.fixture
async def shelled(keys: PipeInput) -> AsyncIterator[Bench]:
    """A screen below a shell, which says that it has the terminal and has us go on at once."""
    written = io.StringIO()
    output = SteadyOutput(written, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    async with Screen(keys, output, colour=True, stop=lambda: written.write(STOPPED)) as screen:
        yield Bench(keys, written, screen)


async def drawn_after(bench: Bench, before: str, text: str) -> None:
    """Wait until something is drawn behind something else."""
    async with asyncio.timeout(60):
        while text not in bench.written.getvalue().partition(before)[2]:
            await asyncio.sleep(0.005)


async def test_ctrl_z_leaves_the_terminal_and_draws_anew_after_it(shelled: Bench) -> None:
    """What was being typed is still there, and the shell is not told of pastes."""
    shelled.keys.send_text("half a dra")
    await shelled.written_until("half a dra")
    shelled.keys.send_text(CTRL_Z)
    await drawn_after(shelled, STOPPED, "half a dra")
    shelled.keys.send_text("ft\r")
    assert await shelled.next() == h.WordsEntered("half a draft")
    before, after = shelled.written.getvalue().split(STOPPED)
    assert before.rindex(PASTE_OFF) > before.rindex(PASTE_ON)
    assert after.rindex(PASTE_ON) > after.rindex(PASTE_OFF)


async def test_a_question_is_painted_anew_and_must_be_quiet_first(shelled: Bench) -> None:
    """Who comes back has not seen it for a while."""
    await shelled.ask()
    shelled.keys.send_text(CTRL_Z)
    await shelled.until(lambda arming: not arming.is_armed)
    await shelled.armed()
    assert "(y/n)" in shelled.written.getvalue().split(STOPPED)[1]
    await shelled.type("y\r")
    assert isinstance(answered := await shelled.next(), h.AnswerGiven)
    assert answered.said == Approve()


async def test_a_yes_that_stood_in_the_line_before_ctrl_z_is_none_after_it(shelled: Bench) -> None:
    """Its Enter may have been typed into the shell."""
    await shelled.ask()
    await shelled.type("y")
    shelled.keys.send_text(f"{CTRL_Z}\r")
    assert await shelled.next() == h.WordsEntered("y", Standing.EARLIER)


async def test_ctrl_z_pressed_twice_in_haste_stops_once(shelled: Bench) -> None:
    """Whoever comes back wants to stay; later it stops again."""
    shelled.keys.send_text(f"a{CTRL_Z}{CTRL_Z}{CTRL_Z}b{CTRL_Z}c\r")
    assert await shelled.next() == h.WordsEntered("abc")
    assert shelled.written.getvalue().count(STOPPED) == 2


class BehindTheShell(DummyInput):
    """A terminal whose modes can't be set until the shell has brought us to the front."""

    def raw_mode(self) -> AbstractContextManager[None]:
        return Fronted()


class Fronted(AbstractContextManager[None]):
    def __enter__(self) -> None:
        os.kill(os.getpid(), signal.SIGCONT)

    def __exit__(self, *_: object) -> None:
        pass


async def test_who_went_on_behind_the_shell_first_draws_once() -> None:
    """After `bg` the terminal is ours only with `fg`, which is in the middle of taking it back."""
    output = SteadyOutput(io.StringIO(), lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    taken_back: list[bool] = []
    app = Application[None](input=DummyInput(), output=output)
    suspending = Suspending(app, BehindTheShell(), output, lambda: None, lambda: taken_back.append(True))
    suspending.heed()
    try:
        suspending.suspend()
        for _ in range(20):
            await asyncio.sleep(0.01)
    finally:
        suspending.ignore()
    assert taken_back == [True]


async def test_who_was_stopped_from_elsewhere_draws_anew_too(shelled: Bench) -> None:
    """The shell has written over what stood there."""
    shelled.keys.send_text("half a dra")
    await shelled.written_until("half a dra")
    shelled.written.write(STOPPED)
    os.kill(os.getpid(), signal.SIGCONT)
    await drawn_after(shelled, STOPPED, "half a dra")
    assert PASTE_ON in shelled.written.getvalue().split(STOPPED)[1]


async def test_where_nothing_is_drawn_anew_what_is_asked_is_told_again(keys: PipeInput) -> None:
    """It stands above what the shell has written."""
    written = io.StringIO()
    output = LinearOutput(written, lambda: Size(rows=24, columns=80), is_dumb=False)
    async with Screen(keys, output, colour=False, stop=lambda: written.write(STOPPED)) as screen:
        bench = Bench(keys, written, screen)
        screen.ask(view_of())
        await bench.armed()
        keys.send_text(CTRL_Z)
        await bench.until(lambda arming: not arming.is_armed)
        await bench.armed()
        assert written.getvalue().split(STOPPED)[1].count("(y/n)") == 1
