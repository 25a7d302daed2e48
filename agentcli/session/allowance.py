"""What a run uses of its model, and what it may use up."""

import msgspec


class Usage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tokens of one model reply, as the service counted them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    @property
    def total(self) -> int:
        """All tokens together; that is what the limit counts."""
        return self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_write_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )


class RunLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one run may use up; 0 in `per_minute` is no limit. `cost_usd` is decimal text."""

    steps: int = 6
    tokens: int = 200_000
    cost_usd: str = "1.00"
    seconds: int = 600
    asks: int = 20
    irreversible: int = 3
    per_minute: int = 0
