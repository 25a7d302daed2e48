"""A person takes the last write back, or is told why not and by what."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agentcli.agents import shipped
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.persons import Given, Person, Refused
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.session import Session
from agentcli.wiring.undoing import later_write
from agentcli.wiring.waiting import Waiting
from tests.wiring.garage import begin, carry_on, garage, go_on, say, store_at, written

ANA = Person("ana", "undo")
EXPENSES = shipped("expenses")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with store_at(tmp_path) as store:
        yield store


def bookkeeper(store: SqliteStore) -> Session:
    return begin(store, EXPENSES, level=Level.ALONE)


async def undone(session: Session, *, approve: bool = True) -> str:
    """Undo as a person does; return what became of it."""
    waiting = await session.undo(ANA)
    assert isinstance(waiting, Waiting), waiting
    given = Given("approved" if approve else "declined", waiting.code)
    assert isinstance(await session.answer_as(ANA, waiting.call_id, given), e.Answered)
    await session.settle_own_calls()
    finished = session.state.calls[waiting.call_id].finished
    assert finished is not None
    return finished.status


async def refusal(session: Session) -> str:
    refused = await session.undo(ANA)
    assert isinstance(refused, Refused), refused
    return refused.reason


def items(store: SqliteStore) -> list[str]:
    with store.look() as tables:
        return [item for (item,) in tables.execute("SELECT item FROM expenses_book ORDER BY id")]


async def test_undo_reverses_the_last_write_and_again_the_one_before(store: SqliteStore) -> None:
    """Until nothing of this session is left to undo."""
    session = bookkeeper(store)
    await say(session, "add 5 for cake. add 3 for bus")
    assert await undone(session) == "ok"
    assert items(store) == ["tea", "cake"]
    assert await undone(session) == "ok"
    assert items(store) == ["tea"]
    assert await refusal(session) == "there is nothing to undo"


async def test_an_undo_is_shown_before_it_is_done(store: SqliteStore) -> None:
    """The call that will be reversed, with what it gave."""
    session = bookkeeper(store)
    await say(session, "add 5 for cake")
    waiting = await session.undo(ANA)
    assert isinstance(waiting, Waiting)
    will, gave = waiting.preview
    assert will.startswith('will undo: add_expense {"item":"cake","amount":5')
    assert gave.startswith('which gave: {"expense":{"id":2,"item":"cake"')
    assert items(store) == ["tea", "cake"]


async def test_a_row_that_is_gone_is_told_with_what_removed_it(store: SqliteStore) -> None:
    """One sentence, and then the other."""
    session = bookkeeper(store)
    await say(session, "add 5 for cake")
    other = bookkeeper(store)
    await say(other, "delete expense 2")
    reason = await refusal(session)
    assert f'nothing left to undo. What came after it: delete_expense {{"id":2}} in session {other.id}' in reason


async def test_an_undo_that_is_declined_leaves_everything_and_can_be_asked_again(store: SqliteStore) -> None:
    """A no holds for this once."""
    session = bookkeeper(store)
    await say(session, "add 5 for cake")
    assert await undone(session, approve=False) == "declined"
    assert items(store) == ["tea", "cake"]
    assert await undone(session) == "ok"


async def test_no_level_is_asked_for_an_undo(store: SqliteStore) -> None:
    """It is the person's own act: also where the agent may do nothing."""
    session = bookkeeper(store)
    await say(session, "add 5 for cake")
    await session.set_level(Level.TALK, by="ana", cause="/level")
    assert await undone(session) == "ok"


async def test_an_undo_that_nobody_answered_is_taken_up_again(store: SqliteStore) -> None:
    """Whoever comes next is asked the same question; no second undo is proposed beside it."""
    session = bookkeeper(store)
    await say(session, "add 5 for cake. add 3 for bus")
    waiting = await session.undo(ANA)
    assert isinstance(waiting, Waiting)
    session.close()
    again = go_on(store, session.id, EXPENSES, Level.ALONE)
    assert await again.undo(ANA) == waiting
    assert len(written(store, session.id, e.Proposed)) == 1
    assert await undone(again) == "ok"
    assert items(store) == ["tea", "cake"]


async def test_an_undo_whose_process_died_before_it_asked_is_taken_up_again(store: SqliteStore) -> None:
    """Nothing keeps the session from being gone on with."""
    session = bookkeeper(store)
    await say(session, "add 5 for cake")
    (write,) = [call for call in session.state.calls.values() if call.can_be_undone]
    with store.transaction() as transaction:
        entry = e.Proposed("undo_1", write.tool, write.input, "ana", write.call_id)
        transaction.append(session.id, entry, datetime.now(UTC))
    session.catch_up()
    assert await undone(session) == "ok"
    assert items(store) == ["tea"]


async def test_while_a_run_is_open_nothing_is_undone(store: SqliteStore) -> None:
    """What the run has still to do may rest on it."""
    session = bookkeeper(store)
    await say(session, "add 5 for cake")
    await session.set_level(Level.PROPOSE, by="ana", cause="/level")
    await say(session, "add 3 for bus")
    assert (await refusal(session)).startswith("a run is open")


async def test_a_row_changed_since_is_told_with_what_changed_it(store: SqliteStore) -> None:
    """By which call, in which session: here in another one."""
    session = bookkeeper(store)
    await say(session, "add 5 for cake")
    other = bookkeeper(store)
    await say(other, "change expense 2 to 6")
    reason = await refusal(session)
    assert reason.startswith("expense 2 was changed since: amount 5.00 USD → 6.00 USD.")
    assert f'What came after it: update_expense {{"id":2,"amount":6}} in session {other.id}' in reason
    assert items(store) == ["tea", "cake"]


async def test_a_row_changed_since_in_the_same_session_is_told_too(store: SqliteStore) -> None:
    """Undone in the order of the book, not in that of the calls, nothing would fit."""
    session = bookkeeper(store)
    await say(session, "add 5 for cake")
    await say(session, "delete expense 2")
    assert f'delete_expense {{"id":2}} in session {session.id}' in await refusal(session)


async def test_once_the_change_is_taken_back_the_write_can_be(store: SqliteStore) -> None:
    """What counts is how the row stands."""
    session, other = bookkeeper(store), bookkeeper(store)
    await say(session, "add 5 for cake")
    await say(other, "change expense 2 to 6")
    await refusal(session)
    assert await undone(other) == "ok"
    assert await undone(session) == "ok"
    assert items(store) == ["tea"]


async def test_the_newest_change_is_named(store: SqliteStore) -> None:
    """Also where it was an undo."""
    session, other = bookkeeper(store), bookkeeper(store)
    await say(session, "add 5 for cake")
    await say(other, "change expense 2 to 6. change expense 2 to 7")
    assert '{"id":2,"amount":7}' in await refusal(session)
    assert await undone(other) == "ok"
    assert f'an undo of update_expense {{"id":2,"amount":7}} in session {other.id}' in await refusal(session)


async def test_other_rows_have_nothing_to_do_with_it(store: SqliteStore) -> None:
    """Neither another expense nor a note with the same number; nor what only looked, or failed."""
    session, other = bookkeeper(store), bookkeeper(store)
    await say(session, "add 5 for cake")
    await say(other, "add 3 for bus. note: a. note: b. list. delete expense 9")
    ((call_id, _),) = session.state.calls.items()
    assert later_write(store, session.id, call_id) is None


async def test_agents_with_other_books_have_nothing_to_do_with_it(store: SqliteStore) -> None:
    """Their numbers mean other things."""
    session = bookkeeper(store)
    await say(session, "add 5 for cake")
    cars = begin(store, garage(happens=lambda what: None), level=Level.ALONE)
    await say(cars, 'call park {"plate":"A-1"}')
    (call_id,) = session.state.calls
    assert later_write(store, session.id, call_id) is None


async def test_a_call_that_wrote_nothing_has_nothing_after_it(store: SqliteStore) -> None:
    """There is nothing that somebody could have changed."""
    session = bookkeeper(store)
    await say(session, "list")
    (call_id,) = session.state.calls
    assert later_write(store, session.id, call_id) is None


async def test_an_import_is_told_what_changed_one_of_its_rows(store: SqliteStore, tmp_path: Path) -> None:
    """Its rows are in what its undo needs."""
    (tmp_path / "lunch.csv").write_text("item,amount,date\ntea,4,2026-11-02\nbus,3,2026-11-03\n")
    session = begin(store, EXPENSES, level=Level.ALONE, import_folder=str(tmp_path))
    await say(session, "import lunch.csv")
    other = bookkeeper(store)
    await say(other, "delete expense 3")
    assert f'expense 3 was deleted since. Take the others out by hand instead. What came after it: delete_expense {{"id":3}} in session {other.id}' in await refusal(session)  # fmt: skip


async def test_an_undo_outside_the_store_is_run_and_recorded(store: SqliteStore) -> None:
    """As any call elsewhere: it starts, and reports back."""
    effects: list[str] = []
    session = begin(store, garage(happens=effects.append), level=Level.ALONE)
    await say(session, 'call park {"plate":"A-1"}')
    assert await undone(session) == "ok"
    assert effects == ["park A-1", "unpark A-1"]
    assert await refusal(session) == "there is nothing to undo"


async def test_an_undo_whose_outcome_nobody_knows_is_settled_first(store: SqliteStore) -> None:
    """It is neither repeated nor passed over."""
    session = begin(store, garage(happens=lambda what: None), level=Level.ALONE)
    await say(session, 'call park {"plate":"A-1"}')
    waiting = await session.undo(ANA)
    assert isinstance(waiting, Waiting)
    await session.answer_as(ANA, waiting.call_id, Given("approved", waiting.code))
    call = session.state.calls[waiting.call_id]
    assert call.decided is not None
    with store.transaction() as transaction:
        transaction.append(session.id, e.Started(call.call_id, call.decided.digest), datetime.now(UTC))
    session.close()
    again = go_on(store, session.id, garage(happens=lambda what: None), Level.ALONE)
    assert "is not known; settle that first" in await refusal(again)
    await again.settle(ANA, waiting.call_id, "happened")
    await again.settle_own_calls()
    assert await refusal(again) == "there is nothing to undo"


async def test_the_model_hears_of_an_undo_beside_the_next_words(store: SqliteStore) -> None:
    """In a block of its own, so that it does not count on what is gone."""
    session = bookkeeper(store)
    await say(session, "add 5 for cake")
    await undone(session)
    await say(session, "list")
    assert any(
        b"[undo] ana has undone add_expense" in message for message in session.state.conversation.messages()
    )


async def test_an_edit_that_the_tool_could_never_take_does_not_count(store: SqliteStore) -> None:
    """The question stays open, and the person is told what is wrong."""
    session = begin(store, garage(happens=lambda what: None))
    await say(session, 'call park {"plate":"A-1"}')
    (waiting,) = session.waiting
    for text in ('{"plate":1}', "{}", '{"plate":"A-1","more":1}', "y"):
        refused = await session.edit(ANA, waiting.call_id, text, waiting.code)
        assert isinstance(refused, Refused)
        assert refused.reason.startswith("the input does not fit")
    assert session.waiting == [waiting]
    assert isinstance(await session.edit(ANA, "nope", "{}", waiting.code), Refused)
    assert isinstance(await session.edit(ANA, waiting.call_id, '{"plate":"B-2"}', waiting.code), e.Answered)
    await carry_on(session)
    assert session.waiting[0].preview == ("will park B-2",)


async def test_what_only_the_tool_itself_refuses_is_no_edit_either(store: SqliteStore) -> None:
    """A slip is told at the question, and no call is lost over it."""
    session = begin(store, EXPENSES)
    await say(session, "add 5 for cake")
    (waiting,) = session.waiting
    refused = await session.edit(ANA, waiting.call_id, '{"item":"cake","amount":12.345}', waiting.code)
    assert isinstance(refused, Refused)
    assert "12.345" in refused.reason
    assert session.waiting == [waiting]
