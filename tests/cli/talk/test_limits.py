"""What one run may use up: each limit ends it with 4, says which it was, and going on has a fresh allowance."""

import asyncio
import json
from collections.abc import Sequence

import pytest

from tests.cli.process import Ended, Home
from tests.loopback import Brain, Loopback

OFFLINE = ("--model", "offline")
ADD = 'call add_expense {"item":"tea","amount":4}'
DELETE = 'call delete_expense {"id":1}'
DELETE_2 = 'call delete_expense {"id":2}'
TOTAL = "call get_total {}"


def run(home: Home, *arguments: str) -> Ended:
    return home.run("run", *OFFLINE, "--json", *arguments)


def finished(ended: Ended) -> list[str]:
    """How the calls ended."""
    return [event["result"]["status"] for event in ended.events if event["type"] == "tool_finished"]


# fmt: off
LIMITS: list[tuple[str, str, Sequence[str], str, list[str]]] = [
    # limit              config               what is run                                                   named                            done by then
    ("steps",            "steps = 1",         (TOTAL,),                                                     "step limit",                    ["ok"]),
    ("asks",             "asks = 1",          ("--on-ask", "decline", f"{ADD} & {DELETE}"),                 "limit on questions",            ["declined"]),
    ("asks-of-reads",    "asks = 1",          ("--on-ask", "decline", "--require-approval", f"{ADD} & {TOTAL}"),  "limit on questions",          ["declined"]),
    ("asks-at-level-3",  "asks = 1",          ("-l", "3", "--on-ask", "decline", f"{DELETE} & {ADD} & {TOTAL} & {DELETE_2}"), "limit on questions", ["declined", "ok", "ok"]),
    ("irreversible",     "irreversible = 1",  ("-l", "4", f"{DELETE} & {ADD} & {DELETE}"),                  "limit on irreversible calls",   ["ok", "ok"]),
    ("no-irreversible",  "irreversible = 0",  ("-l", "4", f"{ADD} & {DELETE}"),                             "limit on irreversible calls",   ["ok"]),
    ("per-minute",       "per_minute = 2",    ("-l", "4", f"{TOTAL} & {ADD} & {TOTAL}"),                    "limit on calls a minute",       ["ok", "ok"]),
]
# fmt: on


@pytest.mark.parametrize(
    ("config", "arguments", "named", "done"), [row[1:] for row in LIMITS], ids=[row[0] for row in LIMITS]
)
def test_a_limit_ends_the_run_and_says_which(
    home: Home, config: str, arguments: Sequence[str], named: str, done: list[str]
) -> None:
    """What was decided by then is done, the rest stays undecided, and the way on is told."""
    home.configure(f"[limits]\n{config}\n")
    ended = run(home, *arguments)
    session = home.run("sessions", "list", "--json").json[0]["id"]
    assert ended.code == 4
    assert ended.events[-1]["outcome"] == "limit"
    assert finished(ended) == done
    assert ended.err.splitlines()[-1] == (
        f"Stopped: {named} reached; `agentcli resume {session}` goes on with a fresh allowance"
    )


def test_a_hook_that_asks_about_reads_asks_so_often_and_no_more(home: Home) -> None:
    """What it wants asked counts like any question; going on, the next one is asked about."""
    hook = home.folder / "asks.sh"
    hook.write_text("""#!/bin/sh\necho '{"hookSpecificOutput":{"permissionDecision":"ask"}}'\n""")
    hook.chmod(0o700)
    home.configure(f"[limits]\nasks = 1\n[[hooks.pre_tool]]\ncommand = {json.dumps([str(hook)])}\n")
    ended = run(home, "-l", "4", "--on-ask", "decline", f"{TOTAL} & call list_expenses {{}}")
    assert (ended.code, finished(ended)) == (4, ["declined"])
    assert "Stopped: limit on questions reached;" in ended.err
    resumed = home.run("resume", "-l", "4", "--json", "--on-ask", "wait")
    asked = [event["tool"] for event in resumed.events if event["type"] == "approval_requested"]
    assert (resumed.code, asked) == (3, ["list_expenses"])


def test_going_on_after_a_limit_decides_what_was_left(home: Home) -> None:
    """A fresh allowance, and no call twice."""
    home.configure("[limits]\nirreversible = 1\n")
    run(home, "-l", "4", f"{ADD} & {DELETE} & {DELETE.replace('1', '2')}")
    resumed = home.run("resume", "-l", "4", "--json")
    assert (resumed.code, finished(resumed)) == (0, ["ok"])
    assert home.run("run", *OFFLINE, "list").out.startswith("There are no expenses")


def test_words_instead_of_going_on_settle_what_was_left_first(home: Home) -> None:
    """Who says something else gets those calls blocked, and is then heard."""
    home.configure("[limits]\nirreversible = 1\n")
    run(home, "-l", "4", f"{DELETE} & {DELETE.replace('1', '2')}")
    ended = run(home, "--continue", "What's my total?")
    results = [event["result"] for event in ended.events if event["type"] == "tool_finished"]
    assert [(one["status"], one["errorCategory"]) for one in results[:1]] == [("blocked", "business")]
    assert ended.code == 0


SLOW = """
import time
from agentcli import Toolset

tools = Toolset("slow")


@tools.read
def wait(seconds: float) -> dict:
    "Wait."
    time.sleep(seconds)
    return {}
"""


def test_the_time_limit_counts_what_tools_take(home: Home) -> None:
    """The call at work is not cut; the model is not asked again."""
    tools = home.folder / "slow.py"
    tools.write_text(SLOW)
    tools.chmod(0o600)
    home.configure(f'[limits]\nseconds = 1\n[agents.slow]\ntools = "{tools}"\n')
    ended = run(home, "--agent", "slow", 'call wait {"seconds":1.2}')
    assert (ended.code, finished(ended)) == (4, ["ok"])
    assert "Stopped: time limit reached;" in ended.err


@pytest.mark.parametrize(
    ("config", "named"), [("tokens = 5", "token limit"), ('cost_usd = "0.00001"', "cost limit")]
)
async def test_tokens_and_cost_are_those_of_the_models_replies(home: Home, config: str, named: str) -> None:
    """The reply that reaches a limit is the last one; its calls are not decided any more."""
    home.configure(f"[limits]\n{config}\n")
    async with Loopback(Brain()) as service:
        env = {"ANTHROPIC_BASE_URL": service.base_url, "ANTHROPIC_API_KEY": "sk-ant-0123456789"}
        said = ("run", "--model", "claude-sonnet-5", "--json", "What's my total?")
        ended = await asyncio.to_thread(lambda: home.run(*said, env=env))
        assert len(service.seen) == 1
    assert (ended.code, finished(ended)) == (4, [])
    assert f"Stopped: {named} reached;" in ended.err
    usage = ended.events[-1]["usage"]
    assert usage["output_tokens"] > 0
    assert json.loads(usage["cost_usd"]) > 0.00001
