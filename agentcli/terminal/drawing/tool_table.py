"""Tools with what each level says about them, as lines that are safe to draw. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.terminal.drawing.columns import aligned
from agentcli.terminal.drawing.fold import cell_width, fold
from agentcli.tools.risk import Risk
from agentcli.visible import visible_line

_INDENT: Final = "  "
_HEADER: Final = ("tool", "risk", *(str(int(level)) for level in Level))


class ToolRow(Struct, frozen=True):
    """A tool in a list: what every level says about it, beginning with 0, and in a line what it does."""

    name: str
    risk: Risk
    says: Sequence[Decision]
    purpose: str


def table_lines(rows: Sequence[ToolRow], width: int) -> Iterator[str]:
    """Yield the table, what a tool does beside it where that fits, else below; as a list on narrow screens."""
    alone = [_HEADER, *((row.name, row.risk, *row.says) for row in rows)]
    purposes = ["", *(row.purpose for row in rows)]
    beside = aligned([(*cells, purpose) for cells, purpose in zip(alone, purposes, strict=True)], width=None)
    above = aligned([(*cells, "") for cells in alone], width=None)
    if max(map(cell_width, beside)) <= width:
        yield from beside
    elif max(map(cell_width, above)) <= width:
        for line, purpose in zip(above, purposes, strict=True):
            yield line
            yield from _folded(purpose, width)
    else:
        for row in rows:
            yield from fold(f"{visible_line(row.name)}: {row.risk}", width)
            yield from _folded(_by_decision(row.says), width)
            yield from _folded(row.purpose, width)


def _folded(text: str, width: int) -> Iterator[str]:
    """Yield a text that stands below what it is about, nothing where there is none."""
    if text:
        yield from (_INDENT + line.rstrip() for line in fold(visible_line(text), width - len(_INDENT)))


def _by_decision(says: Sequence[Decision]) -> str:
    """Return what the levels say, which of them deny, ask and allow: `deny 0 1 · ask 2 · allow 3 4`."""
    at = {said: " ".join(str(level) for level, other in enumerate(says) if other == said) for said in says}
    return " · ".join(f"{said} {levels}" for said, levels in at.items())
