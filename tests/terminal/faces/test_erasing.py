"""The frame on terminals that draw characters in other widths than they are reckoned with."""

import asyncio
import re

import pyte
import pytest

from agentcli.terminal.drawing.styled import plain
from agentcli.terminal.question.frame import lay_out
from tests.terminal.bench import Bench
from tests.terminal.pty_screen import PAGE_DOWN
from tests.terminal.views import view_of

NARROWER = str.maketrans(dict.fromkeys(map(chr, range(0x1F1E6, 0x1F200)), "#"))
"""A terminal that draws half a flag in one cell."""

WIDER = str.maketrans({"\u093e": "#"})
"""A terminal that draws a vowel sign of Hindi in a cell of its own."""


def seen_by(written: str, drawn_as: dict[int, str]) -> list[str]:
    """The rows that such a terminal shows."""
    screen = pyte.Screen(80, 24)
    pyte.Stream(screen).feed(re.sub(r"\n(?<!\r\n)", "\r\n", written.translate(drawn_as)))
    return [row.rstrip() for row in screen.display if row.strip()]


async def test_the_cursor_stands_behind_the_vowels_of_a_line(bench: Bench) -> None:
    """A vowel sign takes a cell of its own in tmux and many others; the cursor stands where the next letter goes."""
    line = "चाय abc"
    bench.keys.send_text(line)
    await bench.written_until("abc")
    screen = pyte.Screen(80, 24)
    pyte.Stream(screen).feed(bench.written.getvalue().translate(WIDER))
    assert screen.display[0].rstrip() == f"> {line}".translate(WIDER)
    assert (screen.cursor.y, screen.cursor.x) == (0, len("> " + line))


async def test_a_line_with_vowels_is_folded_in_time(bench: Bench) -> None:
    """No letter is drawn over another at the end of a row."""
    line = "चाय " * 30
    bench.keys.send_text(line)
    async with asyncio.timeout(60):
        while "".join(seen_by(bench.written.getvalue(), WIDER)).count("#") < 30:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("row", "drawn_as"),
    [("🇩🇪 tea {} 🇫🇷 abc", NARROWER), ("चाय {} चाय चाय abc", WIDER)],
    ids=["narrower", "wider"],
)
async def test_a_page_is_drawn_into_no_other(bench: Bench, row: str, drawn_as: dict[int, str]) -> None:
    """After turning it shows what it says, and nothing of the page before."""
    rows = "\\n".join(row.format("x" * (at % 7)) for at in range(40))
    changes = {"tool": "save_note", "input": f'{{"text":"{rows}"}}'}
    await bench.ask(**changes)
    for page in (1, 2):
        bench.keys.send_text(PAGE_DOWN)
        await bench.written_until(f"page {page + 1} of")
        card = lay_out(view_of(**changes), width=80, height=20)
        shown = [plain(line).translate(drawn_as).rstrip() for line in card.lines(page)]
        assert seen_by(bench.written.getvalue(), drawn_as)[: len(shown)] == shown
