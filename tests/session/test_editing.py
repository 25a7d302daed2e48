"""A person changes the input of a call that they are asked about."""

import json
from typing import Any

import msgspec
import pytest

from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session import persons
from agentcli.session.announcing import events_of
from agentcli.session.events import Answered, Decided, Event
from agentcli.session.next_step import next_step
from agentcli.session.persons import Given, Person, Refused
from agentcli.session.state import State
from agentcli.session.steps import AwaitAnswer, Decide
from tests.session.telling import (
    BEGUN,
    answered,
    asked,
    at,
    attached,
    decided,
    finished,
    going_on,
    proposed,
    records_of,
    replied,
    started_run,
    state_of,
    supplied,
    suspended,
    use,
)

BO = Person("bo", "terminal")
INPUT = '{"what":"rent","of":300}'
ASKED = (
    *BEGUN,
    replied(use("c1", what="rent", of=300)),
    decided("c1", Decision.ASK, input_text=INPUT),
    asked("c1", input_text=INPUT),
)


def edited(state: State, text: str, *, code: str | None = None, seconds: float = 0) -> e.Answered | Refused:
    shown = state.calls["c1"].question_code if code is None else code
    return persons.edit(state, "c1", text, shown, BO, at(seconds))


def after_edit(text: str) -> State:
    state = state_of(*ASKED)
    entry = edited(state, text)
    assert isinstance(entry, e.Answered), entry
    return going_on(state, entry)


def told(state: State) -> dict[str, Any]:
    """What the model is told about the one call."""
    (result,) = json.loads(state.conversation.messages()[-1])["content"]
    content: dict[str, Any] = json.loads(result["content"])
    return content


def test_an_edit_says_who_changed_what_and_after_how_long() -> None:
    """The record of an edit names the question, the person and the new input, as it was written."""
    entry = edited(state_of(*ASKED), ' {"what": "rent", "of": 30.50} ', seconds=2.5)
    assert isinstance(entry, e.Answered)
    assert (entry.answer, entry.by, entry.seconds) == ("edited", "bo", 2.5)
    assert (entry.asked, entry.input) == (len(ASKED), '{"what":"rent","of":30.50}')


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON"),
        ('{"of": 3', "no JSON"),
        ('{"of":1,"of":2}', "no JSON"),
        ("[1]", "no JSON object"),
        ('"y"', "no JSON object"),
        ("null", "no JSON object"),
        (INPUT, "nothing about the input was changed"),
        ('{ "what": "rent", "of": 300 }', "nothing about the input was changed"),
    ],
)
def test_what_is_no_other_input_is_no_edit(text: str, reason: str) -> None:
    """Only a JSON object that differs changes the input; else the question stays as it is."""
    refused = edited(state_of(*ASKED), text)
    assert isinstance(refused, Refused)
    assert reason in refused.reason


def test_an_edit_of_an_earlier_question_counts_for_nothing() -> None:
    """Who saw something else than what is asked now has not seen what they would change."""
    refused = edited(state_of(*ASKED), "{}", code="000000")
    assert isinstance(refused, Refused)
    assert "has changed" in refused.reason


@pytest.mark.parametrize(("seconds", "counts"), [(9.9, True), (10, False)])
def test_an_expired_question_can_not_be_edited(seconds: float, counts: bool) -> None:
    """From the moment at which a question expires nothing is said about it any more."""
    state = state_of(*ASKED[:-1], asked("c1", input_text=INPUT, expires=10))
    assert isinstance(edited(state, "{}", seconds=seconds), e.Answered) is counts


def test_an_edit_after_an_answer_is_told_who_was_first() -> None:
    """The second of two answers does nothing, whatever it is."""
    refused = edited(state_of(*ASKED, answered(len(ASKED))), "{}")
    assert refused == Refused("ana was first: approved after 1.0 s")


def test_an_answer_after_an_edit_is_told_who_was_first() -> None:
    """A yes to the question before does not approve the input that came after it."""
    state = state_of(*ASKED)
    code = state.calls["c1"].question_code
    entry = edited(state, "{}")
    assert isinstance(entry, e.Answered)
    going_on(state, entry)
    refused = persons.answer(state, "c1", Given("approved", code), BO, at(1))
    assert isinstance(refused, Refused)
    assert refused.reason.startswith("bo was first and changed the input")


def test_a_person_s_own_call_has_no_input_to_change() -> None:
    """An undo reverses what was done, with the input that it was done with."""
    done = (decided("c1"), finished("c1", undo="null"), e.RunEnded("completed"))
    asking = (proposed(), decided("undo", Decision.ASK), asked("undo"))
    state = state_of(*BEGUN, replied(use("c1")), *done, *asking)
    refused = persons.edit(state, "undo", '{"a":1}', state.calls["undo"].question_code, BO, at(0))
    assert isinstance(refused, Refused)
    assert "no input to change" in refused.reason


def test_an_edited_call_is_decided_anew() -> None:
    """Nothing that was decided or asked about the input before holds for the new one."""
    state = after_edit('{"of":30}')
    call = state.calls["c1"]
    assert (call.input, call.decided, call.asked, call.answered) == ('{"of":30}', None, None, None)
    assert next_step(state, at(0)) == Decide("c1")


def test_what_was_filled_in_for_the_input_before_is_gone() -> None:
    """A form's answers were about another input: the tool asks again if it still has to."""
    form = (suspended("c1"), supplied(len(BEGUN) + 2, how="so"))
    state = state_of(*BEGUN, replied(use("c1")), *form, decided("c1", Decision.ASK), asked("c1"))
    assert state.calls["c1"].resumed == {"how": "so"}
    entry = edited(state, '{"of":30}')
    assert isinstance(entry, e.Answered)
    call = going_on(state, entry).calls["c1"]
    assert (call.resumed, call.supplied, call.suspended) == (None, None, None)


def test_an_edited_call_waits_for_an_answer_again() -> None:
    """The new input is asked about under a new code."""
    before = state_of(*ASKED).calls["c1"].question_code
    text = '{"of":30}'
    state = going_on(after_edit(text), decided("c1", Decision.ASK, input_text=text), asked("c1", input_text=text))
    assert next_step(state, at(0)) == AwaitAnswer("c1")
    assert state.calls["c1"].question_code != before


def test_the_model_is_told_in_the_result_who_changed_the_input() -> None:
    """Beside the result stand the person and the input that counts, with the defaults that were added."""
    whole = '{"of":30,"currency":"USD"}'
    state = going_on(after_edit('{"of":30}'), decided("c1", input_text=whole), finished("c1"))
    assert told(state) == {
        "edited": {
            "by": "bo",
            "input": {"of": 30, "currency": "USD"},
            "message": "the user changed the input of this call; this is the one that counts",
        },
        "status": "ok",
        "of": "c1",
    }


def test_an_edit_is_told_first_so_that_nothing_cuts_it_off() -> None:
    """A long result is cut for the model at its end."""
    state = going_on(after_edit('{"of":30}'), decided("c1", input_text='{"of":30}'), finished("c1"))
    assert next(iter(told(state))) == "edited"


def test_a_result_that_a_hook_made_up_still_tells_of_the_edit() -> None:
    """What is no object stands under `output`."""
    made_up = e.Filtered("c1", msgspec.Raw(b'"withheld"'), ("hook",), "")
    state = going_on(
        after_edit('{"of":30}'), decided("c1", input_text='{"of":30}'), finished("c1", held=True), made_up
    )
    assert (told(state)["output"], told(state)["edited"]["by"]) == ("withheld", "bo")


def test_an_edited_call_that_is_dropped_undecided_tells_of_the_edit_too() -> None:
    """Settled before it was decided, it has no input that counts."""
    state = going_on(after_edit('{"of":30}'), finished("c1", "cancelled", origin="core", is_error=True))
    assert told(state)["edited"]["input"] is None


def test_a_call_that_nobody_edited_tells_of_no_edit() -> None:
    """A result is what it is."""
    assert told(going_on(state_of(*ASKED), finished("c1"))) == {"status": "ok", "of": "c1"}


def test_the_edit_holds_for_every_process() -> None:
    """Whoever holds the session next finds the changed input, and decides about that."""
    text = '{"of":30}'
    edit = e.Answered("c1", len(ASKED), "edited", "bo", "terminal", 1.0, input=text)
    state = state_of(*ASKED, edit, attached(2))
    assert (state.calls["c1"].input, next_step(state, at(0))) == (text, Decide("c1"))


def test_an_edit_shows_as_filled_in_and_the_new_input_as_decided() -> None:
    """A program sees the question close, and then the call with its new input as if it had just been made."""
    records = records_of(
        *ASKED,
        e.Answered("c1", len(ASKED), "edited", "bo", "terminal", 1.0, input="{}"),
        decided("c1", Decision.ASK),
    )
    state = state_of(*ASKED)
    seen: list[Event] = []
    for record in records[len(ASKED) :]:
        going_on(state, record.entry)
        seen += events_of(state, record)
    closing, anew = seen
    assert isinstance(closing, Answered)
    assert (closing.answer, closing.by, closing.reason) == ("filled", "bo", "changed the input")
    assert isinstance(anew, Decided)


def test_an_edit_ends_the_wait_for_a_person() -> None:
    """The time until the person changed something does not count for the run; what follows does."""
    state = state_of(*BEGUN[:3], started_run(), *ASKED[4:-1], (5, ASKED[-1]))
    assert state.run is not None
    assert state.run.waiting_since == at(5)
    entry = edited(state, "{}", seconds=60)
    assert isinstance(entry, e.Answered)
    going_on(state, entry)
    assert state.run.waiting_since is None
