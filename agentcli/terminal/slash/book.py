"""Draws an agent's book: tables that fold instead of cutting, and bars beside what they stand for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich import box
from rich.bar import Bar as RichBar
from rich.console import RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from agentcli.agents.view import Chart, Column, Kind, Table, View
from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.drawing.rich_text import drawn
from agentcli.visible import visible, visible_line

MOST_ROWS: Final = 40
"""The latest rows of a table that are drawn; a file gets them all."""

TEXT_CELLS: Final = 8
"""Cells that a column of text should have before others are left out for it."""

LEAST_BAR: Final = 8
MOST_BAR: Final = 48
_GAP: Final = 2
_END: Final = re.compile(r"(?: |\x1b\[[0-9;]*m)+$")
"""Blanks at the end of a line, and the colours that begin and end among them."""


def book_text(view: View, width: int, *, colour: bool, shapes: bool) -> str:
    """Return the book as lines that are safe to draw.

    Args:
        width: Cells in a line.
        shapes: Whether to draw bars and rules; read out or written to a file, words and numbers have to do.
    """
    parts = _parts(view, width, shapes=shapes)
    text = drawn(parts, width=width, colour=colour, overflow="fold")
    return "\n".join(_END.sub(lambda end: end[0].replace(" ", ""), line) for line in text.rstrip().split("\n"))


def _parts(view: View, width: int, *, shapes: bool) -> Iterator[RenderableType]:
    for table in view.tables:
        yield from _table(table, width, shapes=shapes)
    for chart in view.charts:
        yield Text(visible_line(chart.title), style="bold")
        yield _chart(chart, width, shapes=shapes)
        yield Text()
    for line in view.sums:
        yield Text(visible_line(line))


def _table(table: Table, width: int, *, shapes: bool) -> Iterator[RenderableType]:
    name = visible_line(table.name)
    if not table.rows:
        yield Text(f"{name}: none")
        yield Text()
        return
    rows = [tuple(map(visible, row)) for row in table.rows[-MOST_ROWS:]]
    needs = [_needs(column, [row[number] for row in rows]) for number, column in enumerate(table.columns)]
    kept = _kept(table.columns, needs, width)
    yield Text(name, style="bold")
    if _together(needs, kept) <= width:
        yield _side_by_side(table.columns, rows, {number: needs[number] for number in kept}, shapes=shapes)
    else:
        kept = list(range(len(table.columns)))
        for number, row in enumerate(rows):
            yield from [Text()] if number else []
            yield _one_below_the_other(table.columns, row)
    yield from map(Text, _left_out(table, kept))
    yield Text()


def _side_by_side(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], needs: Mapping[int, int], *, shapes: bool
) -> RenderableType:
    """Return a table of the columns of which the needs are told."""
    # The rule below the headings takes a cell between columns.
    padding = (0, _GAP - 1 if shapes else _GAP, 0, 0)
    drawn = RichTable(box=box.SIMPLE_HEAD if shapes else None, pad_edge=False, show_edge=False, padding=padding)
    for number, least in needs.items():
        column = columns[number]
        drawn.add_column(
            _heading(column),
            justify="right" if column.kind is Kind.NUMBER else "left",
            no_wrap=column.kind is not Kind.TEXT,
            overflow="fold",
            min_width=least,
        )
    for row in rows:
        drawn.add_row(*(Text(row[number]) for number in needs))
    return drawn


def _one_below_the_other(columns: Sequence[Column], row: Sequence[str]) -> RenderableType:
    """Return a row as lines of their own, for a screen on which no two columns have room."""
    drawn = RichTable.grid(padding=(0, _GAP, 0, 0))
    drawn.add_column(style="dim")
    drawn.add_column(overflow="fold")
    for column, cell in zip(columns, row, strict=True):
        if cell:
            drawn.add_row(Text(column.title), Text(cell))
    return drawn


def _left_out(table: Table, kept: Sequence[int]) -> Iterator[str]:
    """Yield what a table does not show, and where it is shown."""
    earlier = len(table.rows) - MOST_ROWS
    if earlier > 0:
        yield f"{earlier:,} more above these; /book csv FILE writes all"
    gone = [column.title for number, column in enumerate(table.columns) if number not in kept]
    if gone:
        yield f"no room for: {', '.join(gone)}"


def _kept(columns: Sequence[Column], needs: Sequence[int], width: int) -> list[int]:
    """Return the numbers of the columns that there is room for; those that may go go from the right."""
    kept = list(range(len(columns)))
    for number in reversed(range(len(columns))):
        if _together(needs, kept) > width and columns[number].may_go:
            kept.remove(number)
    return kept


def _together(needs: Sequence[int], kept: Sequence[int]) -> int:
    return sum(needs[number] + _GAP for number in kept) - _GAP


def _needs(column: Column, cells: Sequence[str]) -> int:
    """Return the cells that a column can't do without: all of a word or a number, of a text some."""
    heading = cell_width(_heading(column))
    longest = max(cell_width(line) for cell in cells for line in cell.split("\n"))
    return max(heading, min(longest, TEXT_CELLS) if column.kind is Kind.TEXT else longest)


def _heading(column: Column) -> str:
    return "" if column.kind is Kind.UNIT else column.title


def _chart(chart: Chart, width: int, *, shapes: bool) -> RenderableType:
    longest = max(bar.length for bar in chart.bars)
    number = max(cell_width(bar.shown) for bar in chart.bars)
    label = min(max(cell_width(visible_line(bar.label)) for bar in chart.bars), max(width // 3, TEXT_CELLS))
    room = min(width - label - number - 2 * _GAP, MOST_BAR)
    drawn = RichTable.grid(padding=(0, _GAP, 0, 0))
    drawn.add_column(width=label, overflow="fold")
    drawn.add_column(width=number, justify="right", overflow="fold")
    for bar in chart.bars:
        row: list[RenderableType] = [Text(visible_line(bar.label)), Text(visible_line(bar.shown))]
        if shapes and room >= LEAST_BAR:
            row.append(RichBar(float(longest) or 1.0, 0, float(bar.length), width=room, color="cyan"))
        drawn.add_row(*row)
    return drawn
