"""Watchers see calls go by and steer nothing."""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agentcli.agents import shipped
from agentcli.session.events import Event, RunFinished, ToolFinished
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.suspension import Suspend
from agentcli.wiring.session import Session
from agentcli.wiring.watchers import Watchers, observer_of

CALL = 'call add_expense {"item":"tea","amount":4}'
NAMES = ("on_input_start", "on_input_delta", "on_input_available", "on_output")


@pytest.fixture
def session() -> Iterator[Session]:
    with SqliteStore.in_memory() as store:
        opened = Session.open(shipped("expenses"), store, model="offline", level=4)
        yield opened
        opened.close()


async def run(session: Session, text: str = CALL) -> list[Event]:
    return [event async for event in session.run(text)]


def all_of(watcher: Callable[[Any], object]) -> Any:
    """One watcher under every name."""
    return dict.fromkeys(NAMES, watcher)


async def test_a_call_is_seen_from_its_first_character_to_its_result(session: Session) -> None:
    """First that an input begins, then how it forms, then all of it, then what the model gets; nothing else."""
    seen: list[Any] = []
    session.watch(**all_of(seen.append))
    await run(session)
    kinds = [type(event).__name__ for event in seen]
    assert kinds[0] == "ToolInputStarted"
    assert set(kinds[1:-2]) == {"ToolInputDelta"}
    assert kinds[-2:] == ["ToolInputReady", "ToolFinished"]
    assert "".join(event.delta for event in seen[1:-2]) == '{"item":"tea","amount":4}'
    assert {event.call_id for event in seen} == {seen[0].call_id}
    assert {event.tool for event in seen} == {"add_expense"}


async def test_each_watcher_sees_its_own_events(session: Session) -> None:
    """Who wants results is told of no inputs, and of every result that the model gets: of calls that never ran too."""
    results: list[ToolFinished] = []
    session.watch(on_output=results.append)
    await run(session, "call get_total {} & call delete_expense {}")
    assert [(one.tool, one.is_error) for one in results] == [("get_total", False), ("delete_expense", True)]


def raising(error: BaseException) -> Callable[[Any], None]:
    def fail(event: Any) -> None:
        raise error

    return fail


async def fail_later(event: Any) -> None:
    await asyncio.sleep(0)
    raise RuntimeError("swordfish")


def suspend(event: Any) -> None:
    raise Suspend("really?", {"type": "object", "properties": {"why": {"type": "string"}}})


@pytest.mark.parametrize(
    "watcher",
    [
        pytest.param(raising(RuntimeError("swordfish")), id="raises"),
        pytest.param(lambda event: sys.exit(3), id="exits"),
        pytest.param(raising(asyncio.CancelledError()), id="cancels"),
        pytest.param(raising(StopIteration()), id="stops-an-iteration"),
        pytest.param(raising(GeneratorExit()), id="closes-a-generator"),
        pytest.param(suspend, id="suspends"),
        pytest.param(fail_later, id="coroutine-raises"),
    ],
)
async def test_a_watcher_that_fails_is_logged_and_the_call_goes_on(
    session: Session, watcher: Callable[[Any], object], caplog: pytest.LogCaptureFixture
) -> None:
    """The run ends as without it, the others see all the same, and nobody hears of it but the log."""
    seen: list[Any] = []
    session.watch(**all_of(watcher))
    session.watch(**all_of(seen.append))
    caplog.set_level(logging.ERROR)
    events = await run(session)
    await asyncio.sleep(0.01)
    assert isinstance(events[-1], RunFinished)
    assert events[-1].outcome == "completed"
    assert [event.is_error for event in events if isinstance(event, ToolFinished)] == [False]
    assert len(seen) > 3
    faults = [record for record in caplog.records if record.name == "agentcli.wiring.watchers"]
    assert len(faults) == len(seen)
    assert "ToolInputStarted" in faults[0].getMessage()


async def test_what_a_watcher_returns_is_of_no_account(session: Session) -> None:
    """A watcher is no hook: a denial from it denies nothing."""
    session.watch(**all_of(lambda event: {"decision": "block"}))
    events = await run(session)
    assert [event.is_error for event in events if isinstance(event, ToolFinished)] == [False]


async def test_a_coroutine_runs_beside_the_session(session: Session) -> None:
    """The call does not wait for it."""
    seen: list[str] = []
    hold = asyncio.Event()

    async def look(event: ToolFinished) -> None:
        await hold.wait()
        seen.append(event.tool)

    session.watch(on_output=look)
    await run(session)
    assert seen == []
    hold.set()
    await asyncio.sleep(0.01)
    assert seen == ["add_expense"]


async def test_a_coroutine_ends_with_the_program(session: Session, caplog: pytest.LogCaptureFixture) -> None:
    """To be cancelled is no failure of it."""
    began = asyncio.Event()

    async def look(event: ToolFinished) -> None:
        began.set()
        await asyncio.Event().wait()

    session.watch(on_output=look)
    await run(session)
    await began.wait()
    (looking,) = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    looking.cancel()
    await asyncio.wait({looking})
    assert looking.cancelled()
    assert caplog.records == []


async def test_who_interrupts_from_the_keyboard_is_heard() -> None:
    """Ctrl-C in a watcher is Ctrl-C."""

    def interrupt(event: Any) -> None:
        raise KeyboardInterrupt

    observe = observer_of(Watchers(on_output=interrupt))
    with pytest.raises(KeyboardInterrupt):
        observe(ToolFinished(session="s", at=None, call_id="t", tool="x", result=None, is_error=False))  # type: ignore[arg-type]


def test_a_watcher_of_nothing_is_refused() -> None:
    """A misspelt name would see nothing."""
    with pytest.raises(TypeError, match="there is no watcher 'on_ouput'; there are on_input_start, "):
        observer_of({"on_ouput": print})  # type: ignore[typeddict-unknown-key]
    with pytest.raises(TypeError, match="on_output is 'print' and has to be a function"):
        observer_of({"on_output": "print"})  # type: ignore[typeddict-item]
