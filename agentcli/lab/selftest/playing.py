"""Plays an attack on a screen, and takes down what could be read and which answers came."""

import asyncio
import signal
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Protocol, assert_never

from msgspec import Struct

from agentcli.lab.selftest import attack as a
from agentcli.lab.selftest.renderer import Asker, Renderer
from agentcli.lab.selftest.virtual import Picture
from agentcli.terminal import happened as h
from agentcli.terminal.faces.system_signals import ignore
from agentcli.terminal.question.answer import Approve, ApproveAndRaise, Decline

SETTLE_S: Final = 0.2
TURN_S: Final = 0.05
PATIENCE: Final = 40
"""How often it is looked whether a page has come that was turned to, and stands still."""

STILL: Final = 2
"""How many looks in a row see the same once it does."""

MOST_PAGES: Final = 1000
_PAGE_DOWN: Final = "\x1b[6~"


class Place(Protocol):
    """A terminal with a keyboard, where attacks are played."""

    def send(self, text: str) -> None:
        """Have it arrive from the keyboard."""
        ...

    def stall(self, seconds: float) -> None:
        """Let the time pass in which the program can do nothing."""
        ...

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size, and tell the program."""
        ...

    def picture(self) -> Picture:
        """What can be read now."""
        ...

    def scrolled(self) -> tuple[str, ...]:
        """The rows that have left the window at its top."""
        ...

    def misdeeds(self) -> Sequence[str]:
        """What came to the terminal besides what drawing takes."""
        ...


class Played(Struct, frozen=True):
    """The outcome of an attack: a picture of each page, or one; what scrolled away; misdeeds; and the answers."""

    pictures: tuple[Picture, ...]
    scrolled: tuple[str, ...]
    misdeeds: tuple[str, ...]
    answers: tuple[str, ...]


async def play(attack: a.Attack, place: Place, asker: Asker, renderer: Renderer) -> Played:
    """Play an attack on a screen that was not entered yet."""
    answers: list[str] = []
    async with asker:
        # Who interrupts means the self-test, not the question of an attack.
        ignore([signal.SIGINT])
        hearing = asyncio.ensure_future(_hear(asker, answers))
        try:
            # As a rule lines stand above a question.
            asker.write("session began")
            await asyncio.sleep(SETTLE_S)
            for act in attack.acts:
                await _do(act, place, asker, renderer)
            await asyncio.sleep(SETTLE_S)
            pictures = await _turned(place)
            scrolled = place.scrolled()
        finally:
            hearing.cancel()
            with suppress(asyncio.CancelledError):
                await hearing
    return Played(pictures, scrolled, tuple(place.misdeeds()), tuple(answers))


def is_asking(picture: Picture) -> bool:
    """Tell whether a question stands on the screen."""
    return all(any(row.startswith(beginning) for row in picture.rows) for beginning in ("│", "Allow "))


async def _do(act: a.Act, place: Place, asker: Asker, renderer: Renderer) -> None:
    match act:
        case a.Ask(view):
            asker.ask(view)
        case a.Close():
            asker.close_question()
        case a.Decide() | a.Result() | a.Reply() | a.Tail():
            _show(act, asker, renderer)
        case a.Type(keys, gap_s):
            for key in keys:
                place.send(key)
                await asyncio.sleep(gap_s)
        case a.Send(text):
            place.send(text)
        case a.Wait(seconds):
            await asyncio.sleep(seconds)
        case a.Stall(seconds, text):
            place.send(text)
            place.stall(seconds)
        case a.Resize(columns, rows):
            place.resize(columns, rows)
        case never:
            assert_never(never)


def _show(act: a.Decide | a.Result | a.Reply | a.Tail, asker: Asker, renderer: Renderer) -> None:
    match act:
        case a.Decide(tool, sent, reason):
            renderer.decision(asker, tool, sent, reason)
        case a.Result(tool, result):
            renderer.result(asker, tool, result)
        case a.Reply(text):
            renderer.reply(asker, text)
        case a.Tail(text):
            asker.tail(text)
        case never:
            assert_never(never)


async def _hear(asker: Asker, answers: list[str]) -> None:
    while True:
        match await asker.next():
            case h.AnswerGiven(said=said):
                answers.append(_named(said))
            case _:
                pass


def _named(said: h.Said) -> str:
    match said:
        case Approve():
            return "approved"
        case ApproveAndRaise():
            return "approved from now on"
        case Decline():
            return "declined"
        case h.Edited():
            return "edited"
        case h.Cancelled():
            return "cancelled"
        case never:
            assert_never(never)


async def _turned(place: Place) -> tuple[Picture, ...]:
    """Return a picture of each page from the one that is open on, or of the screen where nothing is asked."""
    pictures = [await _still(place)]
    while _has_more(pictures[-1]) and len(pictures) < MOST_PAGES:
        place.send(_PAGE_DOWN)
        pictures.append(await _still(place, pictures[-1]))
    return tuple(pictures)


async def _still(place: Place, other: Picture | None = None) -> Picture:
    """Return the first picture that stands still and is not the other one; the last, after some patience."""
    seen, still = place.picture(), 0
    for _ in range(PATIENCE):
        await asyncio.sleep(TURN_S)
        now = place.picture()
        still = still + 1 if now == seen != other else 0
        seen = now
        if still == STILL:
            break
    return seen


def _has_more(picture: Picture) -> bool:
    return is_asking(picture) and any(row.startswith("│") and "v more" in row for row in picture.rows)
