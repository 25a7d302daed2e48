"""Rich's Markdown, changed: addresses are shown, code is plain text, headings stand left, and tables fold."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Final

from markdown_it.token import Token
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType, RenderResult
from rich.markdown import Heading, ListItem, Markdown, MarkdownElement, TableElement, TextElement
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from agentcli.terminal.drawing.fold import fold

_AROUND: Final = 2  # blanks that come with a column of a table
_SET_IN: Final = 4  # blanks before code, and before what folds of it


class PlainCode(TextElement):
    """Code as it was written; a lexer chosen by the reply is not loaded for it."""

    style_name = "markdown.code_block"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the code, folded and set in."""
        lines = self.text.plain.rstrip("\n").split("\n")
        rows = (row for line in lines for row in _folded_code(line, options.max_width - _SET_IN))
        yield Padding(Text("\n".join(rows), overflow="fold"), (0, 0, 0, _SET_IN))


def _folded_code(line: str, width: int) -> list[str]:
    """Return a line of code as rows, all but the first set in deeper, which are no lines of their own."""
    deeper = len(line) - len(line.lstrip(" ")) + _SET_IN
    return fold(line, width, " " * min(deeper, width // 2))


class LeftHeading(Heading):
    """A heading that begins where all else begins."""

    LEVEL_ALIGN: ClassVar[dict[str, JustifyMethod]] = {}


class NumberedItem(ListItem):
    """An item of a list whose number reads as one."""

    def render_number(
        self, console: Console, options: ConsoleOptions, number: int, last_number: int
    ) -> RenderResult:
        """Yield the item behind its number and a dot."""
        numeral = f"{number}. ".rjust(len(str(last_number)) + 3)
        style = console.get_style("markdown.item.number", default="none")
        room = options.update(width=options.max_width - len(numeral))
        for at, row in enumerate(console.render_lines(self.elements, room, style=self.style)):
            yield Segment(" " * len(numeral) if at else numeral, style)
            yield from row
            yield Segment("\n")


class FoldingTable(TableElement):
    """A table that shows every word in full, and unbroken where that can be: else each row is lines of its own."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table."""
        for part in super().__rich_console__(console, options):
            if not isinstance(part, Table):
                yield part
                continue
            for column in part.columns:
                column.overflow = "fold"
                column.min_width = max(map(_least_width, (column.header, *column.cells)))
            needs = sum(_AROUND + (column.min_width or 0) for column in part.columns)
            if needs <= options.max_width:
                yield part
            else:
                yield from _one_below_the_other(part.columns)


def _one_below_the_other(columns: Sequence[Column]) -> Iterator[RenderableType]:
    """Yield each row as lines of a heading and a cell, with an empty line between two rows."""
    for number, cells in enumerate(zip(*(column.cells for column in columns), strict=True)):
        rows = Table.grid(padding=(0, 2, 0, 1))
        rows.add_column(overflow="fold")
        rows.add_column(overflow="fold", ratio=1)
        for column, cell in zip(columns, cells, strict=True):
            if _least_width(cell):
                rows.add_row(_from_the_left(column.header), _from_the_left(cell))
        if number:
            yield ""
        yield rows


def _from_the_left(cell: RenderableType) -> Text:
    assert isinstance(cell, Text)
    return Text.assemble(cell, justify="left")


def _least_width(cell: RenderableType) -> int:
    """Return the cells of the longest word; characters of two cells may stand in different rows."""
    words = "".join(f"{sign} " if cell_len(sign) > 1 else sign for sign in str(cell)).split()
    return max(map(cell_len, words), default=0)


class SeenMarkdown(Markdown):
    """Markdown from tokens that have been made safe to draw."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "fence": PlainCode,
        "code_block": PlainCode,
        "heading_open": LeftHeading,
        "list_item_open": NumberedItem,
        "table_open": FoldingTable,
    }

    def __init__(self, tokens: Iterable[Token]) -> None:
        super().__init__("", hyperlinks=False)
        self.parsed = list(tokens)
