"""What a session's runs are run with."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from agentcli.session.allowance import RunLimits

DEFAULT_LIMITS: Final = RunLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The system prompt, tokens per reply, what one run may use, and how long a question stays open."""

    system: str
    max_tokens: int = 4096
    limits: RunLimits = DEFAULT_LIMITS
    expires_after: timedelta | None = None
