"""What can make a whole reply unusable, whatever it says."""

import re
from collections.abc import Container, Sequence
from typing import Final

import msgspec

from agentcli.session.conversation import read_block

_CALL_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


def fault_in(blocks: Sequence[bytes], used_ids: Container[str]) -> str | None:
    """Return why nothing of a reply may run: call ids that are malformed, used before, or equal to another's."""
    seen: set[str] = set()
    for raw in blocks:
        try:
            block = read_block(raw)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return "a content block is not one"
        if block.type != "tool_use":
            continue
        if not _CALL_ID.fullmatch(block.id):
            return "a call id is malformed"
        if block.id in seen or block.id in used_ids:
            return "a call id was used before"
        seen.add(block.id)
    return None
