"""Rich's Markdown, changed: addresses are shown, code is plain text, headings stand left, and tables fold."""

from collections.abc import Iterable
from typing import ClassVar

from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderResult
from rich.markdown import Heading, ListItem, Markdown, MarkdownElement, TableElement, TextElement
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text


class PlainCode(TextElement):
    """Code as it was written; a lexer chosen by the reply is not loaded for it."""

    style_name = "markdown.code_block"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the code, folded and set in."""
        yield Padding(Text(self.text.plain.rstrip("\n"), overflow="fold"), (0, 0, 0, 4))


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
    """A table that shows every word in full."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table."""
        parts = list(super().__rich_console__(console, options))
        for column in (column for part in parts if isinstance(part, Table) for column in part.columns):
            column.overflow = "fold"
        yield from parts


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
