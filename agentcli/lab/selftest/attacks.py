"""All attacks, those on the eye before those on the hand."""

from typing import Final

from agentcli.lab.selftest import frames, keys, padding, sequences, unseen
from agentcli.lab.selftest.attack import Attack

ATTACKS: Final[tuple[Attack, ...]] = (
    *sequences.ATTACKS,
    *frames.ATTACKS,
    *padding.ATTACKS,
    *unseen.ATTACKS,
    *keys.ATTACKS,
)
