"""The question of `agentcli undo`, asked on a face without a screen."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from agentcli.agents import shipped
from agentcli.cli.decide.undo import Undoing
from agentcli.cli.exits import Exit, Refusal
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.persons import Given, Person
from agentcli.terminal import happened as h
from agentcli.terminal.question.answer import Approve, Decline
from agentcli.terminal.question.frame import QuestionView
from agentcli.wiring import outside
from tests.terminal.fake_face import FakeFace
from tests.wiring.garage import begin, say, still_held, store_at, written

BEN = Person("ben", "approvals")


class Desk:
    """A session in which something was written, held by the one who undoes, and a person at a face."""

    def __init__(self, folder: Path, *, expires: timedelta | None = None) -> None:
        self.store = store_at(folder)
        self.others = store_at(folder)
        self.face = FakeFace()
        self.session = begin(self.store, shipped("expenses"), level=Level.BOUNDED, expires=expires)
        asyncio.run(say(self.session, "Add 300 for groceries"))

    def close(self) -> None:
        """End it."""
        still_held.pop().close()
        self.others.close()
        self.store.close()

    def undo(self, *answers: h.Said, first: Given | None = None) -> Exit:
        """Run the command; the person answers as soon as they are asked, unless somebody else is first."""
        undoing = Undoing(self.session, self.store, lambda: self.face, as_json=False, program="agentcli --db x.db")

        async def carry_out() -> Exit:
            done = asyncio.ensure_future(undoing.carry_out())
            for said in answers:
                await self.face.until(lambda: done.done() or self.face.open is not None)
                question = self.face.question
                if first is not None:
                    given = Given(first.answer, question.code, first.reason)
                    outside.answer(self.others, self.session.id, question.call_id, given, BEN)
                self.face.answers(said)
            return await done

        return asyncio.run(carry_out())

    def book(self) -> list[str]:
        """The items there are."""
        with self.store.look() as tables:
            return [item for (item,) in tables.execute("SELECT item FROM expenses_book ORDER BY id")]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.close()


def test_a_yes_undoes_it(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """And says what was undone."""
    assert desk.undo(Approve()) is Exit.DONE
    assert desk.book() == ["tea"]
    assert capsys.readouterr().out == 'undone: add_expense {"item":"groceries","amount":300}\n'


def test_it_is_told_as_it_was_sent(desk: Desk) -> None:
    """As everywhere: what was filled in stands in the question's fields alone."""
    assert desk.undo(Approve()) is Exit.DONE
    (question,) = desk.face.asked
    assert isinstance(question, QuestionView)
    assert question.sent == '{"item":"groceries","amount":300}'
    assert question.preview[0] == 'will undo: add_expense {"item":"groceries","amount":300}'
    assert '"currency":"USD"' in question.input


def test_there_is_no_input_to_change(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """None is offered to be changed; who changes it all the same is told so, and asked once more."""
    assert desk.undo(h.Edited('{"item":"x","amount":1}'), Decline("")) is Exit.DONE
    assert [isinstance(asked, QuestionView) and asked.may_edit for asked in desk.face.asked] == [False, False]
    assert desk.book() == ["tea", "groceries"]
    told = capsys.readouterr()
    assert "an undo has no input to change" in told.err
    assert told.out.startswith("left as it is: add_expense")


def test_a_cancelled_undo_ends_as_an_interrupted_one(desk: Desk) -> None:
    """Nothing is undone, and nothing waits."""
    assert desk.undo(h.Cancelled()) is Exit.INTERRUPTED
    assert desk.book() == ["tea", "groceries"]
    assert list(outside.all_pending(desk.store)) == []


@pytest.mark.parametrize(("answer", "left"), [("approved", ["tea"]), ("declined", ["tea", "groceries"])])
def test_who_answers_second_is_told_who_was_first(desk: Desk, answer: str, left: list[str]) -> None:
    """The first answer counts, and is carried out at once."""
    first = Given("approved" if answer == "approved" else "declined", "")
    with pytest.raises(Refusal, match=f"ben was first: {answer}"):
        desk.undo(Approve(), first=first)
    assert desk.book() == left
    assert desk.session.state.current_call is None


def test_a_question_that_expires_is_taken_away(tmp_path: Path) -> None:
    """Nothing is undone, and the record says that nobody answered."""
    desk = Desk(tmp_path, expires=timedelta(seconds=2))
    assert desk.undo() is Exit.DONE
    assert desk.book() == ["tea", "groceries"]
    assert [entry.answer for entry in written(desk.store, desk.session.id, e.Answered)] == ["expired"]
    assert isinstance(desk.face.asked[0], QuestionView)
    desk.close()
