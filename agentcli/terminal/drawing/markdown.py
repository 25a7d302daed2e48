"""One finished block of a reply, drawn as Markdown; nothing in it is hidden or taken for our own markup."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from agentcli.terminal.drawing.fold import fold
from agentcli.visible import visible, visible_line

if TYPE_CHECKING:
    from markdown_it.token import Token

# Without these signs, and beginning like a sentence, a block is the same with and without Markdown.
_MAY_BE_MARKUP: Final = re.compile(r"[*_`#<>\[\]|~\\!]|^(?: {4}|\t|\s*(?:[-+=]|\d+[.)]))", re.MULTILINE)
# What would hide something: entities and references can bring in text that is not seen, HTML is not drawn at all.
_SWITCHED_OFF: Final = ["entity", "html_inline", "html_block", "reference", "image"]
_FEW: Final = 3
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_BLANK_END: Final = re.compile(r"(?: |\x1b\[[0-9;]*m)+\Z")


def draw_block(block: str, *, width: int, colour: bool) -> str:
    """Return the block as lines of at most `width` cells, each with its line end."""
    if _MAY_BE_MARKUP.search(block) is None:
        return _draw_sentences(block, width)
    # Imported here: rich takes 80 ms, and many replies are plain sentences.
    from agentcli.terminal.drawing.rich_markdown import SeenMarkdown  # noqa: PLC0415
    from agentcli.terminal.drawing.rich_text import drawn  # noqa: PLC0415

    text = drawn([SeenMarkdown(_read(block))], width=width, colour=colour)
    # Rich fills rows with blanks, which would fold in a window that becomes narrower, and has rows of them alone.
    rows = [_BLANK_END.sub(_colours_alone, row) for row in text.split("\n")]
    seen = [at for at, row in enumerate(rows) if _COLOUR.sub("", row)]
    return "\n".join(rows[seen[0] : seen[-1] + 1] if seen else ()) + "\n"


def _colours_alone(end: re.Match[str]) -> str:
    return end[0].replace(" ", "")


def _draw_sentences(block: str, width: int) -> str:
    text = visible("\n".join(line.strip() for line in block.split("\n")))
    return "".join(piece.rstrip(" ") + "\n" for line in text.split("\n") for piece in fold(line, width))


def _read(block: str) -> list["Token"]:
    from markdown_it import MarkdownIt  # noqa: PLC0415  # as slow as rich

    tokens = MarkdownIt("commonmark").enable(["strikethrough", "table"]).disable(_SWITCHED_OFF).parse(block)
    _show(tokens)
    return tokens


def _show(tokens: Iterable["Token"]) -> None:
    """Make what the tokens say safe to draw; done after parsing, so that nothing can become markup or slip by."""
    for token in tokens:
        if token.type == "softbreak":
            # A line ends where its writer ended it, as it does in a block without markup.
            token.type = "hardbreak"
        if token.type in ("fence", "code_block"):
            token.content = _code(token.content)
        elif token.children:
            _show(token.children)
            token.children = list(_addresses_once(token.children))
        else:
            token.content = _piece(token.content)
        token.attrs = {name: _attribute(value) for name, value in token.attrs.items()}


def _addresses_once(tokens: Sequence["Token"]) -> Iterator["Token"]:
    """Yield the tokens of a line without the links that are called as they lead: their name says it all."""
    is_plain = False
    for at, token in enumerate(tokens):
        if token.type == "link_open":
            within = tokens[at + 1 : at + 3]
            is_one_name = [one.type for one in within] == ["text", "link_close"]
            is_plain = is_one_name and within[0].content == token.attrs.get("href")
        if not (is_plain and token.type in ("link_open", "link_close")):
            yield token


def _code(text: str) -> str:
    # The first line of a text may not begin with blanks unmarked, but a line of code may: give it one before.
    return visible("-\n" + text.rstrip("\n")).removeprefix("-\n")


def _piece(text: str) -> str:
    """Return a stretch between two marks of emphasis; the blanks at its ends are inside the sentence."""
    core = text.strip(" ")
    before, after = len(text) - len(text.lstrip(" ")), len(text) - len(text.rstrip(" "))
    if not core or max(before, after) > _FEW:
        return visible_line(text) if len(text) > _FEW else text
    return " " * before + visible_line(core) + " " * after


def _attribute(value: Any) -> Any:
    return visible_line(value) if isinstance(value, str) else value
