"""What a session's model said can be kept in a file and played back, and a request that differs says where."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from agentcli.models.recording import begin_recording, read_recording
from agentcli.models.replay import RecordingModel, ReplayModel
from agentcli.models.scripted import ScriptedModel, ScriptedReply
from agentcli.session.ports import FailureKind, ReplyFailed, ReplyFinished, TextDelta, ToolOffer
from agentcli.wiring.models import choose
from tests.models.recorded import ANSWER, HELLO, LATER, MORE, REQUEST, SAID, recorded, reply


async def test_the_same_requests_get_the_same_replies(tmp_path: Path) -> None:
    """Event for event and byte for byte, whatever the session is called and the day is."""
    path = tmp_path / "x.jsonl"
    first, second = await recorded(path, (REQUEST, SAID), (LATER, ScriptedReply(text="done")))
    model = ReplayModel("replay:x", path)
    another = {"session": "s2", "today": "2027-01-01", "max_tokens": 5, "model": "replay:x"}
    assert await reply(model, structs.replace(REQUEST, **another)) == first
    assert await reply(model, structs.replace(LATER, **another)) == second


async def test_what_got_no_reply_is_not_kept(tmp_path: Path) -> None:
    """A failure is tried again, and the reply that then comes is the one to play back."""
    path = tmp_path / "x.jsonl"
    failed = ScriptedReply(failure=ReplyFailed(FailureKind.OVERLOADED, "busy"))
    await recorded(path, (REQUEST, failed), (REQUEST, SAID))
    assert len(read_recording(path).exchanges) == 1


DIFFERENCES: dict[str, tuple[dict[str, Any], str]] = {
    "another word": (
        {"messages": [HELLO.replace(b"hello", b"help")]},
        'messages[0].content[0].text, character 4: recorded "lo", now "p"',
    ),
    "more messages": ({"messages": [HELLO, ANSWER]}, "messages[1]: recorded nothing, now"),
    "fewer messages": ({"messages": []}, "messages[0]: recorded {"),
    "another prompt": ({"system": "be quick"}, 'system, character 4: recorded "kind", now "quick"'),
    "a tool less": ({"tools": []}, "tools.look: recorded {"),
    "a tool more": (
        {"tools": [*REQUEST.tools, ToolOffer("poke", "Poke.", {})]},
        'tools.poke: recorded nothing, now {"name": "poke"',
    ),
    "another schema": (
        {"tools": [ToolOffer("look", "Look.", {"type": "array"})]},
        'tools.look.input_schema.type: recorded "object", now "array"',
    ),
    "no calls": ({"may_call": False}, "may_call: recorded true, now false"),
}


@pytest.mark.parametrize(("changes", "where"), DIFFERENCES.values(), ids=DIFFERENCES)
async def test_a_request_that_differs_says_where(tmp_path: Path, changes: dict[str, Any], where: str) -> None:
    """Nothing of the recorded reply is played, and trying again would not help."""
    path = tmp_path / "x.jsonl"
    await recorded(path, (REQUEST, SAID))
    [failed] = await reply(ReplayModel("replay:x", path), structs.replace(REQUEST, **changes))
    assert isinstance(failed, ReplyFailed)
    assert not failed.failure.retryable
    assert failed.text.startswith(f"request 1 differs from the one in x.jsonl at {where}"), failed.text


async def test_a_recording_may_hold_several_conversations(tmp_path: Path) -> None:
    """`/new` begins another one: it is found by how it begins, also where one before began alike."""
    path = tmp_path / "x.jsonl"
    other = structs.replace(REQUEST, messages=[MORE])
    first, second, third, fourth = await recorded(
        path,
        (REQUEST, SAID),
        (other, ScriptedReply(text="other")),
        (REQUEST, SAID),
        (LATER, ScriptedReply(text="later")),
    )
    assert await reply(ReplayModel("replay:x", path), other) == second
    again = ReplayModel("replay:x", path)
    assert [await reply(again, REQUEST), await reply(again, LATER)] == [first, fourth]
    one_after_the_other = ReplayModel("replay:x", path)
    assert [await reply(one_after_the_other, one) for one in (REQUEST, other, REQUEST)][2] == third


async def test_a_request_that_was_made_twice_gets_one_reply_after_the_other(tmp_path: Path) -> None:
    """A reply that could not be used was asked for again."""
    path = tmp_path / "x.jsonl"
    first, second = await recorded(path, (REQUEST, SAID), (REQUEST, ScriptedReply(text="better")))
    model = ReplayModel("replay:x", path)
    assert [await reply(model, REQUEST), await reply(model, REQUEST)] == [first, second]


async def test_a_request_too_many_is_told(tmp_path: Path) -> None:
    """A recording ends where it ends."""
    path = tmp_path / "x.jsonl"
    await recorded(path, (REQUEST, SAID))
    model = ReplayModel("replay:x", path)
    await reply(model, REQUEST)
    [failed] = await reply(model, LATER)
    assert isinstance(failed, ReplyFailed)
    assert failed.text == "x.jsonl holds 1 reply, and this is request 2."


@pytest.mark.parametrize("lost", [1, 2, 100])
async def test_what_is_whole_of_a_recording_plays(tmp_path: Path, lost: int) -> None:
    """A crash that cut off its last line takes only that reply, and both the start and the end say so."""
    path = tmp_path / "x.jsonl"
    first, _ = await recorded(path, (REQUEST, SAID), (LATER, SAID))
    path.write_bytes(path.read_bytes()[:-lost])
    assert read_recording(path).size == "1 reply, the next is cut off"
    assert choose(f"replay:{path}", {}).note.endswith(" · it holds 1 reply, the next is cut off")
    model = ReplayModel("replay:x", path)
    assert await reply(model, REQUEST) == first
    [failed] = await reply(model, LATER)
    assert isinstance(failed, ReplyFailed)
    assert failed.text == "x.jsonl holds 1 reply, the next is cut off, and this is request 2."


async def test_a_reply_that_can_not_be_kept_has_failed(tmp_path: Path) -> None:
    """A recording has no holes: what is not in it was not used, and trying again would not help."""
    path = tmp_path / "x.jsonl"
    begin_recording(path)
    model = RecordingModel(ScriptedModel([SAID]), path)
    path.unlink()
    path.mkdir()
    *_, failed = await reply(model, REQUEST)
    assert isinstance(failed, ReplyFailed)
    assert not failed.failure.retryable
    assert failed.text == f"The reply is not in {path}, which can't be written: Is a directory."


async def test_a_reply_that_could_not_be_kept_is_not_missed_by_the_next(tmp_path: Path) -> None:
    """What is kept once it can be plays back: it does not rest on messages that never got into the file."""
    path = tmp_path / "x.jsonl"
    model = RecordingModel(ScriptedModel([SAID, ScriptedReply(text="later")]), path)
    path.mkdir()
    assert isinstance((await reply(model, REQUEST))[-1], ReplyFailed)
    path.rmdir()
    begin_recording(path)
    later = await reply(model, LATER)
    assert await reply(ReplayModel("replay:x", path), LATER) == later


async def test_the_other_model_is_prepared_and_closed() -> None:
    """To be recorded changes nothing else about a model; one without connections needs neither."""

    class Kept(ScriptedModel):
        done: tuple[str, ...] = ()

        def preload(self) -> None:
            self.done += ("preload",)

        async def close(self) -> None:
            self.done += ("close",)

    inner = Kept([])
    model = RecordingModel(inner, Path("unused"))
    model.preload()
    await model.close()
    assert (inner.done, model.name) == (("preload", "close"), "scripted")
    plain = RecordingModel(ScriptedModel([]), Path("unused"))
    plain.preload()
    await plain.close()


async def test_a_reply_is_kept_before_its_end_is_told(tmp_path: Path) -> None:
    """Whoever saw a reply end finds it in the file."""
    path = tmp_path / "x.jsonl"
    begin_recording(path)
    model = RecordingModel(ScriptedModel([SAID]), path)
    async for event in model.reply(REQUEST):
        kept = len(read_recording(path).exchanges)
        assert kept == (1 if isinstance(event, ReplyFinished) else 0)
        assert isinstance(event, ReplyFinished) or not isinstance(event, TextDelta) or event.text
