"""Replies from a script."""

import pytest

from agentcli.models.scripted import ScriptedCall, ScriptedModel, ScriptedReply, ScriptMismatch
from agentcli.session.allowance import Usage
from agentcli.session.ports import BlockClosed, FailureKind, InputReady, ReplyFailed, ReplyFinished, TextDelta
from tests.models.making import collect, request, user


async def test_replies_come_in_order() -> None:
    """The first request gets the first reply, the second the second."""
    model = ScriptedModel([ScriptedReply(text="one"), ScriptedReply(text="two")])
    assert TextDelta("one") in await collect(model)
    assert TextDelta("two") in await collect(model)
    model.assert_finished()


async def test_a_surplus_request_is_an_error() -> None:
    """A loop that asks once too often is found out at once."""
    model = ScriptedModel([])
    with pytest.raises(ScriptMismatch, match="request 1 of a script with 0 replies"):
        await collect(model)


async def test_a_reply_left_over_is_a_failure() -> None:
    """A loop that stops too early is found out at the end."""
    model = ScriptedModel([ScriptedReply(text="one"), ScriptedReply(text="two")])
    await collect(model)
    with pytest.raises(ScriptMismatch, match="1 of 2 replies were never asked for"):
        model.assert_finished()


async def test_what_was_asked_is_kept() -> None:
    """A test can look at every request."""
    model = ScriptedModel([ScriptedReply()])
    asked = request(user("add 300 for groceries"))
    await collect(model, asked)
    assert model.requests == [asked]


async def test_calls_without_an_id_get_the_next_one() -> None:
    """Ids are counted through the whole script; a given id is kept."""
    calls = (ScriptedCall("get_total"), ScriptedCall("get_total", "{}", "mine"))
    model = ScriptedModel([ScriptedReply(calls=calls), ScriptedReply(calls=calls[:1])])
    ids = [event.call_id for _ in range(2) for event in await collect(model) if isinstance(event, InputReady)]
    assert ids == ["call_1", "mine", "call_2"]


@pytest.mark.parametrize("stop_reason", ["max_tokens", "refusal", "something_new", None])
async def test_a_stop_reason_is_given_as_scripted(stop_reason: str | None) -> None:
    """Any stop reason can be played, a missing one too, with any usage."""
    model = ScriptedModel([ScriptedReply(text="x", stop_reason=stop_reason, usage=Usage(1, 2, 3, 4))])
    assert (await collect(model))[-1] == ReplyFinished(stop_reason, Usage(1, 2, 3, 4))


async def test_a_failure_comes_behind_what_was_said_before_it() -> None:
    """A reply can break off in the middle."""
    gone = ReplyFailed(FailureKind.CUT_OFF, "gone")
    model = ScriptedModel([ScriptedReply(text="one", failure=gone)])
    events = await collect(model)
    assert events[0] == TextDelta("one")
    assert events[-1] == gone


async def test_blocks_come_first_and_as_they_are() -> None:
    """Blocks of any type can be played."""
    thought = b'{"type":"thinking","thinking":"hm","signature":"c2ln"}'
    model = ScriptedModel([ScriptedReply(text="x", blocks=(thought,))])
    assert (await collect(model))[0] == BlockClosed(thought)


async def test_text_comes_in_deltas_of_the_chosen_size() -> None:
    """How finely a reply is cut can be chosen."""
    model = ScriptedModel([ScriptedReply(text="abcde", chunk=2)])
    deltas = [event.text for event in await collect(model) if isinstance(event, TextDelta)]
    assert deltas == ["ab", "cd", "e"]


async def test_waiting_is_done_by_the_clock_that_was_given() -> None:
    """A delay before the reply and pauses within it pass on whatever clock the test brings."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    model = ScriptedModel([ScriptedReply(text="abcd", chunk=2, delay_s=3, pause_s=0.5)], sleep=sleep)
    await collect(model)
    assert slept == [3, 0.5, 0.5, 0.5]
