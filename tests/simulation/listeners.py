"""Hooks of the simulated session: they let pass, ask, block, rewrite and fail, as the dice say."""

import json
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from agentcli.engine.hooks import HookInput, Hooks, PythonHook


def hooks_of(dice: Random, meanwhile: Callable[[], Awaitable[None]]) -> Hooks:
    """Return the hooks of a process; most have none."""
    if dice.random() < 0.6:
        return Hooks()

    async def before(consulted: HookInput) -> dict[str, Any] | None:
        await meanwhile()
        match dice.randrange(10):
            case 0:
                return _specific(permissionDecision="deny")
            case 1 | 2:
                return _specific(permissionDecision="ask", permissionDecisionReason="careful")
            case 3:
                return _specific(updatedInput=_other(consulted.input))
            case 4:
                raise ZeroDivisionError
            case _:
                return None

    async def after(consulted: HookInput) -> dict[str, Any] | None:
        await meanwhile()
        match dice.randrange(5):
            case 0:
                return _specific(updatedToolOutput={"status": "ok", "redacted": True})
            case 1:
                return {"decision": "block"}
            case _:
                return None

    return Hooks(
        pre_tool=(PythonHook("careful", before, tools=("note", "send", "peek", "pry")),),
        post_tool=(PythonHook("reader", after, tools=("look", "note", "post", "pry")),),
    )


def _specific(**said: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": said}


def _other(input_text: str) -> dict[str, Any]:
    asked: dict[str, Any] = json.loads(input_text)
    return asked | {"what": f"{asked['what']} indeed"}
