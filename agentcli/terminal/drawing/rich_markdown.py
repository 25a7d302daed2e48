"""Rich's Markdown, changed: addresses are shown, code is plain text, and tables fold instead of cutting."""

from collections.abc import Iterable
from typing import ClassVar

from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown, MarkdownElement, TableElement, TextElement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text


class PlainCode(TextElement):
    """Code as it was written; a lexer chosen by the reply is not loaded for it."""

    style_name = "markdown.code_block"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the code, folded and set in."""
        yield Padding(Text(self.text.plain.rstrip("\n"), overflow="fold"), (0, 0, 0, 4))


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
        "table_open": FoldingTable,
    }

    def __init__(self, tokens: Iterable[Token]) -> None:
        super().__init__("", hyperlinks=False)
        self.parsed = list(tokens)
