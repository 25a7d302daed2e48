"""A conversation on a face without a screen: what becomes of everything a person can do."""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.allowance import RunLimits
from agentcli.session.persons import Given, Person
from agentcli.session.ports import StoreFailure
from agentcli.store.register import set_draining
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal import happened as h
from agentcli.terminal.conversation.chat import Chat
from agentcli.terminal.conversation.leaving import STILL_STOPPING, STOPPED_ELSEWHERE, STOPPING
from agentcli.terminal.conversation.questions import QUICK
from agentcli.terminal.conversation.resting import Parting
from agentcli.terminal.keys import AGAIN_S, Effect
from agentcli.terminal.question.answer import Approve, ApproveAndRaise, Decline
from agentcli.terminal.question.arming import Standing
from agentcli.terminal.question.frame import QuestionView
from agentcli.terminal.slash.wishes import GoTo
from agentcli.wiring import outside
from agentcli.wiring.session import Session
from agentcli.wiring.stores import write
from tests.terminal.fake_face import FakeFace
from tests.wiring import garage as g

BEA = Person("bea", "approvals")
NO_LIMITS = RunLimits()
SCRAP = 'call scrap {"plate":"B-1"}'
PARK = 'call park {"plate":"B-1"}'
LIFT = 'call lift {"plate":"B-1"}'
FIND = 'call find_car {"plate":"B-1"}'


class Held:
    """What the garage's tools do: they write it down, and wait if they are told to."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.may_go = threading.Event()
        self.may_go.set()

    def __call__(self, what: str) -> None:
        self.may_go.wait(60)
        self.done.append(what)


class Bench:
    """A session with the garage, a face, and a conversation between the two; `others` are other processes."""

    def __init__(
        self, path: Path, level: Level = Level.PROPOSE, *, can_answer: bool = True, limits: RunLimits = NO_LIMITS
    ) -> None:
        self.store = SqliteStore.open(path)
        self.others = SqliteStore.open(path)
        self.held = Held()
        self.agent = g.garage(happens=self.held)
        terms = replace(g.terms(self.agent, level), limits=limits)
        self.session = Session.begin(self.agent, self.store, terms)
        self.face = FakeFace(can_answer=can_answer)
        self.chat = Chat(self.session, self.store, self.face)
        self.talking: asyncio.Task[Parting] | None = None

    def talk(self, said: str | None = None, *, goes_on: bool = False) -> None:
        """Begin to talk."""
        self.talking = asyncio.ensure_future(self.chat.talk(said, goes_on=goes_on))

    async def parting(self) -> Parting:
        """Wait until it is left."""
        assert self.talking is not None
        async with asyncio.timeout(60):
            return await self.talking

    async def leave(self) -> None:
        """Leave it as it is; whatever is still at work is gone, as it is when a process ends."""
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        self.held.may_go.set()
        self.session.close()
        self.others.close()
        self.store.close()

    def written(self, kind: type[e.Entry]) -> list[Any]:
        """The entries of a kind that stand in its journal."""
        return g.written(self.store, self.session.id, kind)

    @property
    def statuses(self) -> list[str]:
        """How the calls ended."""
        return [finished.status for finished in self.written(e.Finished)]


Begin = Callable[..., Bench]


@pytest.fixture
async def begin(tmp_path: Path) -> AsyncIterator[Begin]:
    """Begins a conversation, in which the first words may be said at once."""
    benches: list[Bench] = []

    def begun(said: str | None = None, level: Level = Level.PROPOSE, **more: Any) -> Bench:
        bench = Bench(tmp_path / f"{len(benches)}.db", level, **more)
        benches.append(bench)
        bench.talk(said)
        return bench

    yield begun
    for bench in benches:
        await bench.leave()


# Words and questions


async def test_words_are_stored_before_they_are_said_to_be(begin: Begin) -> None:
    """And start a run where none is going on."""
    bench = begin()
    bench.face.says(FIND)
    await bench.face.until("find_car: ok")
    assert bench.face.lines[:5] == [
        "",
        f"› {FIND}",
        "queued #1",
        "heard #1 at step 1",
        '[allow] find_car {"plate":"B-1"}',
    ]
    assert [said.channel for said in bench.written(e.Said)] == ["terminal"]


async def test_a_yes_runs_the_call_and_a_no_does_not(begin: Begin) -> None:
    """Each is one audit line, and the terminal is named as where it came from."""
    bench = begin(f"{PARK} & {SCRAP}")
    await bench.face.until(lambda: bench.face.open)
    bench.face.answers()
    await bench.face.until(lambda: bench.face.open and bench.face.question.tool == "scrap")
    assert bench.held.done == ["park B-1"]
    bench.face.answers(Decline("it still runs"))
    await bench.face.until("[declined] scrap by ")
    await bench.face.until("scrap: declined")
    assert bench.statuses == ["ok", "declined"]
    assert {answered.channel for answered in bench.written(e.Answered)} == {"terminal"}


async def test_an_answer_that_does_not_count_is_told_and_asked_again(begin: Begin) -> None:
    """For instance one to an earlier asking."""
    bench = begin(PARK)
    await bench.face.until(lambda: bench.face.open)
    view = bench.face.question
    bench.face.open = None
    bench.face.does(h.AnswerGiven(view.call_id, "000000", ApproveAndRaise(), 1.0))
    await bench.face.until("the question has changed")
    await bench.face.until(lambda: bench.face.open)
    assert bench.held.done == []
    assert bench.written(e.LevelSet) == []


async def test_who_comes_second_is_told_who_was_first(begin: Begin) -> None:
    """The answer that was on its way does nothing."""
    bench = begin(PARK)
    await bench.face.until(lambda: bench.face.open)
    view = bench.face.question
    outside.answer(bench.others, bench.session.id, view.call_id, Given("declined", view.code), BEA)
    bench.face.answers()
    await bench.face.until("bea was first: declined")
    await bench.face.until("[declined] park by bea")
    assert bench.held.done == []


async def test_an_answer_given_elsewhere_closes_the_question(begin: Begin) -> None:
    """And the run goes on."""
    bench = begin(PARK)
    await bench.face.until(lambda: bench.face.open)
    view = bench.face.question
    outside.answer(bench.others, bench.session.id, view.call_id, Given("approved", view.code), BEA)
    await bench.face.until("answered elsewhere by bea (approvals)")
    await bench.face.until("park: ok")
    assert bench.face.open is None


async def test_words_that_could_have_been_an_answer_say_why_they_are_none(begin: Begin) -> None:
    """Others need no explanation."""
    bench = begin(PARK)
    await bench.face.until(lambda: bench.face.open)
    bench.face.does(h.WordsEntered("y", Standing.PASTED), h.WordsEntered("hello"))
    await bench.face.until("queued #3")
    [told] = [line for line in bench.face.lines if "no answer" in line]
    assert told == "a message, no answer: pasted or recalled, not typed; /queue drop 2 takes it back"
    assert bench.face.open is not None


@pytest.mark.parametrize("is_redrawn", [False, True], ids=["lines alone", "a screen"])
async def test_who_can_not_see_the_question_is_told_that_it_stays_open(begin: Begin, is_redrawn: bool) -> None:
    """Words said to it are a message; on a screen it stands there."""
    bench = begin(PARK)
    await bench.face.until(lambda: bench.face.open)
    bench.face.is_redrawn = is_redrawn
    bench.face.says("is that the red one?")
    await bench.face.until("queued #2")
    bench.face.types("/queue")
    await bench.face.until("#2    is that the red one?")
    assert bench.face.lines.count("the question stays open") == (0 if is_redrawn else 1)
    assert bench.face.open is not None


async def test_words_of_others_start_a_run_too(begin: Begin) -> None:
    """A conversation that is idle hears what is said to its session."""
    bench = begin()
    outside.say(bench.others, bench.session.id, FIND, BEA)
    await bench.face.until("find_car: ok")


# Forms, outcomes, offers


async def test_a_form_is_supplied_once_it_is_full(begin: Begin) -> None:
    """What does not fit is said above the same field."""
    bench = begin(LIFT)
    await bench.face.until(lambda: bench.face.open)
    bench.face.answers()
    await bench.face.until(lambda: bench.face.open)
    assert bench.face.prompt.lines == ("both are free", "bay", "  1 left", "  2 right")
    bench.face.enters("middle")
    await bench.face.until(lambda: bench.face.open and bench.face.prompt.complaint)
    assert bench.face.prompt.follows
    bench.face.enters("2")
    await bench.face.until("lift: ok")
    assert bench.held.done == ["lift B-1 right"]


async def test_a_line_for_a_form_that_is_gone_does_nothing(begin: Begin) -> None:
    """It was filled in elsewhere meanwhile."""
    bench = begin(LIFT)
    await bench.face.until(lambda: bench.face.open)
    bench.face.answers()
    await bench.face.until(lambda: bench.face.open and bench.face.prompt)
    call_id = bench.face.asked[0].call_id  # type: ignore[union-attr]
    outside.supply(bench.others, bench.session.id, call_id, '{"bay":"left"}', BEA)
    await bench.face.until("answered elsewhere by bea")
    bench.face.enters("right")
    await bench.face.until("lift: ok")
    assert bench.held.done == ["lift B-1 left"]


async def test_a_key_drops_the_form_and_stops_the_run(begin: Begin) -> None:
    """The call is cancelled."""
    bench = begin(LIFT)
    await bench.face.until(lambda: bench.face.open)
    bench.face.answers()
    await bench.face.until(lambda: bench.face.open and bench.face.prompt)
    bench.face.does(h.KeyPressed(Effect.CANCEL))
    await bench.face.until("stopped")
    assert bench.statuses == ["cancelled"]
    assert bench.face.open is None


async def left_in_the_middle(bench: Bench) -> Session:
    """A session whose process is gone while a call is at work, held by the next process."""
    bench.held.may_go.clear()
    await bench.face.until(lambda: bench.face.open)
    bench.face.answers()
    await bench.face.until(lambda: bench.written(e.Started))
    bench.face.does(h.KeyPressed(Effect.STOP), h.KeyPressed(Effect.LEAVE))
    assert await bench.parting() is Parting.AT_ONCE
    bench.session.close()
    return g.go_on(bench.store, bench.session.id, bench.agent)


@pytest.mark.parametrize(("outcome", "status"), [("happened", "unknown_outcome"), ("not", "fault")])
async def test_a_person_says_what_became_of_a_call(begin: Begin, outcome: str, status: str) -> None:
    """Nobody repeats it by itself."""
    bench = begin(SCRAP)
    session = await left_in_the_middle(bench)
    face = FakeFace()
    talking = asyncio.ensure_future(Chat(session, bench.store, face).talk(goes_on=True))
    await face.until(lambda: face.open)
    face.does(h.KeyPressed(Effect.CANCEL))
    await face.until("the run stops once this is answered")
    face.enters(outcome)
    await face.until("stopped")
    face.does(h.KeyPressed(Effect.LEAVE))
    assert await talking is Parting.INTERRUPTED
    session.close()
    assert bench.statuses[-1] == status


async def test_a_limit_is_followed_by_an_offer(begin: Begin) -> None:
    """A yes goes on, a no rests, and words block what is undecided."""
    bench = begin(PARK, limits=RunLimits(asks=0))
    await bench.face.until(lambda: bench.face.open)
    assert bench.face.prompt.asks == "Go on with a fresh allowance? (y/n)"
    assert bench.face.prompt.lines == ('not decided yet: park {"plate":"B-1"}',)
    bench.face.enters("yes")
    await bench.face.until(lambda: len(bench.face.asked) == 2)
    assert bench.face.lines.count("Stopped: limit on questions reached") == 2
    bench.face.enters("no")
    await bench.face.until(lambda: bench.face.open is None)
    bench.face.says(FIND)
    await bench.face.until("park: blocked")
    assert bench.statuses[0] == "blocked"


async def test_an_offer_can_be_dropped_or_left(begin: Begin) -> None:
    """Who leaves at it is told of the limit by the exit code."""
    bench = begin(PARK, limits=RunLimits(asks=0))
    await bench.face.until(lambda: bench.face.open)
    bench.face.does(h.KeyPressed(Effect.CANCEL))
    await bench.face.until(lambda: bench.face.open is None)
    bench.face.does(h.KeyPressed(Effect.LEAVE_SAFELY))
    assert await bench.parting() is Parting.DONE
    bench.talk()
    await bench.face.until(lambda: bench.face.open)
    bench.face.does(h.KeyPressed(Effect.LEAVE_OPEN))
    assert await bench.parting() is Parting.ENDED


# Keys, signals, leaving


async def test_five_quick_yeses_are_said_once(begin: Begin) -> None:
    """In a line that stays; the question after them knows of them, and so does the next, until one takes its time."""
    bench = begin(" & ".join(f'call park {{"plate":"B-{number}"}}' for number in range(8)))
    quick, said = [], []
    for _ in range(7):
        await bench.face.until(lambda: bench.face.open is not None)
        quick.append(bench.face.question.quick_yeses)
        said.append(bench.face.text.replace("\n  ", " ").count(QUICK))
        bench.face.answers()
    assert quick == [0, 1, 2, 3, 4, 5, 6]
    assert said == [0, 0, 0, 0, 0, 1, 1]


async def test_a_question_that_is_cancelled_stops_the_run(begin: Begin) -> None:
    """The calls behind it are cancelled as well."""
    bench = begin(f"{PARK} & {SCRAP}")
    await bench.face.until(lambda: bench.face.open)
    bench.face.answers(h.Cancelled())
    await bench.face.until("stopped")
    assert STOPPED_ELSEWHERE not in bench.face.lines
    assert bench.statuses == ["cancelled", "cancelled"]
    bench.face.does(h.KeyPressed(Effect.LEAVE))
    assert await bench.parting() is Parting.INTERRUPTED


async def test_a_stop_is_said_once_and_waits_for_the_tool(begin: Begin) -> None:
    """However often the key is pressed."""
    bench = begin(SCRAP, Level.ALONE)
    bench.held.may_go.clear()
    await bench.face.until(lambda: bench.written(e.Started))
    bench.face.does(*[h.KeyPressed(Effect.STOP)] * 3)
    await bench.face.until("stopping at the next safe point")
    bench.held.may_go.set()
    await bench.face.until(lambda: "stopped" in bench.face.lines)
    assert sum("stopping" in line for line in bench.face.lines) == 1
    assert STOPPED_ELSEWHERE not in bench.face.lines
    assert len(bench.written(e.StopAsked)) == 1


async def test_a_stop_that_takes_long_says_once_more_how_to_leave(begin: Begin) -> None:
    """A second Ctrl-C that came too late to leave is not left without a word."""
    bench = begin(SCRAP, Level.ALONE)
    bench.held.may_go.clear()
    await bench.face.until(lambda: bench.written(e.Started))
    bench.face.does(h.KeyPressed(Effect.STOP))
    await bench.face.until(STOPPING)
    await asyncio.sleep(AGAIN_S + 0.05)
    bench.face.does(h.KeyPressed(Effect.STOP))
    await bench.face.until(STILL_STOPPING)
    bench.held.may_go.set()
    await bench.face.until(lambda: "stopped" in bench.face.lines)
    assert len(bench.written(e.StopAsked)) == 1


async def test_a_stop_of_somebody_else_is_told(begin: Begin) -> None:
    """Once; a key that stops the run says so itself."""
    bench = begin(SCRAP, Level.ALONE)
    bench.held.may_go.clear()
    await bench.face.until(lambda: bench.written(e.Started))
    outside.stop(bench.others, bench.session.id, BEA)
    await bench.face.until(STOPPED_ELSEWHERE)
    bench.held.may_go.set()
    await bench.face.until(lambda: "stopped" in bench.face.lines)
    assert bench.face.lines.count(STOPPED_ELSEWHERE) == 1


async def test_a_stop_of_somebody_else_closes_the_question(begin: Begin) -> None:
    """It is told why nobody waits for the answer any more."""
    bench = begin(SCRAP)
    await bench.face.until(lambda: bench.face.open)
    outside.stop(bench.others, bench.session.id, BEA)
    await bench.face.until(lambda: "stopped" in bench.face.lines)
    assert bench.face.lines.count(STOPPED_ELSEWHERE) == 1
    assert bench.face.open is None


async def test_a_stop_before_the_run_has_begun_stops_it(begin: Begin) -> None:
    """The store was busy: whatever is written first, the run does not go on."""
    bench = begin(level=Level.ALONE)
    bench.held.may_go.clear()
    outside.say(bench.others, bench.session.id, f"{SCRAP} & {PARK}", BEA)
    with bench.others.transaction():
        await bench.face.until(lambda: bench.face.is_at_work)
        bench.face.does(h.KeyPressed(Effect.STOP))
        await bench.face.until("stopping")
    await bench.face.until(lambda: bench.session.state.stop_asked or "stopped" in bench.face.lines)
    bench.held.may_go.set()
    await bench.face.until(lambda: "stopped" in bench.face.lines)
    assert "park B-1" not in bench.held.done


@pytest.mark.parametrize(
    ("happened", "parting"),
    [
        (h.KeyPressed(Effect.LEAVE), Parting.DONE),
        (h.CommandEntered("/quit"), Parting.DONE),
        (h.InputEnded(), Parting.DONE),
        (h.Signalled(signal.SIGTERM), Parting.TERMINATED),
        (h.Signalled(signal.SIGHUP), Parting.HUNG_UP),
        (h.Signalled(signal.SIGINT), Parting.INTERRUPTED),
        (h.CommandEntered("/new"), Parting.NEW),
    ],
    ids=str,
)
async def test_idle_it_is_left_at_once(begin: Begin, happened: h.Happened, parting: Parting) -> None:
    """Each way with its own meaning."""
    bench = begin()
    bench.face.does(h.KeyPressed(Effect.SAY_HOW), h.KeyPressed(Effect.NOTHING), happened)
    assert await bench.parting() is parting
    assert bench.face.lines[0] == "Ctrl-C again, Ctrl-D or /quit leaves"


@pytest.mark.parametrize(
    ("happened", "parting"),
    [
        (h.KeyPressed(Effect.LEAVE_OPEN), Parting.OPEN),
        (h.CommandEntered("/quit"), Parting.OPEN),
        (h.Signalled(signal.SIGTERM), Parting.TERMINATED),
        (h.CommandEntered("/new"), Parting.NEW),
    ],
    ids=str,
)
async def test_at_a_question_it_stays_open(begin: Begin, happened: h.Happened, parting: Parting) -> None:
    """Nothing answers it."""
    bench = begin(PARK)
    await bench.face.until(lambda: bench.face.open)
    bench.face.does(happened)
    assert await bench.parting() is parting
    assert bench.written(e.Answered) == []


@pytest.mark.parametrize(
    ("happened", "parting"),
    [
        (h.KeyPressed(Effect.LEAVE_SAFELY), Parting.INTERRUPTED),
        (h.CommandEntered("/quit"), Parting.INTERRUPTED),
        (h.Signalled(signal.SIGTERM), Parting.TERMINATED),
        (h.Signalled(signal.SIGHUP), Parting.HUNG_UP),
    ],
    ids=str,
)
async def test_at_work_the_step_in_hand_is_finished(begin: Begin, happened: h.Happened, parting: Parting) -> None:
    """And nothing new begins, which is said once, however often one is asked; the run stays open."""
    bench = begin(f"{PARK} & {SCRAP}", Level.ALONE)
    bench.held.may_go.clear()
    await bench.face.until(lambda: bench.written(e.Started))
    bench.face.does(happened, happened)
    await asyncio.sleep(0.05)
    bench.held.may_go.set()
    assert await bench.parting() is parting
    assert sum(line.startswith(("asked to end", "leaving")) for line in bench.face.lines) == 1
    assert bench.held.done == ["park B-1"]
    assert bench.session.state.run is not None


async def test_one_who_is_leaving_can_leave_at_once(begin: Begin) -> None:
    """It is said how, and saying once more that one leaves changes nothing."""
    bench = begin(SCRAP, Level.ALONE)
    bench.held.may_go.clear()
    await bench.face.until(lambda: bench.written(e.Started))
    bench.face.does(h.KeyPressed(Effect.LEAVE_SAFELY), h.KeyPressed(Effect.LEAVE_SAFELY))
    await bench.face.until("leaving at the next safe point; Ctrl-C leaves at once")
    bench.face.does(h.KeyPressed(Effect.STOP))
    assert await bench.parting() is Parting.AT_ONCE
    assert sum("leaving" in line for line in bench.face.lines) == 1


async def test_an_interrupt_stops_and_a_second_one_leaves(begin: Begin) -> None:
    """Where no screen reads the keys."""
    bench = begin(SCRAP, Level.ALONE)
    bench.held.may_go.clear()
    await bench.face.until(lambda: bench.written(e.Started))
    bench.face.does(h.Signalled(signal.SIGINT))
    await bench.face.until(lambda: bench.written(e.StopAsked))
    bench.face.does(h.Signalled(signal.SIGINT))
    assert await bench.parting() is Parting.AT_ONCE


async def test_where_nobody_can_answer_a_question_ends_it(begin: Begin) -> None:
    """It is shown, and stays open."""
    bench = begin(PARK, can_answer=False)
    assert await bench.parting() is Parting.OPEN
    assert bench.face.question.tool == "park"


async def test_where_nobody_can_answer_nothing_is_offered(begin: Begin) -> None:
    """The next line is the next message."""
    bench = begin(PARK, can_answer=False, limits=RunLimits(asks=0))
    await bench.face.until("Stopped: limit on questions reached")
    bench.face.does(h.InputEnded())
    assert await bench.parting() is Parting.ENDED
    assert bench.face.open is None


async def test_words_that_could_not_be_stored_are_given_back(begin: Begin) -> None:
    """And the conversation ends: what is not stored is not heard."""
    bench = begin()
    with bench.others.transaction():
        bench.face.says("my words")
        bench.face.says("and more")
        with pytest.raises(StoreFailure):
            await bench.parting()
    assert "not stored: my words" in bench.face.text
    assert "not stored: and more" in bench.face.text


async def test_words_entered_in_the_moment_of_leaving_are_kept(begin: Begin) -> None:
    """A signal that overtakes an Enter loses nothing."""
    bench = begin()
    bench.face.does(h.Signalled(signal.SIGTERM), h.WordsEntered("late"), h.WordsEntered("later"))
    assert await bench.parting() is Parting.TERMINATED
    state = bench.session.state
    assert [state.messages[no].text for no in state.unheard] == ["late", "later"]


# Commands


async def test_at_work_nothing_is_undone_and_no_session_begun(begin: Begin) -> None:
    """One is told what to do first."""
    bench = begin(SCRAP, Level.ALONE)
    bench.held.may_go.clear()
    await bench.face.until(lambda: bench.written(e.Started))
    bench.face.types("/undo")
    bench.face.types("/new")
    await bench.face.until("stop it first with Esc")
    assert "a run is going on: let it end, or stop it, before something is undone" in bench.face.text


async def test_an_undo_is_asked_about_and_starts_no_run(begin: Begin) -> None:
    """What was owed after a stop stays owed."""
    bench = begin(PARK, Level.BOUNDED)
    await bench.face.until("park: ok")
    await bench.face.until(lambda: not bench.face.is_at_work)
    runs = len(bench.written(e.RunStarted))
    bench.face.types("/undo")
    await bench.face.until(lambda: bench.face.open)
    assert bench.face.question.is_undo
    bench.face.answers()
    await bench.face.until('undone: park {"plate":"B-1"}')
    bench.face.types("/undo")
    await bench.face.until("there is nothing to undo")
    assert len(bench.written(e.RunStarted)) == runs
    assert bench.held.done == ["park B-1", "unpark B-1"]


@pytest.mark.parametrize(("answer", "told"), [(Approve(), "undone: park"), (Decline(), "[declined] undo of park")])
async def test_an_offer_that_made_way_for_an_undo_is_made_again(begin: Begin, answer: h.Said, told: str) -> None:
    """Whatever became of the undo; who said no to the offer itself is not asked once more."""
    bench = begin(PARK, Level.BOUNDED, limits=RunLimits(steps=1))
    await bench.face.until(lambda: bench.face.open)
    offer = bench.face.prompt.asks
    bench.face.types("/undo")
    await bench.face.until(lambda: len(bench.face.asked) == 2)
    bench.face.answers(answer)
    await bench.face.until(told)
    await bench.face.until(lambda: bench.face.open)
    assert bench.face.prompt.asks == offer == "Go on with a fresh allowance? (y/n)"
    bench.face.enters("no")
    await bench.face.until(lambda: bench.face.open is None)
    bench.face.types("/status")
    await bench.face.until("nothing is at work")
    assert len(bench.face.asked) == 3


async def test_an_offer_comes_back_after_an_undo_that_was_asked_for_twice(begin: Begin) -> None:
    """The question that stands then is no offer, and takes none away."""
    bench = begin(PARK, Level.BOUNDED, limits=RunLimits(steps=1))
    await bench.face.until(lambda: bench.face.open)
    bench.face.types("/undo")
    await bench.face.until(lambda: len(bench.face.asked) == 2)
    bench.face.types("/undo")
    await bench.face.until(lambda: len(bench.face.asked) == 3)
    bench.face.answers(Decline())
    await bench.face.until("[declined] undo of park")
    await bench.face.until(lambda: bench.face.open)
    assert bench.face.prompt.asks == "Go on with a fresh allowance? (y/n)"


async def test_an_offer_that_a_later_run_has_overtaken_is_not_made_again(begin: Begin) -> None:
    """There is nothing left to go on with."""
    bench = begin(PARK, Level.BOUNDED, limits=RunLimits(steps=1))
    await bench.face.until(lambda: bench.face.open)
    for runs in (1, 2):
        bench.face.types("/undo")
        await bench.face.until(lambda: isinstance(bench.face.open, QuestionView))
        bench.face.says("thanks")
        await bench.face.until(f"queued #{runs + 1}")
        bench.face.answers(Decline())
        await bench.face.until(f"heard #{runs + 1}")
        await bench.face.until(lambda: not bench.face.is_at_work)
    assert [ended.outcome for ended in bench.written(e.RunEnded)] == ["limit", "completed", "completed"]
    bench.face.types("/status")
    await bench.face.until("nothing is at work")
    assert (bench.face.open, len(bench.face.asked)) == (None, 3)


async def test_words_that_leave_elsewhere_are_said_and_the_way_out_is_told(begin: Begin) -> None:
    """Nobody has to guess how to leave; in a sentence they are words like others."""
    bench = begin()
    bench.face.says(" Exit ")
    await bench.face.until("said to the agent; /quit or Ctrl-D leaves")
    bench.face.says("how do I quit?")
    await bench.face.until("queued #2")
    assert bench.face.text.count("/quit or Ctrl-D leaves") == 1


async def test_a_trouble_is_told(begin: Begin) -> None:
    """And what was typed stands above it."""
    bench = begin()
    bench.face.types("/nothing")
    await bench.face.until("there is no /nothing")
    assert bench.face.lines[0] == "› /nothing"


async def test_a_session_that_is_drained_says_so_once_a_message_and_goes_on_by_itself(begin: Begin) -> None:
    """Words are kept meanwhile."""
    bench = begin()
    drain(bench.others, on=True)
    bench.face.says(FIND)
    await bench.face.until("draining: kept as #1")
    await asyncio.sleep(0.5)
    assert bench.face.text.count("draining") == 1
    bench.face.says("and more")
    await bench.face.until("draining: kept as #2")
    drain(bench.others, on=False)
    await bench.face.until("find_car: ok")
    drain(bench.others, on=True)
    bench.face.says("hello")
    await bench.face.until("draining: kept as #3")
    bench.face.does(h.InputEnded())
    assert await bench.parting() is Parting.LATER


def drain(store: SqliteStore, *, on: bool) -> None:
    """Have the starting of runs wait, or go on."""
    write(store, lambda transaction: set_draining(transaction, on, "bea", datetime.now(UTC)))


async def test_while_draining_going_on_waits_too(begin: Begin) -> None:
    """There are no words that are kept then."""
    bench = begin(PARK, limits=RunLimits(asks=0))
    await bench.face.until(lambda: bench.face.open)
    drain(bench.others, on=True)
    bench.face.enters("y")
    await bench.face.until("draining: no run begins until that is over")


async def test_an_undo_that_is_refused_by_a_question_of_the_model_says_so(begin: Begin) -> None:
    """One thing at a time is asked."""
    bench = begin(PARK)
    await bench.face.until(lambda: bench.face.open)
    bench.face.types("/undo")
    await bench.face.until("a run is open: let it end, or stop it, before something is undone")
    assert bench.face.question.tool == "park"


# Another session


async def test_what_is_picked_is_gone_to(begin: Begin) -> None:
    """The question that is open stays open, and the chat says where it was left for."""
    bench = begin(PARK)
    other = g.begin(bench.store)
    await bench.face.until(lambda: bench.face.open)
    bench.face.does(h.Picked(other.id))
    assert await bench.parting() is Parting.NEW
    assert bench.chat.wanted == GoTo(other.id)
    assert bench.session.waiting
    other.close()


async def test_the_sessions_are_a_list_where_one_can_be_shown(begin: Begin) -> None:
    """And lines where it can't, or where there is nothing to pick."""
    bench = begin()
    bench.face.types("/sessions")
    await bench.face.until("there is no other session yet")
    other = g.begin(bench.store)
    await other.say("Park it", Person("ana", "terminal"))
    bench.face.types("/sessions")
    await bench.face.until("/sessions ID, or its number here, goes on with one")
    bench.face.is_redrawn = True
    bench.face.types("/sessions")
    await bench.face.until(lambda: [choice.value for choice in bench.face.choices] == [other.id])
    assert bench.face.vocabulary.sessions()[other.id].endswith(f" · garage · Park it · {other.id}")
    other.close()


async def test_no_session_is_left_while_a_run_goes_on(begin: Begin) -> None:
    """It has to be stopped first."""
    bench = begin(level=Level.ALONE)
    bench.held.may_go.clear()
    bench.face.says(SCRAP)
    await bench.face.until(lambda: bench.session.state.run is not None and bench.face.is_at_work)
    bench.face.types("/new")
    await bench.face.until("a run is going on: stop it first with Esc")
    assert bench.chat.wanted is None
