"""What programs and terminals see of a run: what each event tells, and when."""

from datetime import UTC, datetime

import msgspec
import pytest

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.allowance import Usage
from agentcli.session.announcing import events_in, events_of, run_finished, still_asked
from agentcli.session.fold import apply, fold
from agentcli.session.record import Record
from agentcli.session.registered import Created
from agentcli.session.state import State
from tests.session.seeing import as_json, events_told, last, told
from tests.session.telling import (
    BEGUN,
    RISKS,
    Told,
    answered,
    asked,
    attached,
    decided,
    filtered,
    finished,
    level_set,
    opened,
    proposed,
    reconciled,
    records_of,
    replied,
    said,
    started,
    started_run,
    state_of,
    supplied,
    suspended,
    text,
    use,
)

NOON = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)


def test_an_event_says_whose_it_is_and_when_in_utc() -> None:
    """The time is that of the entry, as RFC 3339 with a Z."""
    event = told((90.5, said(1, "a")))[-1]
    assert (event["session"], event["at"]) == ("s", "2026-11-02T09:01:30.500000Z")


def test_a_run_begins_with_its_agent_model_and_level() -> None:
    """The level is a number, the one that holds as the run begins."""
    begun = last(opened(), attached(), level_set(Level.ALONE), said(), started_run())
    assert begun == {"type": "run_started", "agent": "tester", "model": "scripted", "level": 4}


def test_a_reply_is_told_once_with_its_text() -> None:
    """All text blocks of a reply are told, and of a cut one the piece that was not finished too."""
    whole = last(*BEGUN, replied(text("a"), use(), text("b")))
    assert whole == {"type": "replied", "step": 1, "text": "a\n\nb", "stop_reason": "tool_use"}
    cut = e.Replied(3, replied(text("a")).blocks, "interrupted", Usage(), partial="an")
    assert last(*BEGUN, cut) == {"type": "replied", "step": 3, "text": "a\n\nan", "stop_reason": "interrupted"}
    assert last(*BEGUN, replied(stop_reason=None)) == {
        "type": "replied",
        "step": 1,
        "text": "",
        "stop_reason": None,
    }


def test_a_malformed_reply_is_told_too() -> None:
    """One event for every model reply, whether it can be used or not."""
    assert last(*BEGUN, replied(text("a"), fault="a call id was used before"))["type"] == "replied"


def test_a_decision_is_told_with_every_rule_s_word() -> None:
    """Input, risk, level and decision stand beside what each rule said, and numbers are as they were written."""
    entry = decided("c1", Decision.DENY, tool="erase", input_text='{"id":1.50}', reason="not at this level")
    assert last(*BEGUN, replied(use("c1", "erase")), entry) == {
        "type": "decided",
        "call_id": "c1",
        "tool": "erase",
        "input": {"id": 1.50},
        "risk": "irreversible",
        "level": 2,
        "decision": "deny",
        "rules": [{"rule": "level", "decision": "deny", "reason": "not at this level"}],
    }
    event = events_told(*BEGUN, replied(use("c1", "erase")), entry)[-1]
    assert b'"input":{"id":1.50}' in msgspec.json.encode(event)


def test_an_input_that_is_no_json_is_told_as_text() -> None:
    """Whatever a model sent can be shown."""
    entry = decided("c1", Decision.DENY, input_text="{not json")
    assert last(*BEGUN, replied(use()), entry)["input"] == "{not json"


QUESTION = (*BEGUN, replied(text("a"), use("c0", "look"), use("c1")), decided("c1", Decision.ASK, preview=("x",)))


def test_a_question_is_told_with_what_a_person_is_shown() -> None:
    """The code names the question's entry; position and of count the reply's calls."""
    entries = (*QUESTION, asked(preview=("x",)))
    assert last(*entries) == {
        "type": "approval_requested",
        "call_id": "c1",
        "tool": "note",
        "input": {},
        "preview": ["x"],
        "code": records_of(*entries)[-1].hash.hex()[:6],
        "undoable": True,
        "position": 2,
        "of": 2,
    }


def test_what_can_not_be_undone_is_told_so() -> None:
    """Only a write can be taken back."""
    entries = (*BEGUN, replied(use("c1", "erase")), decided("c1", Decision.ASK, tool="erase"), asked(tool="erase"))
    assert not last(*entries)["undoable"]


def test_an_undo_can_not_be_undone() -> None:
    """Though what it takes back was a write."""
    wrote = (*BEGUN, replied(use()), decided(), finished(undo="{}"), e.RunEnded("completed"))
    undo = (proposed(), decided("undo", Decision.ASK), asked("undo"))
    assert not last(*wrote, *undo)["undoable"]


def test_what_is_still_asked_is_told_as_it_was() -> None:
    """A question or a form that is open is the same event for those who come later; what is over is none."""
    question = (*BEGUN, replied(use()), decided("c1", Decision.ASK), (5, asked()))
    form = (*BEGUN, replied(use()), decided(), (5, suspended()))
    for entries, over in ((question, answered(9)), (form, supplied(9, how="so"))):
        *_, event = events_told(*entries)
        assert still_asked(state_of(*entries, attached(2))) == event
        assert still_asked(state_of(*entries, over)) is None
    assert still_asked(state_of(*BEGUN)) is None


@pytest.mark.parametrize("answer", ["approved", "declined", "cancelled", "expired"])
def test_an_answer_is_told_with_who_gave_it(answer: e.Answer) -> None:
    """Answers from elsewhere are told like those given here."""
    entry = answered(9, answer, reason="because")
    assert last(*QUESTION, asked(preview=("x",)), entry) == {
        "type": "answered",
        "call_id": "c1",
        "answer": answer,
        "by": "ana",
        "reason": "because",
        "seconds": 1.0,
    }


def test_a_form_that_is_filled_in_is_an_answer_too() -> None:
    """A form is told when it opens and when somebody has filled it in."""
    form = (*BEGUN, replied(use()), suspended())
    assert last(*form) == {
        "type": "suspended",
        "call_id": "c1",
        "question": "how?",
        "schema": {"type": "object", "properties": {"how": {"type": "string"}}},
        "shown": ["look here"],
    }
    assert last(*form, supplied(8, how="well"))["answer"] == "filled"


def test_a_second_look_with_the_same_outcome_is_no_event() -> None:
    """After a yes the call is decided once more; only an outcome that differs is told."""
    entries = (*QUESTION, asked(preview=("x",)), answered(9))
    same = decided("c1", Decision.ASK, preview=("x",))
    assert last(*entries, same)["type"] == "answered"
    assert last(*entries, decided("c1", Decision.ASK, preview=("y",)))["type"] == "decided"
    assert last(*entries, decided("c1", Decision.DENY))["decision"] == "deny"
    assert last(*entries, decided("c1"))["decision"] == "allow"


FORM = (*BEGUN, replied(use()), decided(), suspended(), supplied(9))


@pytest.mark.parametrize(
    ("later", "told"),
    [
        pytest.param((decided(),), "answered", id="to the same"),
        pytest.param((decided("c1", input_text='{"to":1}'),), "decided", id="with another input"),
        pytest.param((decided("c1", Decision.DENY),), "decided", id="to a no"),
        pytest.param((decided("c1", Decision.ASK),), "decided", id="to a question"),
        pytest.param((attached(2), decided()), "decided", id="in another process"),
    ],
)
def test_a_decision_after_a_form_is_told_where_it_differs(later: tuple[Told, ...], told: str) -> None:
    """A process tells each outcome once: what it has not decided before is new to those who listen to it."""
    assert last(*FORM, *later)["type"] == told


ENDINGS: dict[str, tuple[Told, ...]] = {
    "it ran in the store": (decided(), finished()),
    "it ran elsewhere": (decided(), started(), finished()),
    "it failed": (decided(), finished("c1", "fault", is_error=True)),
    "it was denied": (decided("c1", Decision.DENY), finished("c1", "blocked", origin="core", is_error=True)),
    "it was declined": (
        *(decided("c1", Decision.ASK), asked(), answered(9, "declined")),
        finished("c1", "declined", origin="core", is_error=True),
    ),
    "it was stopped undecided": (e.StopAsked("ana"), finished("c1", "cancelled", origin="core", is_error=True)),
    "a hook saw its result first": (decided(), finished(held=True), filtered()),
    "a person settled it": (
        *(decided(), started(), attached(2), reconciled(9, "happened")),
        finished("c1", "unknown_outcome", origin="core", is_error=True),
    ),
    "it reported late": (decided(), started(), e.Overdue("c1", 9), finished()),
    "it was suspended": (decided(), suspended(), supplied(9), decided(), finished()),
}


@pytest.mark.parametrize("entries", ENDINGS.values(), ids=ENDINGS)
def test_every_call_is_told_to_be_finished_exactly_once(entries: tuple[Told, ...]) -> None:
    """Whether it ran or not, a call ends with one `tool_finished`, and that is its last event."""
    kinds = [event["type"] for event in told(*BEGUN, replied(use()), *entries)]
    assert kinds.count("tool_finished") == 1
    assert kinds[-1] == "tool_finished"


def test_what_finished_is_what_the_model_sees() -> None:
    """A result that a hook has rewritten or withheld is told as it was released."""
    entries = (*BEGUN, replied(use()), decided(), finished(held=True), filtered(is_error=True))
    assert last(*entries) == {
        "type": "tool_finished",
        "call_id": "c1",
        "tool": "note",
        "result": {"status": "redacted"},
        "is_error": True,
    }


def test_words_are_told_when_they_are_kept_and_when_they_are_heard() -> None:
    """Each message is queued once and heard once, with the step that hears it and the words as they are by then."""
    entries = (
        opened(),
        attached(),
        said(1, "a"),
        said(2, "b"),
        e.Unsaid(2, "c"),
        started_run(),
        e.Heard((1, 2), 3),
    )
    queued = [(one["message"], one["text"]) for one in told(*entries) if one["type"] == "queued"]
    heard = [(one["message"], one["text"], one["step"]) for one in told(*entries) if one["type"] == "heard"]
    assert (queued, heard) == ([(1, "a"), (2, "b")], [(1, "a", 3), (2, "c", 3)])


def test_a_run_ends_with_what_it_used_and_what_nobody_heard() -> None:
    """Tokens are those of the run, costs are exact decimal text, and undelivered words are named."""
    entries = (*BEGUN, replied(text("a"), usage=Usage(1, 2, 3, 4), cost="0.10"), said(2))
    ended = e.RunEnded("limit", "a", "steps", (2,))
    assert last(*entries, ended) == {
        "type": "run_finished",
        "outcome": "limit",
        "text": "a",
        "steps": 1,
        "usage": {
            "input_tokens": 1,
            "output_tokens": 2,
            "cache_read_tokens": 3,
            "cache_write_tokens": 4,
            "cost_usd": "0.10",
        },
        "undelivered": [2],
    }


def test_an_unknown_price_is_null_and_never_0() -> None:
    """Where nobody knows what a reply cost, nobody is told a number."""
    ended = last(*BEGUN, replied(cost=None), replied(cost="1"), e.RunEnded("completed"))
    assert ended["usage"]["cost_usd"] is None


def test_a_run_that_waits_is_told_with_what_it_has_used_so_far() -> None:
    """A question leaves the run open; the last event says so all the same."""
    state = State("s", RISKS)
    for record in records_of(*BEGUN, replied(use(), usage=Usage(5)), decided("c1", Decision.ASK), asked()):
        apply(state, record)
    waiting = as_json(run_finished(state, NOON, "waiting", ""))
    assert (waiting["outcome"], waiting["steps"], waiting["usage"]["input_tokens"]) == ("waiting", 1, 5)
    assert waiting["usage"]["cost_usd"] == "0.01"


def test_without_any_run_nothing_was_used() -> None:
    """A session in which nothing ran yet ends with zeros."""
    nothing = as_json(run_finished(State("s"), NOON, "completed", ""))
    assert (nothing["steps"], nothing["usage"]["cost_usd"], nothing["undelivered"]) == (0, "0", [])


def test_a_session_told_again_stands_where_each_event_left_it() -> None:
    """Who reads a journal event by event sees the state that the event tells of, and at the end all of it."""
    records = records_of(
        *BEGUN, replied(use()), decided(), finished(), replied(text("done")), e.RunEnded("completed")
    )
    state = State("s", RISKS)
    stood = [(event, state.seq) for event in events_in(state, records)]
    assert stood == [
        (event, record.seq)
        for record in records
        for event in events_of(fold("s", records[: record.seq], RISKS), record)
    ]
    assert state.seq == records[-1].seq


@pytest.mark.parametrize(
    "entry",
    [opened(), attached(), level_set(Level.LOOK), e.StopAsked("ana"), Created(1, "s", "a", "b")],
    ids=lambda entry: entry.kind,
)
def test_other_entries_make_no_events(entry: e.Entry) -> None:
    """What is not announced is not told."""
    state = State("s")
    record = Record("s", 1, NOON, entry, b"")
    assert events_of(state, record) == ()


def test_events_of_an_undo_are_those_of_a_call() -> None:
    """A person's own call is decided, asked about and finished like any other."""
    undo = (
        proposed(),
        decided("undo", Decision.ASK),
        asked("undo"),
        answered(12, call_id="undo"),
        finished("undo"),
    )
    before = (*BEGUN, replied(use()), decided(), finished(undo="1"))
    kinds = [event["type"] for event in told(*before, *undo)]
    assert kinds[-4:] == ["decided", "approval_requested", "answered", "tool_finished"]
