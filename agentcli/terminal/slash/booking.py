"""Answers `/book`: shows an agent's book, or writes it into files, and says what was done."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from agentcli.agents.agent import Agent
from agentcli.counted import counted
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.slash.wishes import SaveBook, ShowBook
from agentcli.visible import visible_line

if TYPE_CHECKING:
    from agentcli.agents.view import View


class Page(Struct, frozen=True, kw_only=True):
    """What a book is drawn on: cells in a line, and whether colours, bars and rules may be drawn there."""

    width: int
    colour: bool
    shapes: bool


def answer_about_book(wish: ShowBook | SaveBook, agent: Agent, store: SqliteStore, today: date, page: Page) -> str:
    """Return lines that are safe to draw.

    Raises:
        StoreFailure: The store can't be read.
    """
    if agent.view is None:
        return f"{visible_line(agent.name)} keeps no book here: its tools act outside the store"
    with store.look() as tables:
        view = agent.view(tables, today)
    match wish:
        case ShowBook():
            # The first prompt does without what draws.
            from agentcli.terminal.slash.book import book_text  # noqa: PLC0415

            return book_text(view, page.width, colour=page.colour, shapes=page.shapes)
        case SaveBook(typed):
            return "\n".join(map(visible_line, _save(view, typed)))


def _save(view: "View", typed: str) -> Iterator[str]:
    from agentcli.terminal.slash.book_csv import csv_files  # noqa: PLC0415  # only where a file is named
    from agentcli.terminal.slash.saving import NotSaved, path_from, save_new  # noqa: PLC0415

    files = csv_files(view, path_from(typed))
    try:
        save_new([(Path(file.path), file.content) for file in files])
    except NotSaved as error:
        yield f"nothing was written: {error}"
        return
    for file in files:
        yield f"wrote {counted(file.rows, 'row')} to {file.path}"
    marked = sum(file.marked for file in files)
    if marked:
        cells = (
            "1 cell that a spreadsheet would take for a formula begins"
            if marked == 1
            else (f"{marked:,} cells that a spreadsheet would take for formulas begin")
        )
        yield f"{cells} with an apostrophe there"
