"""What a session's runs are run with."""

from datetime import timedelta
from typing import Final

from msgspec import Struct

from agentcli.session.allowance import RunLimits

DEFAULT_LIMITS: Final = RunLimits()


class Settings(Struct, frozen=True, kw_only=True):
    """The system prompt, tokens per reply, what one run may use, and how long a question stays open."""

    system: str
    max_tokens: int = 4096
    limits: RunLimits = DEFAULT_LIMITS
    expires_after: timedelta | None = None
