"""What happens at a face, taken one thing after the other."""

import asyncio

from agentcli.terminal import happened as h
from agentcli.terminal.conversation.happenings import Happenings
from tests.terminal.fake_face import FakeFace


async def test_what_has_not_happened_is_waited_for() -> None:
    """Once it has, it is taken once."""
    face = FakeFace()
    happenings = Happenings(face)
    assert happenings.take() is None
    coming = happenings.coming
    await asyncio.sleep(0)
    assert happenings.take() is None
    face.says("hello")
    await coming
    assert happenings.take() == h.WordsEntered("hello")
    assert happenings.take() is None


async def test_words_that_were_entered_are_there_at_the_end() -> None:
    """Also those that one was about to take; keys mean nothing any more."""
    face = FakeFace()
    happenings = Happenings(face)
    face.says("zero")
    await happenings.coming
    face.does(h.WordsEntered("one"), h.Signalled(15), h.WordsEntered("two"))
    assert [text async for text in happenings.words_left()] == ["zero", "one", "two"]


async def test_a_pipe_is_read_no_further() -> None:
    """Its lines are for whoever reads it next."""
    face = FakeFace(can_answer=False)
    face.says("later")
    assert [text async for text in Happenings(face).words_left()] == []


async def test_what_is_waited_for_no_longer_comes_to_its_end() -> None:
    """Nothing is left pending."""
    happenings = Happenings(FakeFace())
    await happenings.stop()
    coming, work = happenings.coming, asyncio.ensure_future(asyncio.sleep(60))
    await happenings.stop(work)
    assert coming.cancelled()
    assert work.cancelled()
