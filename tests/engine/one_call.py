"""One call of one tool, run by the executor without a session around it."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from agentcli.engine.executor import Executor, LeftBehind
from agentcli.engine.permits import Permit
from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session.call import Call, digest_of
from agentcli.session.entries import Decided, Finished, Suspended
from agentcli.tools.tool import Acts, Tool
from agentcli.tools.toolset import Toolset
from tests.fakes import FakeClock, FakeStore


def declared(function: Callable[..., Any], risk: str = "irreversible", acts: Acts = Acts.ELSEWHERE, **options: Any) -> Tool:  # fmt: skip
    tools = Toolset("garage", acts=acts)
    getattr(tools, risk)(**options)(function)
    (tool,) = tools
    return tool


def executor(tool: Tool, clock: FakeClock | None = None, **more: Any) -> Executor:
    references = iter(f"r{number}" for number in range(1, 9))
    return Executor({tool.name: tool}, {"currency": "EUR"}, clock or FakeClock(), references.__next__, **more)


def a_call(tool: Tool, text: str = "{}", **changed: Any) -> Call:
    decided = Decided(
        "t1", tool.name, text, digest_of(tool.name, text), tool.risk, Level.ALONE, Decision.ALLOW, verdicts=()
    )
    return replace(Call("t1", tool.name, text, 1, 1, decided=decided, fresh=True), **changed)


def a_permit(tool: Tool, text: str = "{}") -> Permit:
    return Permit("t1", tool.name, digest_of(tool.name, text))


def in_store(tool: Tool, text: str = "{}", *, store: FakeStore | None = None, **more: Any) -> Finished | Suspended:
    with (store or FakeStore()).transaction() as transaction:
        return executor(tool, **more).run_in_store(a_permit(tool, text), a_call(tool, text), transaction)


async def elsewhere(tool: Tool, text: str = "{}", **more: Any) -> Finished | Suspended | LeftBehind:
    return await executor(tool, **more).run_elsewhere(a_permit(tool, text), a_call(tool, text))


async def both_ways(function: Callable[..., Any], risk: str = "irreversible", text: str = "{}", clock: FakeClock | None = None, **options: Any) -> list[Finished]:  # fmt: skip
    """What comes of a plain function as a tool of the store, and as one that acts elsewhere."""
    entries = [
        in_store(declared(function, risk, Acts.IN_STORE, **options), text, clock=clock),
        await elsewhere(declared(function, risk, **options), text, clock=clock),
    ]
    assert all(isinstance(entry, Finished) for entry in entries), entries
    return [entry for entry in entries if isinstance(entry, Finished)]


def result_of(entry: object) -> dict[str, Any]:
    assert isinstance(entry, Finished), entry
    result: dict[str, Any] = msgspec.json.decode(entry.result)
    return result


def raising(error: BaseException) -> Callable[[], Any]:
    def broken() -> Any:
        raise error

    return broken


def returning(value: Any) -> Callable[[], Any]:
    def plain() -> Any:
        return value

    return plain


FORM: dict[str, Any] = {"type": "object", "properties": {"order": {"type": "string"}}}


async def hang() -> Any:
    await asyncio.Event().wait()
