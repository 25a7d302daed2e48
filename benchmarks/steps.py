"""A step as a conversation grows: CPU against the bare SDK, syncs, bytes on disk."""

import asyncio
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from measuring import Figure, figure_of

from agentcli.agents import shipped
from agentcli.engine.clock import SystemClock
from agentcli.gate.autonomy import Level
from agentcli.models.prices import cost_usd
from agentcli.session.allowance import RunLimits
from agentcli.session.events import Event, Replied
from agentcli.session.persons import Person
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.levels import Levels
from agentcli.wiring.session import Session
from agentcli.wiring.terms import Terms

ROUNDS = 800
REPEATS = 3
LIMITS = RunLimits(steps=10_000, tokens=10**9, cost_usd="1000000", seconds=10**6, asks=10**6, irreversible=10**6)
HERE = Path(__file__).parent


@contextmanager
def service(calls: int) -> Iterator[str]:
    """Run the service in a process of its own; its address stands in the environment while the block lasts."""
    process = subprocess.Popen(
        [sys.executable, HERE / "service.py", str(calls)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        os.environ.update(ANTHROPIC_BASE_URL=address, ANTHROPIC_API_KEY="sk-ant-benchmark")
        yield address
    finally:
        process.terminate()
        process.wait()


def ours(path: Path, rounds: int) -> tuple[list[float], Path]:
    """Return the CPU seconds of each step of a durable, gated, audited conversation, and its store."""
    agent = shipped("expenses")
    terms = Terms(
        model="claude-sonnet-5",
        levels=Levels(Level.ALONE, {}),
        price=cost_usd,
        limits=LIMITS,
        options=agent.options,
    )
    marks: list[float] = []

    def mark(event: Event) -> None:
        if isinstance(event, Replied):
            marks.append(time.process_time())

    async def converse() -> None:
        session = Session.begin(agent, store, terms, SystemClock())
        session.preload()
        session.observe(mark)
        await session.say("What is my total, again and again?", Person("bench", "bench"))
        await session.carry_on()
        await session.hang_up()
        session.close()

    with service(rounds), SqliteStore.open(path) as store:
        asyncio.run(converse())
    return [after - before for before, after in itertools.pairwise(marks)], path


def bare_sdk(rounds: int) -> list[float]:
    """Return the CPU seconds of each round of the loop that people write around the SDK."""
    from anthropic import AsyncAnthropic

    tools = [{"name": "get_total", "description": "Add up expenses.", "input_schema": {"type": "object"}}]
    marks: list[float] = []

    async def converse() -> None:
        async with AsyncAnthropic() as client:
            messages: list = [{"role": "user", "content": "What is my total, again and again?"}]
            while True:
                async with client.messages.stream(
                    model="claude-sonnet-5", max_tokens=4096, messages=messages, tools=tools
                ) as stream:
                    message = await stream.get_final_message()
                marks.append(time.process_time())
                messages.append({"role": "assistant", "content": message.content})
                uses = [block for block in message.content if block.type == "tool_use"]
                if not uses:
                    return
                result = '{"status":"ok","totals":{"USD":"40.00"},"count":1}'
                results = [{"type": "tool_result", "tool_use_id": use.id, "content": result} for use in uses]
                messages.append({"role": "user", "content": results})

    with service(rounds):
        asyncio.run(converse())
    return [after - before for before, after in itertools.pairwise(marks)]


def around(seconds: list[float], number: int) -> float:
    """Return the median of the twenty rounds up to this one."""
    return statistics.median(seconds[max(0, number - 20) : number])


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        pairs = []
        for number in range(REPEATS):
            mine, path = ours(Path(folder) / f"{number}.db", ROUNDS)
            pairs.append((mine, bare_sdk(ROUNDS)))
        made = [
            figure_of(
                f"CPU of a step at round {number}",
                [(around(mine, number - 1), around(floor, number - 1)) for mine, floor in pairs],
                at_most=at_most, how="median of 20 rounds over a loopback service", floor_is="SDK loop",
            )
            for number, at_most in ((50, 1.0), (200, 0.6), (800, 0.25))
        ]  # fmt: skip
        tenth = ROUNDS // 10
        made.append(
            figure_of(
                "last tenth of 800 rounds",
                [(statistics.median(mine[-tenth:]), statistics.median(mine[:tenth])) for mine, _ in pairs],
                at_most=1.2, how="CPU of a step", floor_is="first tenth",
            )
        )  # fmt: skip
        with SqliteStore.open(path) as store:
            entries = sum(head.seq for head in (store.head(session) for session in store.sessions()) if head)
        size = path.stat().st_size / entries
        made.append(
            Figure("disk, bytes an entry", f"{size:.0f} B", "2048 B", size / 2048, 1.0, 0, "size of the file")
        )
    return made


if __name__ == "__main__":
    for figure in figures():
        print(figure.row)
