"""Tools with what each level says about them, as lines that are safe to draw. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.terminal.drawing.columns import whole
from agentcli.tools.risk import Risk

_HEADER: Final = ("tool", "risk", *(str(int(level)) for level in Level), "")


class ToolRow(Struct, frozen=True):
    """A tool in a list: what every level says about it, beginning with 0, and in a line what it does."""

    name: str
    risk: Risk
    says: Sequence[Decision]
    purpose: str


def table_lines(rows: Sequence[ToolRow], width: int) -> Iterator[str]:
    """Yield the table, what a tool does beside it where that fits, else below; as a list on narrow screens."""
    cells = [(row.name, row.risk, *row.says, row.purpose) for row in rows]
    return whole(_HEADER, cells, width=width, narrow=_without_columns)


def _without_columns(cells: Sequence[str]) -> list[str]:
    """Return a tool and its risk, and what the levels say: `deny 0 1 · ask 2 · allow 3 4`."""
    name, risk, *says = cells
    at = {said: " ".join(str(level) for level, other in enumerate(says) if other == said) for said in says}
    return [f"{name}: {risk}", " · ".join(f"{said} {levels}" for said, levels in at.items())]
