"""The offline model: rules, not intelligence. It needs no network and no key, and a person can play it."""

import hashlib
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Final

from msgspec import Struct, field

from agentcli.models.exchange import exchange_of
from agentcli.models.stream import Call, stream_blocks
from agentcli.models.typed_calls import typed_calls
from agentcli.session.allowance import Usage
from agentcli.session.ports import ModelEvent, ReplyFinished, Request
from agentcli.tools.offline import Exchange, OfflineReply, Settled
from agentcli.tools.proposal import Proposal

Rules = Callable[[Exchange], OfflineReply]

CHUNK_CHARACTERS: Final = 12
LONGEST_REPORT: Final = 200

_NO_TOOLS: Final = "No tools are offered to me at this level, so I can't call any."
_NOT_IN_A_REPORT: Final = frozenset(
    {"status", "isError", "errorCategory", "isRetryable", "message", "attempted", "next"}
)


class OfflineModel:
    """Follows an agent's rules, and makes the calls that a person types."""

    def __init__(self, rules: Rules, *, name: str = "offline") -> None:
        self.name = name
        self._rules = rules

    async def reply(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        """Stream the reply that the rules give; the same request always gets the same one."""
        said = answer(exchange_of(request), self._rules)
        calls = [Call(_call_id(request, index), proposal) for index, proposal in enumerate(said.proposals)]
        for event in stream_blocks(said.text, calls, chunk=CHUNK_CHARACTERS):
            yield event
        yield ReplyFinished("tool_use" if calls else "end_turn", Usage())


def answer(exchange: Exchange, rules: Rules) -> OfflineReply:
    """Return what to say next: typed calls first, one message of them at a time, then the agent's rules."""
    typed, rest = _apart(exchange)
    waiting = next((one for one in typed if one.waits), None)
    if waiting is not None and exchange.offered:
        return OfflineReply("", waiting.proposals)
    reports = [_report(result) for one in typed for result in one.results]
    if waiting is not None:
        reports.append(_NO_TOOLS)
    if typed and not any(isinstance(event, str) for event in rest.events):
        return OfflineReply("\n".join(reports))
    ruled = rules(rest)
    proposals = ruled.proposals if exchange.offered else ()
    text = ruled.text if proposals else "\n".join(filter(None, (*reports, ruled.text)))
    return OfflineReply(text, proposals)


class _Typed(Struct):
    """A message of typed calls, and the results that have come for them."""

    proposals: tuple[Proposal, ...]
    results: list[Settled] = field(default_factory=list)

    @property
    def waits(self) -> bool:
        return not self.results

    def expects(self, settled: Settled) -> bool:
        got = [result.proposal for result in self.results]
        return got.count(settled.proposal) < self.proposals.count(settled.proposal)


def _apart(exchange: Exchange) -> tuple[Sequence[_Typed], Exchange]:
    """Return the messages of typed calls with their results, and the exchange without them."""
    typed: list[_Typed] = []
    others: list[str | Settled] = []
    for event in exchange.events:
        if isinstance(event, str):
            proposals = typed_calls(event, exchange.offered)
            if proposals:
                typed.append(_Typed(proposals))
                continue
        else:
            expecting = next((one for one in typed if one.expects(event)), None)
            if expecting is not None:
                expecting.results.append(event)
                continue
        others.append(event)
    return typed, Exchange(events=others, offered=exchange.offered, today=exchange.today)


def _report(settled: Settled) -> str:
    """Return in one line what came back from a call."""
    result = settled.result
    status = result.get("status", "ok")
    if result.get("message"):
        told = str(result["message"])
    else:
        fields = {
            name: value for name, value in result.items() if name not in _NOT_IN_A_REPORT and value is not None
        }
        told = json.dumps(fields, ensure_ascii=False, default=float) if fields else ""
    line = f"{settled.proposal.tool}: {status}" + (f" · {told}" if told else "")
    return line if len(line) <= LONGEST_REPORT else line[:LONGEST_REPORT] + " …"


def _call_id(request: Request, index: int) -> str:
    """Return an id that no other call of the session has: the conversation only grows."""
    last = request.messages[-1] if request.messages else b""
    seed = f"{request.session}\n{len(request.messages)}\n{index}\n".encode() + last
    return f"call_{hashlib.sha256(seed).hexdigest()[:12]}"
