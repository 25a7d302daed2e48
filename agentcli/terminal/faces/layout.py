"""The screen's windows: the open block, the question or a list, the input line, and the status line."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import ConditionalContainer, Dimension, HSplit, Layout, VerticalAlign, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl

from agentcli.terminal.drawing.styled import Line, Style
from agentcli.terminal.faces.marking import Marks
from agentcli.terminal.faces.picture import BELOW_PROMPT, Picture
from agentcli.terminal.faces.widths import reckon_alike

_STYLES: Final = {
    Style.PLAIN: "",
    Style.FAINT: "fg:ansibrightblack",
    Style.STRONG: "bold",
    Style.GOOD: "fg:ansigreen",
    Style.CARE: "fg:ansiyellow",
    Style.BAD: "fg:ansired",
}


class Parts(Struct, frozen=True):
    """The layout, and the window of the question, which must be seen in full before it can be answered."""

    layout: Layout
    card: Window


def build(picture: Picture, buffer: Buffer) -> Parts:
    """Return the layout around the buffer of the input line."""
    reckon_alike()
    card = _text_window(picture.card)
    line = Window(
        BufferControl(buffer, input_processors=[Marks()]),
        wrap_lines=True,
        get_line_prefix=lambda number, wrapped: picture.prompt() if number == wrapped == 0 else BELOW_PROMPT,
        dont_extend_height=True,
        height=lambda: Dimension(min=1, max=picture.line_rows()),
    )
    status = Window(
        FormattedTextControl(lambda: _fragments([picture.status()])), height=1, dont_extend_height=True
    )
    above = [
        _when_filled(_text_window(picture.tail), picture.tail),
        _when_filled(card, picture.card),
        _when_filled(_text_window(picture.choices), picture.choices),
    ]
    root = HSplit([*above, line, status], align=VerticalAlign.TOP)
    return Parts(Layout(root, focused_element=line), card)


def _text_window(lines: Callable[[], Sequence[Line]]) -> Window:
    control = FormattedTextControl(lambda: _fragments(lines()))
    return Window(control, dont_extend_height=True, height=lambda: Dimension.exact(len(lines())))


def _when_filled(window: Window, lines: Callable[[], Sequence[Line]]) -> ConditionalContainer:
    return ConditionalContainer(window, Condition(lambda: bool(lines())))


def _fragments(lines: Sequence[Line]) -> StyleAndTextTuples:
    fragments: StyleAndTextTuples = []
    for at, line in enumerate(lines):
        fragments += [("", "\n")] if at else []
        fragments += [(_STYLES[span.style], span.text) for span in line]
    return fragments
