"""A request that fails is tried again, visibly and bounded, and no call is ever run again because of it."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from agentcli.engine.retry import DELAYS_S
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.allowance import RunLimits, Usage
from agentcli.session.ports import BlockClosed, FailureKind, ReplyFinished
from agentcli.session.steps import MAX_MALFORMED, MAX_PAUSES, AwaitAnswer, End
from tests.engine.bench import Bench
from tests.engine.workshop import Workshop, text
from tests.fakes import Line, ScriptedModel, call_block, calls, fails, reply, says


def a_bench(*replies: list[Line], **more: Any) -> Bench:
    return Bench(toolset=Workshop().toolset(), model=ScriptedModel(*replies), **more)


@pytest.mark.parametrize("failures", [1, 2, 3])
async def test_a_failed_request_is_tried_again(failures: int) -> None:
    """Each time after a longer pause; the reply that comes at last counts."""
    bench = a_bench(*[fails()] * failures, reply(says("done")))
    assert await bench.run("go") == End("completed")
    assert bench.clock.slept == list(DELAYS_S[:failures])
    assert [entry.attempt for entry in bench.written(e.Requested)] == list(range(1, failures + 2))


async def test_after_four_tries_the_run_has_failed() -> None:
    """Its text says why, and the words are kept for the next run."""
    bench = a_bench(*[fails()] * 4)
    assert await bench.run("go") == End("failed")
    assert len(bench.model.requests) == 4
    (ended,) = bench.written(e.RunEnded)
    assert (ended.outcome, ended.text) == ("failed", "the service is busy")
    bench.model.left = [reply(says("done"))]
    assert await bench.run() == End("completed")


async def test_what_is_not_worth_another_try_ends_the_run_at_once() -> None:
    """A refused key stays refused."""
    bench = a_bench(fails(FailureKind.UNAUTHORIZED))
    assert await bench.run("go") == End("failed")
    assert (len(bench.model.requests), bench.clock.slept) == (1, [])


async def test_a_service_that_wants_a_long_pause_is_not_waited_for() -> None:
    """Thirty seconds after the first try nobody waits any more."""
    bench = a_bench(fails(retry_after_s=20), fails(retry_after_s=11))
    assert await bench.run("go") == End("failed")
    assert bench.clock.slept == [20]


async def test_the_tries_are_counted_anew_for_every_step() -> None:
    """A reply that came makes good for the failures before it."""
    bench = a_bench(*[fails()] * 3, reply(calls("t1", "look")), *[fails()] * 3, reply(says("done")))
    assert await bench.run("go") == End("completed")
    assert len(bench.model.requests) == 8


async def test_no_call_runs_again_because_a_request_failed() -> None:
    """Results are sent again, effects are not had again."""
    bench = a_bench(reply(calls("t1", "note", text("tea"))), fails(), fails(), reply(says("done")))
    assert await bench.run("go") == End("completed")
    assert bench.store.effects == [("note", ("tea",))]
    assert bench.model.requests[1].messages == bench.model.requests[3].messages


async def test_nothing_of_a_reply_that_broke_off_runs() -> None:
    """A call that came whole before the connection was lost is asked for again with the rest."""
    broken = [*calls("t1", "note", text("tea")), *fails(FailureKind.CUT_OFF)]
    bench = a_bench(broken, reply(says("done")))
    assert await bench.run("go") == End("completed")
    assert (bench.store.effects, bench.written(e.Decided)) == ([], [])


@pytest.mark.parametrize(
    "blocks",
    [
        pytest.param(
            [call_block("t1", "note", text("tea")), call_block("t1", "note", text("tea"))], id="two-equal-ids"
        ),
        pytest.param([call_block("t 1", "note", text("tea"))], id="a-bad-id"),
        pytest.param([b"no json"], id="no-json"),
    ],
)
async def test_nothing_of_a_malformed_reply_runs_and_it_is_asked_for_again(blocks: list[bytes]) -> None:
    """It stays out of the conversation; after too many of them the run has failed."""
    malformed: list[Line] = [*map(BlockClosed, blocks), ReplyFinished("tool_use", Usage())]
    bench = a_bench(malformed, reply(says("done")))
    assert await bench.run("go") == End("completed")
    assert (bench.store.effects, bench.state.calls) == ([], {})
    assert bench.model.requests[0].messages == bench.model.requests[1].messages
    bench = a_bench(*[malformed] * (MAX_MALFORMED + 1))
    assert await bench.run("go") == End("failed")


async def test_an_id_of_an_earlier_step_is_not_used_twice() -> None:
    """A second call under the id of the first would share its answer."""
    same = reply(calls("t1", "note", text("tea")))
    bench = a_bench(same, same, reply(says("done")))
    assert await bench.run("go") == End("completed")
    assert bench.store.effects == [("note", ("tea",))]


async def test_a_paused_reply_is_sent_back_unchanged_a_few_times() -> None:
    """Then it is given up."""
    bench = a_bench(*[reply(says("thinking"), stop="pause_turn")] * (MAX_PAUSES + 1))
    assert await bench.run("go") == End("failed")
    assert len(bench.model.requests) == MAX_PAUSES + 1


# fmt: off
STOPS = [
    # stop reason                      outcome
    ("end_turn",                       "completed"),
    ("stop_sequence",                  "completed"),
    ("tool_use",                       "completed"),
    ("max_tokens",                     "failed"),
    ("model_context_window_exceeded",  "failed"),
    ("refusal",                        "refused"),
    ("compaction",                     "failed"),
    ("",                               "failed"),
]
# fmt: on


@pytest.mark.parametrize(("stop", "outcome"), STOPS, ids=[row[0] or "missing" for row in STOPS])
async def test_how_a_reply_ends_decides_how_the_run_does(stop: str, outcome: Any) -> None:
    """What is cut, refused or unknown runs nothing and ends the run, and nothing of the session is lost."""
    bench = a_bench([*says("so far"), ReplyFinished(stop or None, Usage())], reply(says("done")))
    assert await bench.run("go") == End(outcome)
    assert await bench.run("again") == End("completed")


@pytest.mark.parametrize("stop", ["max_tokens", "model_context_window_exceeded", "refusal", "compaction"])
async def test_no_call_of_a_reply_that_is_not_whole_runs(stop: str) -> None:
    """Even one that looks finished."""
    bench = a_bench(reply(calls("t1", "note", text("tea")), stop=stop), reply(says("done")))
    await bench.run("go")
    assert (bench.store.effects, bench.state.calls) == ([], {})
    await bench.run("again")
    assert all(message["role"] == "user" or message["content"] for message in bench.model.heard())


async def test_an_empty_reply_stays_out_of_the_conversation() -> None:
    """The run ends, and the next request still alternates and ends with the user."""
    bench = a_bench(reply(), reply(says("done")))
    assert await bench.run("go") == End("completed")
    await bench.run("again")
    assert [message["role"] for message in bench.model.heard()] == ["user"]


async def test_the_cost_of_a_reply_is_counted() -> None:
    """At the limit the run ends before it asks again."""
    bench = a_bench(
        reply(calls("t1", "look")), price=lambda model, usage: Decimal("0.60"), limits=RunLimits(cost_usd="0.60")
    )
    assert await bench.run("go") == End("limit", "cost_usd")


async def test_an_unknown_price_is_no_price_of_nothing() -> None:
    """The cost is unknown from then on; only tokens are counted."""
    bench = a_bench(reply(calls("t1", "look")), reply(says("done")), price=lambda model, usage: None)
    assert await bench.run("go") == End("completed")
    assert [entry.cost_usd for entry in bench.written(e.Replied)] == [None, None]


@pytest.mark.parametrize(
    ("limits", "limit"),
    [
        pytest.param(RunLimits(steps=2), "steps", id="steps"),
        pytest.param(RunLimits(tokens=30), "tokens", id="tokens"),
        pytest.param(RunLimits(irreversible=1), "irreversible", id="irreversible"),
        pytest.param(RunLimits(per_minute=1), "per_minute", id="per-minute"),
    ],
)
async def test_a_limit_ends_the_run_and_going_on_gives_a_fresh_allowance(limits: RunLimits, limit: str) -> None:
    """Calls that were not yet decided are then decided, and nothing runs twice."""
    steps = [reply(calls(f"t{number}", "erase", text(f"x{number}"))) for number in (1, 2, 3)]
    bench = a_bench(*steps, reply(says("done")), limits=limits)
    assert await bench.run("go") == End("limit", limit)
    for _ in range(5):
        bench.clock.advance(61)
        step = await bench.run()
        if step == End("completed"):
            break
    assert bench.store.effects == [("erase", (f"x{number}",)) for number in (1, 2, 3)]


async def test_the_time_of_a_pause_between_tries_counts() -> None:
    """A run has so many seconds, however they pass but for waiting for a person."""
    bench = a_bench(fails(retry_after_s=25), reply(calls("t1", "look")), limits=RunLimits(seconds=20))
    assert await bench.run("go") == End("limit", "seconds")


async def test_a_question_expires() -> None:
    """After its time the call gets `expired`, and the model is told."""
    bench = a_bench(
        reply(calls("t1", "erase", text("tea"))),
        reply(says("done")),
        level=Level.PROPOSE,
        expires_after=timedelta(minutes=5),
    )
    assert await bench.run("go") == AwaitAnswer("t1")
    bench.clock.advance(299)
    assert await bench.run() == AwaitAnswer("t1")
    bench.clock.advance(1)
    assert await bench.run() == End("completed")
    assert (bench.statuses(), bench.store.effects) == (["expired"], [])
    (answered,) = bench.written(e.Answered)
    assert (answered.answer, answered.by, answered.channel, answered.seconds) == (
        "expired",
        "the clock",
        "timer",
        300,
    )
