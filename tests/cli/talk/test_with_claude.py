"""`agentcli run` with a Claude model, over a service on this machine."""

import asyncio
from collections.abc import Iterable

import pytest

from agentcli.store.sqlite import SqliteStore
from tests.cli.process import Ended, Home
from tests.loopback import Answer, Brain, Ending, Loopback, Reply, Scripted, Silence, text, tool_use

KEY = "sk-ant-canary-0123456789abcdef"
SEED = "Add 300 for groceries, then delete expense 1."
SONNET = ("--model", "claude-sonnet-5")


async def _run(home: Home, service: Loopback, *arguments: str) -> Ended:
    """Run a command whose requests go to the service."""
    env = {"ANTHROPIC_BASE_URL": service.base_url, "ANTHROPIC_API_KEY": KEY}
    return await asyncio.to_thread(lambda: home.run(*arguments, env=env))


@pytest.mark.parametrize(
    ("level", "code", "decided"),
    [
        ("0", 0, []),
        ("1", 0, ["deny", "deny"]),
        ("2", 3, ["ask"]),
        ("3", 3, ["allow", "ask"]),
        ("4", 0, ["allow", "allow"]),
    ],
)
async def test_the_seed_case_at_every_level(home: Home, level: str, code: int, decided: list[str]) -> None:
    """The same decisions as offline: the level decides, whoever the model is."""
    async with Loopback(Brain()) as service:
        ended = await _run(home, service, "run", "--autonomy", level, "--json", SEED)
    assert ended.code == code
    assert [event["decision"] for event in ended.events if event["type"] == "decided"] == decided
    assert ended.events[-1]["type"] == "run_finished"
    offered = service.seen[0].json.get("tools")
    assert bool(offered) is (level != "0")


async def test_with_a_key_auto_takes_claude_and_says_where_conversations_go(home: Home) -> None:
    """The first line names the model, and a host that is not Anthropic's."""
    async with Loopback([Reply(blocks=[text("Hello.")])]) as service:
        ended = await _run(home, service, "run", "hi")
    assert (ended.code, ended.out) == (0, "Hello.\n")
    host = service.base_url.removeprefix("http://")
    assert ended.err == f"expenses · claude-sonnet-5 · level 2 (default) · conversations go to {host}\n"


async def test_an_unknown_price_is_said_and_is_never_nothing(home: Home) -> None:
    """Where the price is unknown the cost is null, and the first line says what limit holds."""
    async with Loopback([Reply(blocks=[text("Hello.")])]) as service:
        ended = await _run(home, service, "run", "--model", "claude-unpriced", "--json", "hi")
    assert ended.events[-1]["usage"]["cost_usd"] is None
    assert "the price of claude-unpriced is unknown: only the token limit holds" in ended.err


@pytest.mark.parametrize(
    ("answers", "code", "said"),
    [
        ([Answer(401, b'{"type":"error","error":{"type":"authentication_error","message":"no"}}')], 1, "refuses"),
        ([Answer(400, b'{"type":"error","error":{"type":"invalid_request_error","message":"no"}}')], 1, "rejects"),
        ([Reply(blocks=[text("I can't do that.")], stop_reason="refusal")], 1, "the model refused"),
        ([Reply(blocks=[text("half")], stop_reason="max_tokens")], 1, "can't be used: it was cut"),
        (
            [Reply(blocks=[text("?")], stop_reason="something_new")],
            1,
            "can't be used: its stop reason 'something_new'",
        ),
    ],
    ids=["wrong key", "rejected", "refusal", "cut", "unknown stop reason"],
)
async def test_a_run_without_an_answer_ends_with_1(
    home: Home, answers: Iterable[Answer | Reply], code: int, said: str
) -> None:
    """No answer on stdout, why on stderr, and in the events a last line that says so."""
    async with Loopback(answers) as service:
        ended = await _run(home, service, "run", *SONNET, "hi")
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err.splitlines()[-1]
    assert KEY not in ended.err


async def test_a_failed_run_has_its_last_event(home: Home) -> None:
    """`run_finished` is the last line, always."""
    async with Loopback([Answer(401, b"{}")]) as service:
        ended = await _run(home, service, "run", *SONNET, "--json", "hi")
    assert [event["type"] for event in ended.events] == ["queued", "run_started", "heard", "run_finished"]
    assert ended.events[-1]["outcome"] == "failed"


async def test_a_retry_is_told_with_why_and_when(home: Home) -> None:
    """A request that failed for now is tried again, visibly, and no call runs twice."""
    overloaded = Answer(529, b"{}", {"retry-after": "0.6", "content-type": "application/json"})
    call = Reply(blocks=[tool_use("toolu_1", "add_expense", {"item": "tea", "amount": 5})], stop_reason="tool_use")
    async with Loopback([overloaded, call, overloaded, Reply(blocks=[text("Added.")])]) as service:
        ended = await _run(home, service, "run", *SONNET, "--autonomy", "3", "add 5 for tea")
    assert (ended.code, ended.out) == (0, "Added.\n")
    assert ended.err.count("is overloaded or down (529)") == 2
    assert "Trying again in " in ended.err
    assert home.run("run", "--model", "offline", "list").out.count("tea, 5.00") == 1


@pytest.mark.slow
async def test_a_model_that_cant_be_reached_ends_with_75_and_loses_nothing(home: Home) -> None:
    """After four tries the run ends with 75; the words are kept, and resume delivers them."""
    async with Loopback([Silence(Ending.RESET)] * 4) as service:
        ended = await _run(home, service, "run", *SONNET, "hi")
    assert (ended.code, ended.out) == (75, "")
    assert "Nothing is lost: `agentcli resume" in ended.err
    async with Loopback([Reply(blocks=[text("Hello.")])]) as service:
        resumed = await _run(home, service, "resume")
    assert (resumed.code, resumed.out) == (0, "Hello.\n")


async def test_the_key_is_in_no_file_and_in_no_output(home: Home) -> None:
    """The key goes to the service alone."""
    home.configure("")
    async with Loopback([Reply(blocks=[text("Hello.")]), Answer(401, KEY.encode())]) as service:
        seen = [await _run(home, service, "run", *SONNET, "--json", "--stream", "hi") for _ in range(2)]
        seen += [await _run(home, service, "doctor"), await _run(home, service, "config", "show", "--json")]
    assert any(KEY in value for value in service.seen[0].headers.values())
    assert not [ended for ended in seen if KEY in ended.out + ended.err]
    files = [path for path in home.folder.rglob("*") if path.is_file()]
    assert len(files) > 1
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("brain", "code", "said"),
    [
        ([Reply(blocks=[text("Hello.")])], 0, "nothing to go on with"),
        (Brain(), 2, "needs ANTHROPIC_API_KEY"),
    ],
    ids=["done", "open"],
)
async def test_without_a_key_resume_still_says_that_there_is_nothing_to_go_on_with(
    home: Home, brain: Iterable[Scripted] | Brain, code: int, said: str
) -> None:
    """A key is only missed where something would be asked."""
    async with Loopback(brain) as service:
        await _run(home, service, "run", *SONNET, SEED)
    ended, told = home.run("resume"), home.run("resume", "--json")
    assert (ended.code, told.code) == (code, code)
    assert said in ended.err
    assert [event["outcome"] for event in told.events] == ([] if code else ["completed"])


async def test_who_holds_a_session_is_told_before_a_missing_key(home: Home) -> None:
    """To set one would be of no use while another process has it."""
    async with Loopback([Reply(blocks=[text("Hello.")])]) as service:
        await _run(home, service, "run", *SONNET, "hi")
    [row] = home.run("sessions", "list", "--json").json
    with SqliteStore.open(home.store) as store, store.hold(row["id"]):
        ended = home.run("run", "--continue", "more")
    assert ended.code == 5
    assert "is held by process" in ended.err
