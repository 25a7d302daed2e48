"""The question of `approvals approve`, asked on a face without a screen."""

import asyncio
import json
import signal
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from agentcli.agents import shipped
from agentcli.cli.decide.approving import approve_here
from agentcli.cli.decide.called import At
from agentcli.cli.exits import Exit, Refusal
from agentcli.config import Flags, Places, load_config
from agentcli.session import entries as e
from agentcli.session.persons import Given, Person
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal import happened as h
from agentcli.terminal.conversation.one_question import LOOK_S
from agentcli.terminal.keys import Effect
from agentcli.terminal.question.answer import Approve, Decline
from agentcli.wiring import outside
from tests.terminal.fake_face import FakeFace
from tests.wiring.garage import begin, say, store_at, written

BEN = Person("ben", "approvals")
ADD = "Add 300 for groceries"


class Desk:
    """A call of the expense agent that waits in a session that nobody holds, and a person at a face."""

    def __init__(self, folder: Path, store: SqliteStore, *, expires: timedelta | None = None) -> None:
        self.store = store
        self.face = FakeFace()
        session = begin(store, shipped("expenses"), expires=expires)
        asyncio.run(say(session, ADD))
        (self.call,) = session.waiting
        session.close()
        places = Places(
            config=str(folder / "config.toml"),
            store=str(folder / "store.db"),
            log=str(folder / "log"),
            here=str(folder),
        )
        flags = Flags()
        self.at = At(flags, load_config(flags, {}, places), store, session.id, self.call.call_id)

    def does(self, *happened: h.Happened) -> None:
        """Do these things."""
        self.face.does(*happened)

    def answers_with(self, *answers: h.Said) -> None:
        """Answer the question, one time after the other."""
        self.does(*(h.AnswerGiven(self.call.call_id, self.call.code, said, 1.0) for said in answers))

    def approve(self, code: str | None = None) -> Exit:
        """Run the command."""
        return approve_here(self.at, code, as_json=True, terminal=lambda _: self.face)

    def answers(self) -> list[tuple[str, str | None]]:
        """What was recorded, and the input where it was changed."""
        return [(entry.answer, entry.input) for entry in written(self.store, self.at.session, e.Answered)]


class Watched(FakeFace):
    """A face that nobody touches for a while, in which something happens in another process."""

    def __init__(self, folder: Path, meanwhile: Callable[[SqliteStore], object]) -> None:
        super().__init__()
        self._folder = folder
        self._meanwhile = meanwhile

    async def next(self) -> h.Happened:
        with store_at(self._folder) as others:
            self._meanwhile(others)
        await asyncio.sleep(3 * LOOK_S)
        return await super().next()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with store_at(tmp_path) as store:
        yield store


@pytest.fixture
def desk(tmp_path: Path, store: SqliteStore) -> Desk:
    return Desk(tmp_path, store)


def test_an_input_that_the_tool_could_never_take_is_not_recorded(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    """What does not fit is said, and the question is asked once more."""
    desk.answers_with(h.Edited('{"item":"groceries"}'), h.Edited('{"item":"groceries","amount":30}'))
    assert desk.approve() is Exit.DONE
    assert len(desk.face.asked) == 2
    assert desk.answers() == [("edited", '{"item":"groceries","amount":30}')]
    assert "the input does not fit: " in capsys.readouterr().err


def test_a_question_that_expires_while_it_is_looked_at_is_taken_away(tmp_path: Path, store: SqliteStore) -> None:
    """The one who looks at it is told why, and nothing can be answered any more."""
    desk = Desk(tmp_path, store, expires=timedelta(seconds=2))
    with pytest.raises(Refusal, match="the question has expired"):
        desk.approve()
    assert len(desk.face.asked) == 1
    assert desk.face.open is None
    assert desk.answers() == []


def test_a_question_that_is_answered_elsewhere_is_taken_away(tmp_path: Path, desk: Desk) -> None:
    """The one who looks at it is told who was first."""
    with store_at(tmp_path) as others:
        outside.answer(others, desk.at.session, desk.call.call_id, Given("declined", desk.call.code), BEN)
        desk.answers_with(Approve())
        with pytest.raises(Refusal, match="ben was first: declined"):
            desk.approve()
    assert desk.answers() == [("declined", None)]


@pytest.mark.parametrize(
    ("happened", "code"),
    [
        (h.KeyPressed(Effect.LEAVE_OPEN), Exit.WAITING),
        (h.InputEnded(), Exit.WAITING),
        (h.Signalled(signal.SIGTERM), Exit.TERMINATED),
    ],
)
def test_who_leaves_has_answered_nothing(desk: Desk, happened: h.Happened, code: Exit) -> None:
    """The question stays open."""
    desk.does(happened)
    assert desk.approve() is code
    assert desk.answers() == []


def test_ctrl_c_has_answered_nothing_either(desk: Desk) -> None:
    """The session is held elsewhere, or not at all: there is no run here that could be stopped."""
    desk.answers_with(h.Cancelled())
    assert desk.approve() is Exit.INTERRUPTED
    assert desk.answers() == []


def test_words_and_commands_are_no_answer(desk: Desk) -> None:
    """Words are kept for the agent, and commands are for chat."""
    desk.does(h.WordsEntered("make it 30"), h.CommandEntered("/level 4"))
    desk.answers_with(Decline("too much"))
    assert desk.approve(desk.call.code.upper()) is Exit.DONE
    assert desk.face.lines == [
        "queued #2 for the agent; the question stays open",
        "commands are for `agentcli chat`; here it is y, n or e",
    ]
    assert desk.answers() == [("declined", None)]


def test_a_yes_is_recorded_with_how_long_it_took(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is run here: the command that goes on is told."""
    desk.answers_with(Approve())
    assert desk.approve(desk.call.code) is Exit.DONE
    assert desk.answers() == [("approved", None)]
    said = json.loads(capsys.readouterr().out)
    assert (said["answer"], said["resume"]) == ("approved", f"agentcli resume {desk.at.session}")


def test_a_question_that_is_answered_while_it_is_looked_at_is_taken_away(tmp_path: Path, desk: Desk) -> None:
    """Without a key: the one who looks at it is told who was first."""

    def answer(others: SqliteStore) -> None:
        outside.answer(others, desk.at.session, desk.call.call_id, Given("declined", desk.call.code), BEN)

    desk.face = Watched(tmp_path, answer)
    with pytest.raises(Refusal, match="ben was first: declined"):
        desk.approve()
    assert desk.face.open is None


def test_what_others_say_meanwhile_does_not_take_a_question_away(tmp_path: Path, desk: Desk) -> None:
    """The store has changed then, and the question is the same."""
    desk.face = Watched(tmp_path, lambda others: outside.say(others, desk.at.session, "and tea", BEN))
    desk.answers_with(Approve())
    assert desk.approve() is Exit.DONE
    assert len(desk.face.asked) == 1


def test_what_is_no_longer_asked_says_why(desk: Desk) -> None:
    """Who was first is told before anything is asked."""
    outside.answer(desk.store, desk.at.session, desk.call.call_id, Given("declined", desk.call.code), BEN)
    with pytest.raises(Refusal, match="ben was first: declined"):
        desk.approve()
    assert desk.face.asked == []


def test_another_code_is_refused_before_anything_is_asked(desk: Desk) -> None:
    """What somebody has seen is another question."""
    with pytest.raises(Refusal, match="was never its code"):
        desk.approve("000000")
    assert desk.face.asked == []
