"""What shows of a run while it goes on: the tail, the status, retries, and what was used in the end."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from decimal import Decimal

import pytest
from msgspec.structs import replace

from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.persons import Person
from agentcli.session.ports import InputDelta, InputStarted, TextDelta
from agentcli.store.register import set_draining
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal import happened as h
from agentcli.terminal.conversation.chat import Chat
from agentcli.terminal.conversation.display import Display
from agentcli.terminal.question.answer import ApproveAndRaise
from agentcli.terminal.surroundings import Surroundings
from agentcli.wiring.session import Session
from agentcli.wiring.stores import write
from tests.fakes import NOON, Line, ScriptedModel, calls, fails, reply, says
from tests.terminal.fake_face import FakeFace
from tests.wiring import garage as g

PARK = ("park", '{"plate":"B-1"}')


def break_down(what: str) -> None:
    """Do what a tool does that is broken."""
    raise RuntimeError(what)


class Talk:
    """A conversation with a model that says its lines."""

    def __init__(
        self, replies: Sequence[Sequence[Line]], level: Level, *, can_answer: bool = True, breaks: bool = False
    ) -> None:
        self.model = ScriptedModel(*replies)
        self.face = FakeFace(can_answer=can_answer)
        self.store = store = SqliteStore.in_memory()
        agent = g.garage(happens=break_down if breaks else lambda what: None)
        terms = replace(
            g.terms(agent, level), build=lambda name, agent: self.model, price=lambda model, usage: Decimal("0.25")
        )
        self.session = Session.begin(agent, store, terms)
        chat = Chat(self.session, store, self.face, surroundings=Surroundings(log="/var/agentcli.log"))
        self.task = asyncio.ensure_future(chat.talk("go"))


@pytest.fixture
async def talks() -> AsyncIterator[list[Talk]]:
    """Conversations, left at the end."""
    begun: list[Talk] = []
    yield begun
    for talk in begun:
        talk.task.cancel()
        await asyncio.gather(talk.task, return_exceptions=True)


def begin(
    talks: list[Talk],
    *replies: Sequence[Line],
    level: Level = Level.PROPOSE,
    can_answer: bool = True,
    breaks: bool = False,
) -> Talk:
    talks.append(Talk(replies, level, can_answer=can_answer, breaks=breaks))
    return talks[-1]


async def test_the_tail_is_what_comes_at_this_moment(talks: list[Talk]) -> None:
    """A sign that something is at work, then the text, then nothing."""
    first, last = asyncio.Event(), asyncio.Event()
    talk = begin(talks, [first, TextDelta("Hel"), last, *reply(says("lo."))])
    await talk.face.until(lambda: talk.face.tails[-1:] == ["…"])
    first.set()
    await talk.face.until(lambda: talk.face.tails[-1] == "Hel")
    last.set()
    await talk.face.until("  Hello.")
    await talk.face.until(lambda: not talk.face.is_at_work)
    assert talk.face.tails[-1] == ""


async def test_the_status_follows_the_run_and_stays_when_it_is_over(talks: list[Talk]) -> None:
    """With what it used, and what it cost."""
    talk = begin(talks, reply(calls("c1", "find_car", '{"plate":"B-1"}')), reply(says("Found.")))
    await talk.face.until("  Found.")
    await talk.face.until(lambda: not talk.face.is_at_work)
    await talk.face.until(lambda: "0.5000 USD" in talk.face.parts)
    assert list(talk.face.parts) == [
        "level 2",
        "garage",
        "offline",
        "step 2 of 6",
        "0:00",
        "30 tokens",
        "0.5000 USD",
    ]
    assert talk.face.lines[-1] == "2 steps · 30 tokens · 0.5000 USD · 0.0 s"


async def test_what_ran_unasked_at_level_4_is_counted_anew_in_each_run(talks: list[Talk]) -> None:
    """Reads too, as the limit on calls a minute counts them."""
    both = [*calls("c1", "find_car", '{"plate":"B-1"}'), *calls("c2", *PARK)]
    talk = begin(talks, reply(both), reply(says("Done.")), reply(says("Nothing to do.")), level=Level.ALONE)
    await talk.face.until("  Done.")
    await talk.face.until(lambda: talk.face.parts[-1:] == ["2 ran unasked"])
    talk.face.says("and?")
    await talk.face.until("  Nothing to do.")
    await talk.face.until(lambda: talk.face.parts[-1] == "0.2500 USD")


async def test_a_retry_is_told_and_what_broke_off_stays(talks: list[Talk]) -> None:
    """Then the reply comes again from its beginning."""
    talk = begin(talks, [TextDelta("Half"), *fails(retry_after_s=0.5)], reply(says("Whole.")))
    await talk.face.until("the service is busy Trying again in")
    await talk.face.until("  Whole.")
    half, why, whole = (
        next(at for at, line in enumerate(talk.face.lines) if text in line) for text in ("Half", "Trying", "Whole")
    )
    assert half < why < whole


async def test_why_a_request_is_tried_again_is_told_once(talks: list[Talk]) -> None:
    """A service that stays busy is told by when it is asked again."""
    busy = (fails(retry_after_s=1.0), fails(retry_after_s=1.0))
    talk = begin(talks, *busy, reply(says("Whole.")))
    await talk.face.until("  Whole.")
    told = [line for line in talk.face.lines if "Trying again" in line]
    assert [line.startswith("the service is busy") for line in told] == [True, False]
    assert told[1].endswith("(3 of 4).")


async def test_until_a_request_is_tried_again_the_seconds_are_counted(talks: list[Talk]) -> None:
    """Then something is at work again."""
    talk = begin(talks, fails(retry_after_s=1.5), reply(says("Whole.")))
    await talk.face.until(lambda: "trying again in 2 s …" in talk.face.tails)
    await talk.face.until(lambda: "trying again in 1 s …" in talk.face.tails)
    await talk.face.until("  Whole.")


async def test_an_input_that_forms_shows_with_its_time(talks: list[Talk]) -> None:
    """The name of the tool, as much of the input as there is, and for how long it has been coming."""
    go_on = asyncio.Event()
    forming: list[Line] = [InputStarted("c1", "find_car"), InputDelta("c1", '{"plate"'), go_on]
    talk = begin(talks, [*forming, *reply(calls("c2", "find_car", '{"plate":"B-1"}'))], reply(says("Found.")))
    await talk.face.until(lambda: 'find_car {"plate" … 0.' in "".join(talk.face.tails[-1:]))
    early = talk.face.tails[-1]
    await talk.face.until(lambda: talk.face.tails[-1] > early)
    go_on.set()
    await talk.face.until("  Found.")


async def test_a_yes_from_now_on_raises_the_tool(talks: list[Talk]) -> None:
    """The call that was asked about runs without being decided aloud again."""
    talk = begin(talks, reply(calls("c1", *PARK)), reply(says("Done.")))
    await talk.face.until(lambda: talk.face.open)
    assert talk.face.question.may_raise
    talk.face.answers(ApproveAndRaise())
    await talk.face.until("  Done.")
    assert talk.session.state.tool_levels == {"park": Level.BOUNDED}
    assert "[allow]" not in talk.face.text
    assert talk.face.lines.count("park at level 3 in this session; /level park default takes it back") == 1


async def test_what_is_told_besides_fits_a_narrow_screen(talks: list[Talk]) -> None:
    """In rows that are set in; the terminal would break it in the middle of a word."""
    talk = begin(talks, reply(calls("c1", *PARK)), reply(says("Done.")))
    talk.face.width = 30
    await talk.face.until(lambda: talk.face.open)
    talk.face.types("/facts of all that was found by now")
    talk.face.answers(ApproveAndRaise())
    await talk.face.until("  Done.")
    told = ["park at level 3 in this", "  session; /level park", "  default takes it back"]
    assert told == talk.face.lines[(at := talk.face.lines.index(told[0])) : at + 3]
    assert "› /facts of all that was" in talk.face.lines


async def test_messages_that_are_heard_together_are_told_in_one_line(talks: list[Talk]) -> None:
    """In order, before what the model says to them."""
    asked = asyncio.Event()
    talk = begin(talks, [asked, *reply(calls("c1", "find_car", '{"plate":"B-1"}'))], reply(says("Found.")))
    await talk.face.until("heard #1 at step 1")
    for words in ("and B-2", "and B-3"):
        await talk.session.say(words, Person("ana", "terminal"))
    asked.set()
    await talk.face.until("  Found.")
    lines = talk.face.lines
    assert lines.index("heard #2, #3 at step 2") < lines.index("  Found.")
    assert not any(line.startswith("heard #3") for line in lines)


async def test_a_changed_input_is_what_runs(talks: list[Talk]) -> None:
    """It is asked about anew, with what no longer holds."""
    talk = begin(talks, reply(calls("c1", *PARK)), reply(says("Done.")))
    await talk.face.until(lambda: talk.face.open)
    talk.face.answers(h.Edited('{"plate":"B-2"}'))
    await talk.face.until(lambda: talk.face.open and talk.face.question.sent == '{"plate":"B-2"}')
    talk.face.answers()
    await talk.face.until("  Done.")
    assert talk.face.text.count("[ask] park") == 2
    assert '✓ park ok {"plate":"B-2"}' in talk.face.text


async def test_a_reply_that_was_refused_is_told_with_its_reason(talks: list[Talk]) -> None:
    """What it said stands above that."""
    talk = begin(talks, reply(says("I can't."), stop="refusal"))
    await talk.face.until("the model refused, and nothing of that reply ran")
    assert "  I can't." in talk.face.lines
    assert talk.session.state.ended == e.RunEnded("refused", "I can't.\n\nthe model refused")


async def test_below_the_first_fault_stands_where_the_log_is(talks: list[Talk]) -> None:
    """Its detail is there; where there is no fault nobody is told."""
    park = reply(calls("c1", *PARK), calls("c2", "park", '{"plate":"B-2"}'))
    talk = begin(talks, park, reply(says("Broken.")), level=Level.BOUNDED, breaks=True)
    await talk.face.until("  Broken.")
    assert talk.face.text.count("park fault") == 2
    assert talk.face.text.count("the log is /var/agentcli.log\n") == 1
    talk = begin(talks, park, reply(says("Done.")), level=Level.BOUNDED)
    await talk.face.until("  Done.")
    assert "the log is" not in talk.face.text


async def test_time_stands_still_once_a_run_is_over(talks: list[Talk]) -> None:
    """Also where something else is asked and answered later."""
    talk = begin(talks, reply(calls("c1", *PARK)), reply(says("Done.")), level=Level.BOUNDED)
    await talk.face.until("  Done.")
    await talk.face.until(lambda: not talk.face.is_at_work)
    talk.face.types("/undo")
    await talk.face.until(lambda: talk.face.open)
    await asyncio.sleep(1.1)
    talk.face.answers()
    await talk.face.until("undone: park")
    await asyncio.sleep(0.5)
    assert "0:00" in talk.face.parts


LONG = '{"plate":"' + "x" * 60 + ' [approved] scrap by ana after 2.1 s"}'


@pytest.mark.parametrize("can_answer", [True, False], ids=["a-terminal", "a-pipe"])
async def test_a_long_audit_line_is_folded_for_eyes_only(talks: list[Talk], can_answer: bool) -> None:
    """At a terminal what folds is set in, so that it can't pass for a line of ours; a program gets it whole."""
    talk = begin(talks, reply(calls("c1", "scrap", LONG)), can_answer=can_answer)
    await talk.face.until("[approved] scrap by ana")
    [asked] = [number for number, line in enumerate(talk.face.lines) if line.startswith("[ask] scrap")]
    if can_answer:
        assert talk.face.lines[asked + 1].startswith("  ")
        assert all(len(line) <= 80 for line in talk.face.lines)
    else:
        assert talk.face.lines[asked] == f"[ask] scrap {LONG}"


@pytest.mark.parametrize(
    ("is_redrawn", "can_answer", "told"),
    [(False, True, ["still at work: the model"] * 2), (True, True, []), (False, False, [])],
    ids=["plain terminal", "screen", "pipe"],
)
async def test_where_nothing_is_drawn_anew_it_is_said_that_something_is_at_work(
    talks: list[Talk], is_redrawn: bool, can_answer: bool, told: list[str]
) -> None:
    """Every ten seconds in which nothing else was told."""
    session = begin(talks, reply(says("Done."))).session
    face = FakeFace(can_answer=can_answer, is_redrawn=is_redrawn)
    display = Display(session, face)
    for seconds in (0.0, 9.9):
        display.tick(NOON + timedelta(seconds=seconds))
    display.is_at_work = True
    for seconds in (10.0, 19.8, 19.9, 20.0, 29.9, 30.0):
        display.tick(NOON + timedelta(seconds=seconds))
    assert face.lines == told


async def test_where_nothing_is_drawn_anew_a_retry_is_waited_for_with_its_reason(talks: list[Talk]) -> None:
    """And with the seconds that are left, not as if the model were at work."""
    session = begin(talks, fails(retry_after_s=20)).session
    while session.state.failure is None:
        await asyncio.sleep(0.01)
    assert session.state.failure.retry_at is not None
    face = FakeFace()
    display = Display(session, face)
    display.is_at_work = True
    for seconds_left in (12.0, 2.0):
        display.tick(session.state.failure.retry_at - timedelta(seconds=seconds_left))
    assert face.lines == [
        "the service is busy Trying again in 12 s (2 of 4).",
        "still waiting, trying again in 2 s … the service is busy",
    ]
    display.tick(session.state.failure.retry_at + timedelta(seconds=8))
    assert face.lines[-1] == "still at work: the model"


async def test_the_status_can_be_asked_for(talks: list[Talk]) -> None:
    """In full, also where there is no room for a line of it, and with what is at work."""
    go_on = asyncio.Event()
    talk = begin(talks, [go_on, *reply(says("Found."))])
    talk.face.width = 12
    await talk.face.until(lambda: talk.face.is_at_work)
    talk.face.types("/status")
    await talk.face.until(lambda: "atwork:themodel" in "".join(talk.face.text.split()))
    assert "level2·garage·offline·step1of6·0:00·0tokens·0.0000USD" in "".join(talk.face.text.split())
    go_on.set()
    await talk.face.until("Found.")
    await talk.face.until(lambda: not talk.face.is_at_work)
    talk.face.width = 80
    talk.face.types("/status")
    await talk.face.until("nothing is at work")
    assert talk.face.lines[-2] == "level 2 · garage · offline · step 1 of 6 · 0:00 · 15 tokens · 0.2500 USD"
    write(talk.store, lambda transaction: set_draining(transaction, True, "ana", NOON))
    talk.face.types("/status")
    await talk.face.until("draining: no run begins until that is over")


@pytest.mark.parametrize("keeps_lines", [True, False], ids=["kept", "taken away"])
async def test_words_that_stand_where_they_were_typed_are_not_told_again(
    talks: list[Talk], keeps_lines: bool
) -> None:
    """Nor is a command; words from elsewhere are."""
    talk = begin(talks, reply(says("Done.")), reply(says("More.")))
    await talk.face.until("Done.")
    talk.face.keeps_lines = keeps_lines
    talk.face.says("and here")
    await talk.face.until("More.")
    talk.face.types("/facts")
    await talk.face.until("no result has shown a fact yet")
    told = [line for line in talk.face.lines if line.startswith("› ")]
    assert told == ["› go", *([] if keeps_lines else ["› and here", "› /facts"])]
    assert "queued #2" in talk.face.lines
    talk.face.lines.clear()
    await talk.session.say("and there", Person("ana", "say"))
    await talk.face.until("› and there")


async def test_what_a_command_answers_is_folded_at_a_terminal(talks: list[Talk]) -> None:
    """No later row of it can pass for a line of ours; who reads lines by a program gets each of them whole."""
    session = begin(talks, reply(says("Done."))).session
    line = f"[ask] park {{}} {'x' * 70} [approved] park by ana after 1.0 s"
    folded, whole = FakeFace(width=80), FakeFace(width=80, can_answer=False)
    for face in (folded, whole):
        Display(session, face).answer([line, "and more"])
    assert len(folded.lines) == 3
    assert folded.lines[1].startswith("  ")
    assert all(len(row.rstrip()) <= 80 for row in folded.lines)
    assert whole.lines == [line, "and more"]
