"""A session as Markdown: what anybody said stands as code, in which nothing is markup, a link or a picture."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from agentcli.cli.sessions.passages import Kind, Passage
from agentcli.cli.sessions.summaries import Summary
from agentcli.visible import visible, visible_line

_TICKS: Final = re.compile("`+")


def markdown_lines(summary: Summary, passages: Iterable[Passage]) -> Iterator[str]:
    """Yield the lines of the page."""
    yield f"# {_code(summary.title or summary.id)}"
    yield ""
    yield f"- session {_code(summary.id)}, {summary.state}"
    yield f"- agent {_code(summary.agent)}, model {_code(summary.model)}, level {summary.level}"
    yield f"- from {local_time(summary.started_at)} to {local_time(summary.last_at)}"
    for passage in passages:
        yield ""
        if passage.kind is Kind.NOTE:
            yield f"{local_time(passage.at)} · {_code(passage.heading)}"
        else:
            yield f"## {_code(passage.heading)}"
            yield ""
            yield local_time(passage.at)
        if passage.text:
            yield ""
            yield from _block(visible(passage.text))


def local_time(at: datetime) -> str:
    """Return a time as it is here, to the second, with its distance from UTC."""
    return at.astimezone().isoformat(sep=" ", timespec="seconds")


def _code(text: str) -> str:
    """Return a line of text as code; the blanks inside are taken off again by who reads it."""
    ticks = _ticks_around(line := visible_line(text), least=1)
    return f"{ticks} {line} {ticks}" if line.startswith("`") or line.endswith("`") else f"{ticks}{line}{ticks}"


def _block(text: str) -> Iterator[str]:
    fence = _ticks_around(text, least=3)
    yield f"{fence}text"
    yield text
    yield fence


def _ticks_around(text: str, *, least: int) -> str:
    """Return more backticks than there are in a row within the text."""
    longest = max(map(len, _TICKS.findall(text)), default=0)
    return "`" * max(least, longest + 1)
