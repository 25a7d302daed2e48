"""`agentcli compare` with a Claude model, over a service on this machine."""

import asyncio
from pathlib import Path

import pytest

from tests.cli.process import Ended, Home
from tests.loopback import Answer, Brain, Loopback, Reply, text

SEED = "Add 300 for groceries, then delete expense 1."
SONNET = ("--model", "claude-sonnet-5")


async def _compare(home: Home, service: Loopback, *arguments: str) -> Ended:
    env = {"ANTHROPIC_BASE_URL": service.base_url, "ANTHROPIC_API_KEY": "sk-ant-x", "COLUMNS": "120"}
    return await asyncio.to_thread(lambda: home.run("compare", *SONNET, *arguments, env=env))


async def test_every_level_has_a_copy_and_a_bill_of_its_own(home: Home) -> None:
    """The same decisions as offline, each level's effects on its own books, its tokens and what they cost."""
    async with Loopback(Brain()) as service:
        told = await _compare(home, service, "--json", SEED)
    assert told.code == 0
    columns = told.json["levels"]
    assert [[one["decision"] for one in column["decisions"]] for column in columns] == [
        [],
        ["deny", "deny"],
        ["ask", "ask"],
        ["allow", "ask"],
        ["allow", "allow"],
    ]
    assert [[(one["id"], one["after"] is None) for one in column["effects"]] for column in columns] == [
        *([], []),
        *[[(1, True), (2, False)]] * 3,
    ]
    used = [(column["usage"]["input_tokens"], column["usage"]["output_tokens"]) for column in columns]
    assert used == [(10, 5), *[(20, 10)] * 4]
    assert [column["usage"]["cost_usd"] for column in columns] == ["0.00007", *["0.00014"] * 4]
    assert not home.store.exists()


async def test_the_table_shows_tokens_and_cost(home: Home) -> None:
    """And a host that is not Anthropic's is named before anything is sent there."""
    async with Loopback(Brain()) as service:
        told = await _compare(home, service, "--levels", "0,2", SEED)
    assert "level 0  asked 0 · steps 1 · tokens 15 · 0.00007 USD · completed" in told.out
    assert "level 2  asked 2 · steps 2 · tokens 30 · 0.00014 USD · completed" in told.out
    assert told.err == f"conversations go to {service.base_url.removeprefix('http://')}\n"


async def test_a_level_at_its_limit_shows_it_and_the_others_go_on(home: Home) -> None:
    """A limit is no failure of the comparison."""
    home.configure("[limits]\nasks = 1\n")
    async with Loopback(Brain()) as service:
        told = await _compare(home, service, "--levels", "2-4", SEED)
    assert told.code == 0
    endings = [line.rpartition(" · ")[2] for line in told.out.splitlines() if " · tokens " in line]
    assert endings == ["limit on questions reached", "completed", "completed"]


@pytest.mark.parametrize("as_json", [False, True], ids=["table", "JSON"])
async def test_a_level_without_an_answer_says_why(home: Home, as_json: bool) -> None:
    """Where the service refuses, the columns stand, with why; and a script is told by the exit code."""
    async with Loopback([Answer(401, b"{}")] * 2) as service:
        told = await _compare(home, service, "--levels", "1,2", *(["--json"] if as_json else []), "hi")
    assert told.code == 1
    assert (told.err if as_json else told.out).count("refuses") == 2
    if as_json:
        assert [column["outcome"] for column in told.json["levels"]] == ["failed", "failed"]


async def test_a_level_that_the_model_refuses_says_so(home: Home) -> None:
    """The others go on."""
    async with Loopback(
        [Reply(blocks=[text("No.")], stop_reason="refusal"), Reply(blocks=[text("Hi.")])]
    ) as service:
        told = await _compare(home, service, "--levels", "1,2", "hi")
    assert told.code == 1
    assert told.out.count("the model refused") == 1
    assert told.out.count(" · completed") == 1


async def test_a_comparison_is_drawn_with_a_model_too(home: Home, tmp_path: Path) -> None:
    """The picture is the table's."""
    picture = tmp_path / "levels.svg"
    async with Loopback(Brain()) as service:
        told = await _compare(home, service, "--svg", str(picture), SEED)
    assert told.code == 0
    assert "0.00014 USD" in picture.read_text()
