"""What rich draws, as text: nothing in it is read as markup of rich's own, and the environment plays no part."""

import io
from collections.abc import Iterable
from typing import Literal

from rich.console import Console, RenderableType


def drawn(
    parts: Iterable[RenderableType], *, width: int, colour: bool, overflow: Literal["fold"] | None = None
) -> str:
    """Return what rich makes of the parts: lines of at most `width` cells, which may end in blanks.

    Args:
        overflow: What is done with words that are too long for a line, where a part does not say so itself.
    """
    written = io.StringIO()
    console = Console(
        file=written,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
        _environ={},
    )
    for part in parts:
        console.print(part, overflow=overflow)
    return written.getvalue()
