"""Lines as a picture: an SVG that needs nothing from elsewhere, legible on light and on dark. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape

from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.drawing.styled import Line, Style, plain

CELL: Final = 8.4
"""The width of a cell in the picture's units; every piece of text is stretched to its cells, whatever the font."""

LINE: Final = 19
MARGIN: Final = 14
SIZE: Final = 14

_CLASSES: Final = {
    Style.FAINT: "faint",
    Style.STRONG: "strong",
    Style.GOOD: "good",
    Style.CARE: "care",
    Style.BAD: "bad",
}

# The picture brings its own ground for both, so that it reads on any page.
_SHEET: Final = """\
.ground{fill:#ffffff;stroke:#d0d7de}
text{fill:#1f2328;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;\
white-space:pre}
.faint{fill:#59636e}.strong{font-weight:bold}.good{fill:#116329}.care{fill:#7d4e00}.bad{fill:#b3151d}
@media (prefers-color-scheme:dark){
.ground{fill:#0d1117;stroke:#30363d}text{fill:#e6edf3}
.faint{fill:#9198a1}.good{fill:#3fb950}.care{fill:#d29922}.bad{fill:#ff7b72}
}"""

# What no XML 1.0 document may hold, not even as a reference.
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def picture(lines: Sequence[Line], *, columns: int, title: str) -> str:
    """Return the lines as an SVG document.

    Args:
        columns: Cells in a line; a longer line makes the picture wider.
        title: What the picture is said to show, for those who can't see it.
    """
    widest = max([columns, *(cell_width(plain(line)) for line in lines)])
    width, height = round(widest * CELL + 2 * MARGIN), len(lines) * LINE + 2 * MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-size="{SIZE}" xml:space="preserve">'
    )
    ground = f'<rect class="ground" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>'
    parts = [head, f"<title>{_written(title)}</title>", f"<style>{_SHEET}</style>", ground]
    for row, line in enumerate(lines):
        parts += _pieces(line, y=MARGIN + row * LINE + SIZE)
    return "\n".join([*parts, "</svg>", ""])


def _pieces(line: Line, *, y: int) -> Iterator[str]:
    """Yield the line's pieces that show anything, each where its cells begin."""
    at = 0
    for span in line:
        cells = cell_width(span.text)
        lead = len(span.text) - len(span.text.lstrip(" "))
        text = span.text.strip(" ")
        if text:
            kind = f' class="{_CLASSES[span.style]}"' if span.style in _CLASSES else ""
            x, length = MARGIN + (at + lead) * CELL, cell_width(text) * CELL
            fitted = f' textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs"' if length else ""
            yield f'<text x="{x:.1f}" y="{y}"{fitted}{kind}>{_written(text)}</text>'
        at += cells


def _written(text: str) -> str:
    return escape(_NO_XML.sub("\ufffd", text))
