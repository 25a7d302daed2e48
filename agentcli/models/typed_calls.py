"""Calls that a person types, so that a person can play the model: `call TOOL {json}`, several joined by ` & `."""

import json
import re
from collections.abc import Container
from typing import Final

from agentcli.tools.proposal import Proposal

_CALL: Final = r"call\s+([A-Za-z0-9_-]{1,64})(?=[\s{]|$)"
_HEAD: Final = re.compile(_CALL, re.IGNORECASE)
_JOINT: Final = re.compile(rf"\s+&\s+(?={_CALL})", re.IGNORECASE)
_DECODER: Final = json.JSONDecoder()


def typed_calls(text: str, offered: Container[str]) -> tuple[Proposal, ...]:
    """Return the calls that the text consists of; none if it is anything else, such as "call my bank".

    Each input is exactly what was typed, also where it is no JSON; nothing typed stands for `{}`. Without an
    opening brace it is a call only if the tool is one of those offered.
    """
    calls = []
    rest = text.strip()
    while rest:
        head = _HEAD.match(rest)
        if head is None:
            return ()
        written, rest = _split_after_input(rest[head.end() :])
        if not written.startswith("{") and head[1] not in offered:
            return ()
        calls.append(Proposal(head[1], written or "{}"))
    return tuple(calls)


def _split_after_input(text: str) -> tuple[str, str]:
    """Return the input and what follows the joint behind it; a joint inside a JSON string is none."""
    end = _end_of_json(text)
    joint = _JOINT.match(text, end) or (_JOINT.search(text) if text[end:] else None)
    return (text.strip(), "") if joint is None else (text[: joint.start()].strip(), text[joint.end() :])


def _end_of_json(text: str) -> int:
    """Return where the JSON at the beginning of the text ends, 0 if there is none."""
    try:
        return _DECODER.raw_decode(text, len(text) - len(text.lstrip()))[1]
    except (ValueError, RecursionError):
        return 0
