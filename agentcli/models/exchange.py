"""The end of a conversation as the offline model sees it: words and settled results since it last finished."""

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import msgspec

from agentcli.session.conversation import NOTE
from agentcli.session.ports import Request
from agentcli.tools.block_input import written_input
from agentcli.tools.offline import Exchange, Settled
from agentcli.tools.proposal import Proposal


class _Block(msgspec.Struct, frozen=True):
    type: str
    text: str = ""
    id: str = ""
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"{}")
    tool_use_id: str = ""
    content: "str | list[_Block]" = ""
    is_error: bool = False


class _Message(msgspec.Struct, frozen=True):
    role: str
    content: list[_Block]


_MESSAGE: Final = msgspec.json.Decoder(_Message)


def exchange_of(request: Request) -> Exchange:
    """Return what has been said and done since the last reply without calls; older messages are not read."""
    offered = frozenset(offer.name for offer in request.tools) if request.may_call else frozenset()
    proposals: dict[str, Proposal] = {}
    events: list[str | Settled] = []
    for message in _since_it_finished(request):
        for block in message.content:
            match message.role, block.type:
                case "user", "text" if not block.text.startswith(NOTE):
                    events.append(block.text)
                case "assistant", "tool_use":
                    proposals[block.id] = Proposal(block.name, written_input(bytes(block.input)))
                case "user", "tool_result":
                    events.append(Settled(proposals[block.tool_use_id], _result(block)))
                case _:
                    pass
    return Exchange(events=events, offered=offered, today=request.today)


def _since_it_finished(request: Request) -> Iterable[_Message]:
    latest: list[_Message] = []
    for raw in reversed(request.messages):
        message = _MESSAGE.decode(raw)
        if message.role == "assistant" and all(block.type != "tool_use" for block in message.content):
            break
        latest.append(message)
    return reversed(latest)


def _result(block: _Block) -> Mapping[str, Any]:
    """Return a result as a mapping; a hook may have made anything of it, which then stands under `output`.

    So does a result that was cut; whether the call failed is said beside it.
    """
    content = block.content
    text = content if isinstance(content, str) else "".join(part.text for part in content)
    try:
        result = json.loads(text, parse_float=_fraction, parse_int=_whole)
    except ValueError:
        result = text
    if isinstance(result, dict):
        return result
    return {"output": result} | ({"status": "failed", "isError": True} if block.is_error else {})


def _fraction(text: str) -> Decimal | str:
    """Return the number exactly, or as written where no Decimal holds it: a refused input may hold any number."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def _whole(text: str) -> int | str:
    """Return the number, or as written where it has more digits than Python reads."""
    try:
        return int(text)
    except ValueError:
        return text
