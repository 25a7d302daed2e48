"""A tool that takes something of everything."""

import enum
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from agentcli.tools.schema import Frozen, Misfit, schema_of


class Colour(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


def everything(
    *,
    text: str,
    whole: int = 0,
    ratio: float = 0.5,
    amount: Decimal | None = None,
    day: date | None = None,
    flag: bool = False,
    kind: Literal["tea", "coffee"] = "tea",
    colour: Colour = Colour.RED,
    names: list[str] | None = None,
    prices: dict[str, Decimal] | None = None,
    moment: datetime | None = None,
) -> None: ...


SCHEMA = schema_of("everything", everything, hidden=frozenset())


def read(member: str) -> Frozen | Misfit:
    """Read the input that has the required text and one more member."""
    return SCHEMA.read(f'{{"text":"tea",{member}}}')
