"""Persons answer from any process, and what they say is checked where it is stored."""

import asyncio
import os
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.pending import Kind
from agentcli.session.persons import Given, Person, Refused
from agentcli.store.register import NoSuch, delete_session, list_sessions
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.risk import Risk
from agentcli.wiring import outside, stores
from agentcli.wiring.identity import login_name, this_person
from tests.store.processes import another_writer
from tests.wiring.garage import begin, carry_on, garage, go_on, say, store_at, written

BO = Person("bo", "approvals")
PARK, SCRAP, LIFT = (f'call {tool} {{"plate":"A-1"}}' for tool in ("park", "scrap", "lift"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with store_at(tmp_path) as store:
        yield store


async def waiting(
    store: SqliteStore, *calls: str, level: Level = Level.PROPOSE, **more: Any
) -> tuple[str, str, str]:
    """A session that waits in nobody's hands: its id, the call it waits about, and the question's code."""
    session = begin(store, level=level, **more)
    await say(session, " & ".join(calls))
    session.close()
    (found,) = [one for one in outside.all_pending(store) if one.session == session.id]
    return session.id, found.call_id, found.code or ""


def no_journal_of(store: SqliteStore, session: str) -> bool:
    return session not in store.sessions()


async def test_what_waits_is_found_in_all_sessions(store: SqliteStore) -> None:
    """The session with the newest entry first; a session in which nothing waits is not there."""
    first, _, _ = await waiting(store, PARK)
    second, _, _ = await waiting(store, LIFT, level=Level.ALONE)
    await say(begin(store), "hello")
    found = [(one.session, one.kind, one.tool) for one in outside.all_pending(store)]
    assert found == [(second, Kind.INPUT, "lift"), (first, Kind.APPROVAL, "park")]


async def test_an_answer_is_recorded_with_who_gave_it_and_from_where(store: SqliteStore) -> None:
    """Login name, user id, terminal, host and the chain of processes; and how long the question stood."""
    session, call_id, code = await waiting(store, PARK)
    outside.answer(store, session, call_id, Given("approved", code), this_person("approvals"))
    (answered,) = written(store, session, e.Answered)
    assert (answered.answer, answered.by, answered.channel) == ("approved", login_name(), "approvals")
    assert (answered.origin.uid, answered.origin.host) == (os.getuid(), socket.gethostname())
    assert answered.origin.chain[0].endswith(f"[{os.getppid()}]")
    assert 0 <= answered.seconds < 60


async def test_an_answer_runs_nothing(store: SqliteStore) -> None:
    """Whoever holds the session next does what was said."""
    effects: list[str] = []
    session, call_id, code = await waiting(store, PARK)
    outside.answer(store, session, call_id, Given("approved", code), BO)
    assert written(store, session, e.Finished) == []
    held = go_on(store, session, garage(happens=effects.append))
    assert effects == []
    await carry_on(held)
    assert effects == ["park A-1"]


async def test_the_holder_goes_on_after_an_answer_given_elsewhere(store: SqliteStore) -> None:
    """It takes in what was stored, and the person is named."""
    effects: list[str] = []
    held = begin(store, garage(happens=effects.append))
    await say(held, PARK)
    (question,) = held.waiting
    outside.answer(store, held.id, question.call_id, Given("approved", question.code), BO)
    await carry_on(held)
    assert effects == ["park A-1"]
    answered = held.state.calls[question.call_id].answered
    assert answered is not None
    assert answered.by == "bo"


async def test_the_second_of_two_answers_is_told_who_was_first(store: SqliteStore) -> None:
    """One answer counts, and it is not overruled."""
    session, call_id, code = await waiting(store, PARK)
    outside.answer(store, session, call_id, Given("declined", code), BO)
    second = outside.answer(store, session, call_id, Given("approved", code), BO)
    assert isinstance(second, Refused)
    assert second.reason.startswith("bo was first: declined after ")
    assert [one.answer for one in written(store, session, e.Answered)] == ["declined"]


async def test_of_many_answers_at_once_one_counts(store: SqliteStore, tmp_path: Path) -> None:
    """However they come, the others are told who was first."""
    session, call_id, code = await waiting(store, PARK)

    def answer(number: int) -> e.Answered | Refused:
        with store_at(tmp_path) as own:
            return outside.answer(
                own, session, call_id, Given("approved", code), Person(f"p{number}", "approvals")
            )

    with ThreadPoolExecutor(6) as threads:
        said = list(threads.map(answer, range(6)))
    (first,) = [one for one in said if isinstance(one, e.Answered)]
    assert {one.reason.split(":")[0] for one in said if isinstance(one, Refused)} == {f"{first.by} was first"}
    assert written(store, session, e.Answered) == [first]


async def test_an_answer_names_the_question_that_was_seen(store: SqliteStore) -> None:
    """With another code nothing is recorded."""
    session, call_id, _ = await waiting(store, PARK)
    refused = outside.answer(store, session, call_id, Given("approved", "000000"), BO)
    assert isinstance(refused, Refused)
    assert "look at it again" in refused.reason
    assert written(store, session, e.Answered) == []


@pytest.mark.parametrize(("call", "counts"), [(PARK, True), (SCRAP, False)], ids=["write", "irreversible"])
async def test_what_may_be_approved_can_be_limited(store: SqliteStore, call: str, counts: bool) -> None:
    """A no is always taken."""
    session, call_id, code = await waiting(store, call)
    allowed = frozenset({Risk.READ, Risk.WRITE})
    said = outside.answer(store, session, call_id, Given("approved", code), BO, may_approve=allowed)
    assert isinstance(said, e.Answered) is counts
    if not counts:
        assert isinstance(said, Refused)
        assert said.reason == "irreversible calls can't be approved without a terminal; approve it at one"
        declined = outside.answer(store, session, call_id, Given("declined", code), BO, may_approve=allowed)
        assert isinstance(declined, e.Answered)


async def test_an_answer_to_an_expired_question_does_not_count(store: SqliteStore) -> None:
    """It waits no more, whoever looks."""
    session = begin(store, expires=timedelta(seconds=0.3))
    await say(session, PARK)
    session.close()
    assert len(list(outside.all_pending(store))) == 1
    await asyncio.sleep(0.3)
    ((call_id, call),) = session.state.calls.items()
    refused = outside.answer(store, session.id, call_id, Given("approved", call.question_code), BO)
    assert refused == Refused("the question has expired")
    assert list(outside.all_pending(store)) == []
    assert outside.look_at(store, session.id, call_id).obstacle == "the question has expired"


Act = Callable[[SqliteStore, str, str], object]
ACTS: dict[str, Act] = {
    "answer": lambda store, session, call: outside.answer(store, session, call, Given("approved", ""), BO),
    "edit": lambda store, session, call: outside.edit(store, session, call, "{}", "", BO),
    "supply": lambda store, session, call: outside.supply(store, session, call, "{}", BO),
    "decline_form": lambda store, session, call: outside.decline_form(store, session, call, "", BO),
    "settle": lambda store, session, call: outside.settle(store, session, call, "happened", BO),
    "say": lambda store, session, call: outside.say(store, session, "hello", BO),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
async def test_nothing_is_stored_for_a_session_that_was_deleted(store: SqliteStore, act: Act) -> None:
    """An entry would begin a journal that nobody has opened."""
    session, call_id, _ = await waiting(store, PARK)
    stores.write(store, lambda tx: delete_session(tx, session, "ana", now()))
    with pytest.raises(NoSuch):
        act(store, session, call_id)
    assert no_journal_of(store, session)


async def test_a_session_that_was_deleted_can_t_be_held(store: SqliteStore) -> None:
    """Whoever had found it before is told that it is gone."""
    session, _, _ = await waiting(store, PARK)
    stores.write(store, lambda tx: delete_session(tx, session, "ana", now()))
    with pytest.raises(NoSuch):
        go_on(store, session)
    assert no_journal_of(store, session)
    assert not store.is_held(session)


def now() -> datetime:
    return datetime.now(UTC)


async def test_a_call_that_is_not_there_is_told_so(store: SqliteStore) -> None:
    """Also where the session is."""
    session, _, _ = await waiting(store, PARK)
    with pytest.raises(NoSuch):
        outside.look_at(store, session, "nope")


async def test_an_edit_from_elsewhere_is_asked_about_anew(store: SqliteStore) -> None:
    """It closes the question, and the holder asks about the new input."""
    effects: list[str] = []
    session, call_id, code = await waiting(store, PARK)
    edited = outside.edit(store, session, call_id, '{"plate":"B-2"}', code, BO)
    assert isinstance(edited, e.Answered)
    assert outside.look_at(store, session, call_id).waits is None
    held = go_on(store, session, garage(happens=effects.append))
    await carry_on(held)
    (question,) = held.waiting
    assert (question.preview, question.code == code) == (("will park B-2",), False)
    await held.answer_as(BO, call_id, Given("approved", question.code))
    await carry_on(held)
    assert effects == ["park B-2"]


async def test_a_form_is_filled_in_from_elsewhere(store: SqliteStore) -> None:
    """What does not fit is refused, and the form stays open; what fits is what the tool gets."""
    effects: list[str] = []
    session, call_id, _ = await waiting(store, LIFT, level=Level.ALONE)
    for wrong in ("", "{}", '{"bay":"middle"}', '{"bay":1}', '{"bay":"left","more":1}', "null", "[]"):
        assert isinstance(outside.supply(store, session, call_id, wrong, BO), Refused), wrong
    assert isinstance(outside.supply(store, session, call_id, ' {"bay": "left"} ', BO), e.Supplied)
    assert isinstance(outside.supply(store, session, call_id, '{"bay":"right"}', BO), Refused)
    held = go_on(store, session, garage(happens=effects.append), Level.ALONE)
    await carry_on(held)
    assert effects == ["lift A-1 left"]


async def test_words_from_elsewhere_are_numbered_and_heard(store: SqliteStore) -> None:
    """The next run hears them."""
    session, _, _ = await waiting(store, PARK)
    assert [outside.say(store, session, text, BO).no for text in ("wait", "and lift it")] == [2, 3]
    assert go_on(store, session).state.unheard == [2, 3]


async def test_another_writer_is_waited_for(store: SqliteStore, tmp_path: Path) -> None:
    """A store that is busy for a moment is no reason to lose an answer."""
    session, call_id, code = await waiting(store, PARK)

    def answer() -> e.Answered | Refused:
        with store_at(tmp_path) as own:
            return outside.answer(own, session, call_id, Given("approved", code), BO)

    with ThreadPoolExecutor(1) as threads:
        with another_writer(tmp_path / "store.db"):
            coming = threads.submit(answer)
            with pytest.raises(TimeoutError):
                coming.result(timeout=0.3)
        assert isinstance(coming.result(timeout=60), e.Answered)


def started(store: SqliteStore, session: str, call_id: str) -> None:
    """Leave the journal as a process does that is killed while a tool is at work."""
    held = go_on(store, session)
    call = held.state.calls[call_id]
    assert call.decided is not None
    entry = e.Started(call_id, call.decided.digest)
    stores.write(store, lambda tx: tx.append(session, entry, now()))
    held.close()


@pytest.mark.parametrize("outcome", ["happened", "not", "retry"])
async def test_a_call_that_was_at_work_when_its_process_died_is_settled(store: SqliteStore, outcome: Any) -> None:
    """Before anybody goes on with the session; then what was said counts."""
    effects: list[str] = []
    session, call_id, code = await waiting(store, SCRAP)
    outside.answer(store, session, call_id, Given("approved", code), BO)
    started(store, session, call_id)
    assert [one.kind for one in outside.all_pending(store)] == [Kind.OUTCOME]
    assert isinstance(outside.settle(store, session, call_id, outcome, BO), e.Reconciled)
    assert isinstance(outside.settle(store, session, call_id, "retry", BO), Refused)
    held = go_on(store, session, garage(happens=effects.append))
    await carry_on(held)
    assert effects == (["scrap A-1"] if outcome == "retry" else [])
    assert held.state.calls[call_id].settled


async def test_a_call_at_work_is_not_settled_while_its_process_lives(store: SqliteStore) -> None:
    """It may report back any moment."""
    session, call_id, code = await waiting(store, SCRAP)
    outside.answer(store, session, call_id, Given("approved", code), BO)
    started(store, session, call_id)
    with store.hold(session):
        assert list(outside.all_pending(store)) == []
        refused = outside.settle(store, session, call_id, "happened", BO)
    assert refused == Refused(f"the outcome of the call {call_id!r} is not open")


async def test_looking_at_a_call_tells_what_waits_or_why_nothing_does(store: SqliteStore) -> None:
    """After the answer it is told who gave it, after the end that it is over."""
    session, call_id, code = await waiting(store, PARK)
    seen = outside.look_at(store, session, call_id)
    assert (seen.waits is not None, seen.obstacle) == (True, "")
    outside.answer(store, session, call_id, Given("declined", code), BO)
    seen = outside.look_at(store, session, call_id)
    assert (seen.waits, seen.obstacle[:12]) == (None, "bo was first")


async def test_after_a_run_nothing_is_left_waiting(store: SqliteStore) -> None:
    """There is no other place than the journal where something could wait."""
    session, call_id, code = await waiting(store, PARK)
    outside.answer(store, session, call_id, Given("approved", code), BO)
    held = go_on(store, session)
    await carry_on(held)
    held.close()
    assert list(outside.all_pending(store)) == []
    assert [listing.session for listing in list_sessions(store)] == [session]
