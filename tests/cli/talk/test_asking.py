"""What `run` and `resume` wait for, asked at a terminal: answered there, elsewhere, or left as it is."""

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from agentcli.cli.talk.asking import Asking, Stopped
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.persons import Given, Person
from agentcli.session.steps import AwaitPerson
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal import happened as h
from agentcli.terminal.conversation.one_question import Left
from agentcli.terminal.keys import Effect
from agentcli.terminal.question.answer import ApproveAndRaise, Decline
from agentcli.wiring import outside
from agentcli.wiring.session import Session
from tests.terminal.fake_face import FakeFace
from tests.wiring.garage import begin, say, still_held, store_at, written

BEN = Person("ben", "approvals")
PARK, LIFT = 'call park {"plate":"A-1"}', 'call lift {"plate":"A-1"}'


class Desk:
    """A session that waits, a person at a face without a screen, and others at another connection."""

    def __init__(self, store: SqliteStore, others: SqliteStore, session: Session) -> None:
        self.store = store
        self.others = others
        self.session = session
        self.face = FakeFace()

    async def ask(self) -> Left | Stopped | None:
        """Ask for what the session waits for, until it is over."""
        return await Asking(self.session, cast("AwaitPerson", self.session.last_step), self.face).ask()

    def answers(self) -> list[tuple[str, str]]:
        """What was answered, and by whom."""
        return [(entry.answer, entry.by) for entry in written(self.store, self.session.id, e.Answered)]


@asynccontextmanager
async def waiting(
    folder: Path, text: str, level: Level = Level.PROPOSE, expires: timedelta | None = None
) -> AsyncIterator[Desk]:
    """A desk at which a session waits for what was said to it."""
    with store_at(folder) as store, store_at(folder) as others:
        session = begin(store, level=level, expires=expires)
        await say(session, text)
        yield Desk(store, others, session)
        still_held.pop().close()


async def test_a_question_is_asked_until_it_is_answered(tmp_path: Path) -> None:
    """Words are kept meanwhile, commands are for chat, and the answer is stored."""
    async with waiting(tmp_path, PARK) as desk:
        desk.face.does(h.WordsEntered("be quick"), h.CommandEntered("/level 4"), h.KeyPressed(Effect.NOTHING))
        call = desk.session.waiting[0]
        desk.face.does(h.AnswerGiven(call.call_id, call.code, Decline("not today"), 1.0))
        assert await desk.ask() is None
        assert "queued #2; the question stays open" in desk.face.lines
        assert "commands are for `agentcli chat`; the question stays open" in desk.face.lines
        (answered,) = written(desk.store, desk.session.id, e.Answered)
        assert (answered.answer, answered.reason, answered.channel) == ("declined", "not today", "terminal")
        assert desk.session.state.level is Level.PROPOSE


@pytest.mark.parametrize(
    ("happened", "left"),
    [
        (h.KeyPressed(Effect.LEAVE), Left()),
        (h.KeyPressed(Effect.LEAVE_OPEN), Left()),
        (h.KeyPressed(Effect.LEAVE_SAFELY), Left()),
        (h.InputEnded(), Left()),
        (h.Signalled(signal.SIGTERM), Left(signal.SIGTERM)),
        (h.Signalled(signal.SIGHUP), Left(signal.SIGHUP)),
    ],
)
async def test_who_leaves_has_answered_nothing(tmp_path: Path, happened: h.Happened, left: Left) -> None:
    """The end of the input, a key or a signal: the question stays open."""
    async with waiting(tmp_path, PARK) as desk:
        desk.face.does(happened)
        assert await desk.ask() == left
        assert desk.answers() == []
        assert len(desk.session.waiting) == 1


async def test_an_answer_given_elsewhere_ends_the_asking(tmp_path: Path) -> None:
    """Whoever was first counts."""
    async with waiting(tmp_path, PARK) as desk:
        call = desk.session.waiting[0]
        outside.answer(desk.others, desk.session.id, call.call_id, Given("approved", call.code), BEN)
        assert await desk.ask() is None
        assert desk.answers() == [("approved", "ben")]


async def test_a_question_that_expires_is_asked_no_longer(tmp_path: Path) -> None:
    """Who goes on then writes that nobody answered."""
    async with waiting(tmp_path, PARK, expires=timedelta(milliseconds=50)) as desk:
        assert await desk.ask() is None
        assert desk.answers() == []


async def test_a_yes_from_now_on_that_does_not_count_gives_no_level(tmp_path: Path) -> None:
    """The answer came second, so neither the yes nor the level is stored, and the person is told."""
    async with waiting(tmp_path, PARK) as desk:
        call = desk.session.waiting[0]
        outside.answer(desk.others, desk.session.id, call.call_id, Given("declined", call.code), BEN)
        desk.face.does(h.AnswerGiven(call.call_id, call.code, ApproveAndRaise(), 1.0))
        assert await desk.ask() is None
        assert desk.answers() == [("declined", "ben")]
        assert written(desk.store, desk.session.id, e.LevelSet) == []
        assert "ben was first: declined" in desk.face.text


async def test_a_form_is_asked_field_by_field_and_stored(tmp_path: Path) -> None:
    """What does not fit is asked again."""
    async with waiting(tmp_path, LIFT, Level.ALONE) as desk:
        desk.face.enters("middle")
        desk.face.enters("2")
        assert await desk.ask() is None
        assert "choose one of left, right" in desk.face.asked[1].complaint  # type: ignore[union-attr]
        (supplied,) = written(desk.store, desk.session.id, e.Supplied)
        assert bytes(supplied.data) == b'{"bay":"right"}'


async def test_a_form_of_one_field_has_none_to_go_back_to(tmp_path: Path) -> None:
    """It is asked for again, and the call goes on with what is filled in then."""
    async with waiting(tmp_path, LIFT, Level.ALONE) as desk:
        desk.face.goes_back()
        desk.face.enters("2")
        assert await desk.ask() is None
        assert len(desk.face.asked) == 2
        (supplied,) = written(desk.store, desk.session.id, e.Supplied)
        assert bytes(supplied.data) == b'{"bay":"right"}'


@pytest.mark.parametrize(
    "late",
    [
        h.PromptAnswered("form c1 of-before", "1"),
        h.PromptTakenBack("form c1 of-before"),
        h.PromptAnswered("", "1"),
    ],
    ids=["filled in", "taken back", "about nothing"],
)
async def test_a_line_for_another_form_fills_in_none(tmp_path: Path, late: h.Happened) -> None:
    """It was filled in elsewhere while the line was on its way, and this one is asked in its place."""
    async with waiting(tmp_path, LIFT, Level.ALONE) as desk:
        desk.face.does(late)
        desk.face.enters("2")
        assert await desk.ask() is None
        assert len(desk.face.asked) == 1
        (supplied,) = written(desk.store, desk.session.id, e.Supplied)
        assert bytes(supplied.data) == b'{"bay":"right"}'


async def test_a_form_that_is_cancelled_stops_the_run(tmp_path: Path) -> None:
    """The call gets `cancelled`, and nothing of it happens."""
    async with waiting(tmp_path, LIFT, Level.ALONE) as desk:
        desk.face.does(h.KeyPressed(Effect.CANCEL))
        assert await desk.ask() == Stopped()
        assert desk.session.state.stop_asked
        assert written(desk.store, desk.session.id, e.Supplied) == []


async def test_a_question_that_is_dropped_stops_the_run(tmp_path: Path) -> None:
    """Who asks knows that it was done here, and needs no telling."""
    async with waiting(tmp_path, PARK) as desk:
        call = desk.session.waiting[0]
        desk.face.does(h.AnswerGiven(call.call_id, call.code, h.Cancelled(), 1.0))
        assert await desk.ask() == Stopped()
        assert desk.answers()[0][0] == "cancelled"


async def test_a_stop_from_elsewhere_ends_the_asking(tmp_path: Path) -> None:
    """Nothing was answered here, and the run ends without an answer."""
    async with waiting(tmp_path, PARK) as desk:
        outside.stop(desk.others, desk.session.id, BEN)
        assert await desk.ask() is None
        assert desk.session.state.stop_asked


async def test_a_form_filled_in_elsewhere_is_asked_no_longer(tmp_path: Path) -> None:
    """The line that was begun here is no answer to anything."""
    async with waiting(tmp_path, LIFT, Level.ALONE) as desk:
        (call,) = desk.session.state.batch
        outside.supply(desk.others, desk.session.id, call.call_id, '{"bay":"left"}', BEN)
        assert await desk.ask() is None
        assert [entry.by for entry in written(desk.store, desk.session.id, e.Supplied)] == ["ben"]
