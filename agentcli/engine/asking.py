"""The request that follows from a state: which tools are offered, and whether calls may come back."""

from collections.abc import Sequence
from datetime import date

from agentcli.engine.settings import Settings
from agentcli.gate.autonomy import Level, effective_level
from agentcli.session.ports import Request, ToolOffer
from agentcli.session.state import State


def request_for(state: State, offers: Sequence[ToolOffer], settings: Settings, today: date) -> Request:
    """Return the next request.

    A tool whose level is 0 is not offered. A conversation that holds calls can't be sent without tools: then
    all of them are sent, and none may be called.
    """
    offered = [offer for offer in offers if _level(state, offer.name) is not Level.TALK]
    all_the_same = list(offers) if state.conversation.holds_calls else []
    return Request(
        session=state.session,
        model=state.model,
        max_tokens=settings.max_tokens,
        system=f"{settings.system}\n\nToday is {today.isoformat()}.".lstrip(),
        tools=offered or all_the_same,
        may_call=bool(offered),
        messages=state.conversation.messages(),
        today=today.isoformat(),
    )


def _level(state: State, tool: str) -> Level:
    return effective_level(state.level, state.tool_levels.get(tool))
