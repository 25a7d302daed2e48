"""Where what a person did came from: the process, and the channel."""

from typing import Final

import msgspec

ON_ASK: Final = "on-ask"
"""The channel of answers that an option gives, since nobody is there to be asked."""

TIMER: Final = "timer"
"""The channel of answers that nobody gave in time."""


class Origin(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where a person's act came from, as far as the machine can tell."""

    uid: int | None = None
    tty: str | None = None
    host: str | None = None
    chain: tuple[str, ...] = ()
