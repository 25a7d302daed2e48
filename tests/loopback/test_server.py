"""The loopback service as a process, and what its brain understands."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Sequence

import pytest

from agentcli.models.anthropic import AnthropicModel
from agentcli.models.connection import Connection
from agentcli.session.ports import InputReady, ReplyFailed, Request, TextDelta
from tests.loopback import Brain, Loopback, Reply, text
from tests.models.making import collect, request, user

SEED = "Add 300 for groceries, then delete expense 1."


@pytest.fixture(scope="module")
def process_url() -> Iterator[str]:
    command = [sys.executable, "-m", "tests.loopback", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


async def calls_and_text(base_url: str, asked: Request) -> tuple[list[tuple[str, str]], str]:
    model = AnthropicModel("claude", Connection(api_key="sk", base_url=base_url))
    events = await collect(model, asked)
    await model.close()
    calls = [(event.tool, event.input) for event in events if isinstance(event, InputReady)]
    return calls, "".join(event.text for event in events if isinstance(event, TextDelta))


async def test_it_runs_as_a_process_of_its_own(process_url: str) -> None:
    """It prints where it listens and answers there."""
    calls, _ = await calls_and_text(process_url, request(user(SEED)))
    assert calls == [("add_expense", '{"item": "groceries", "amount": 300}'), ("delete_expense", '{"id": 1}')]


@pytest.mark.parametrize(
    ("words", "tools"),
    [
        (SEED, ["add_expense", "delete_expense"]),
        ("delete expense 2, add 1.50 for tea", ["delete_expense", "add_expense"]),
        ("What is my total?", ["get_total"]),
        ("list them", ["list_expenses"]),
        ("Good morning.", []),
    ],
)
async def test_the_brain_calls_what_the_words_ask_for(words: str, tools: Sequence[str]) -> None:
    """All calls of a message come in one reply, in the order of the words."""
    async with Loopback(Brain()) as server:
        calls, _ = await calls_and_text(server.base_url, request(user(words)))
    assert [tool for tool, _ in calls] == tools


@pytest.mark.parametrize("asked", [request(user(SEED), tools=[]), request(user(SEED), may_call=False)])
async def test_the_brain_calls_nothing_where_nothing_may_be_called(asked: Request) -> None:
    """Without tools, or with `tool_choice` none, it only talks."""
    async with Loopback(Brain()) as server:
        calls, said = await calls_and_text(server.base_url, asked)
    assert calls == []
    assert "no tools" in said


async def test_a_script_that_is_at_its_end_refuses_and_one_that_is_not_is_found_out() -> None:
    """A surplus request fails, and so does a test that leaves an answer over."""
    async with Loopback([Reply(blocks=[text("x")])]) as server:
        with pytest.raises(AssertionError, match="1 answers were never asked for"):
            server.assert_finished()
        model = AnthropicModel("claude", Connection(api_key="sk", base_url=server.base_url))
        await collect(model)
        server.assert_finished()
        (end,) = await collect(model)
        await model.close()
    assert isinstance(end, ReplyFailed)
    assert "the script of the loopback service is at its end" in end.text


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("POST /v2/messages HTTP/1.1\r\n", b"404"),
        ("POST /v1/messages HTTP/1.1\r\n", b"401"),
        ("POST /v1/messages HTTP/1.1\r\nx-api-key: sk\r\n", b"400"),
    ],
    ids=["another path", "no key", "no JSON"],
)
async def test_a_request_that_is_none_is_refused(head: str, status: bytes) -> None:
    """Path, key and type of the body are looked at, as the real service does."""
    async with Loopback([]) as server:
        port = int(server.base_url.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"{head}\r\n".encode())
        assert (await reader.readline()).split()[1] == status
        writer.close()
