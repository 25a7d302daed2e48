"""What a reply costs: tokens times prices, exact; an unknown price is None, never 0."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from msgspec import Struct

from agentcli.session.allowance import Usage

MILLION: Final = 1_000_000


class Price(Struct, frozen=True):
    """What a model's tokens cost, in USD per million."""

    input: Decimal
    output: Decimal
    cache_read: Decimal
    cache_write: Decimal


def _usd(input: str, output: str, cache_read: str, cache_write: str) -> Price:
    return Price(Decimal(input), Decimal(output), Decimal(cache_read), Decimal(cache_write))


PLAYED_BACK: Final = "replay:"
"""How the names of models begin that play a recording back."""

FREE: Final = _usd("0", "0", "0", "0")

_OPUS: Final = _usd("5", "25", "0.50", "6.25")

KNOWN_PRICES: Final[Mapping[str, Price]] = {
    # model                       input  output  read  5-minute write
    "claude-sonnet-5":       _usd("2",   "10",   "0.20", "2.50"),
    "claude-opus-5":         _OPUS,
    "claude-opus-4-8":       _OPUS,
    "claude-opus-4-7":       _OPUS,
    "claude-opus-4-6":       _OPUS,
    "claude-opus-4-5":       _OPUS,
    "offline":               FREE,
    "offline:reckless":      FREE,
    "scripted":              FREE,
}  # fmt: skip
"""Prices known without a config.

Source: https://platform.claude.com/docs/en/about-claude/pricing and the models' own pages, as of November 2026.
Models that are priced by the length of the prompt are left out: one price would be wrong for them.
"""


def cost_usd(model: str, usage: Usage, prices: Mapping[str, Price] = KNOWN_PRICES) -> Decimal | None:
    """Return what a reply costs in USD, or None where nobody said what the model's tokens cost."""
    # What is played back was paid for when it was recorded.
    price = FREE if model.startswith(PLAYED_BACK) else prices.get(model)
    if price is None:
        return None
    total = (
        usage.input_tokens * price.input
        + usage.output_tokens * price.output
        + usage.cache_read_tokens * price.cache_read
        + usage.cache_write_tokens * price.cache_write
    )
    return total / MILLION
