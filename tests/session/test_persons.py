"""What persons add to a journal, from any process, and what of it counts."""

import json
from typing import Any, Literal

import pytest

from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session import persons
from agentcli.session.origin import Origin
from agentcli.session.persons import Given, Person, Refused
from tests.session.telling import (
    BEGUN,
    Told,
    answered,
    asked,
    at,
    attached,
    decided,
    finished,
    proposed,
    replied,
    said,
    started,
    started_run,
    state_of,
    supplied,
    suspended,
    use,
)

BEN = Person("ben", "command", Origin(uid=7, host="there"))
ASKED = (*BEGUN, replied(use()), decided("c1", Decision.ASK), (10, asked()))
AGAIN = (*ASKED, answered(9), decided("c1", Decision.ASK, preview=("new",)), (20, asked(preview=("new",))))
RUN_OVER = e.RunEnded("completed")


def code_of(*told: Told) -> str:
    """The code of the open question."""
    return state_of(*told).calls["c1"].question_code


def test_words_get_the_next_number() -> None:
    """Messages are numbered from 1 in their session, whoever speaks and wherever."""
    assert persons.say(state_of(), "hello", BEN) == e.Said(1, "hello", "ben", "command")
    assert persons.say(state_of(said(1), said(2), e.Unsaid(2)), "and?", BEN).no == 3


@pytest.mark.parametrize(
    ("told", "no", "reason"),
    [
        pytest.param([said(1)], 2, "there is no message #2", id="no such message"),
        pytest.param(BEGUN, 1, "#1 was heard at step 1; say what should be otherwise", id="heard"),
        pytest.param([said(1), e.Unsaid(1)], 1, "#1 was dropped before", id="dropped"),
    ],
)
def test_only_unheard_words_can_be_changed(told: list[Told], no: int, reason: str) -> None:
    """What the model has heard can't be unsaid, and the person is told so."""
    assert persons.unsay(state_of(*told), no, "other") == Refused(reason)
    assert persons.unsay(state_of(said(1), said(2)), 2, "other") == e.Unsaid(2, "other")
    assert persons.unsay(state_of(said(1), said(2)), 1, None) == e.Unsaid(1)


@pytest.mark.parametrize("blank", ["", " ", "\n\t\u00a0\u2003"])
def test_blanks_are_no_words(blank: str) -> None:
    """The service refuses them, and would refuse every later request that holds them."""
    with pytest.raises(ValueError, match="nothing to say"):
        persons.say(state_of(), blank, BEN)
    assert persons.unsay(state_of(said(1)), 1, blank) == Refused("there is nothing to say; drop it instead")


def test_only_a_run_can_be_stopped() -> None:
    """Without a run there is nothing to stop, and nothing is written down."""
    assert persons.stop(state_of(*BEGUN), BEN) == e.StopAsked("ben")
    nothing = Refused("no run is open, so there is nothing to stop")
    assert persons.stop(state_of(*BEGUN, RUN_OVER), BEN) == nothing


@pytest.mark.parametrize("answer", ["approved", "declined", "cancelled"])
def test_an_answer_names_the_question_who_gave_it_and_how_long_it_took(
    answer: Literal["approved", "declined", "cancelled"],
) -> None:
    """The record says who answered what, from where, and after how many seconds."""
    given = Given(answer, code_of(*ASKED), "because")
    entry = persons.answer(state_of(*ASKED), "c1", given, BEN, at(12.5))
    assert entry == e.Answered(
        "c1", 9, answer, "ben", "command", 2.5, reason="because", origin=Origin(uid=7, host="there")
    )


@pytest.mark.parametrize(
    ("told", "call_id", "code", "reason"),
    [
        pytest.param(ASKED, "c2", code_of(*ASKED), "no question was asked about the call 'c2'", id="no such call"),
        pytest.param(
            (*BEGUN, replied(use())), "c1", "", "no question was asked about the call 'c1'", id="not asked about"
        ),
        pytest.param(
            AGAIN,
            "c1",
            code_of(*ASKED),
            f"the question has changed, or {code_of(*ASKED)!r} was never its code; look at it again",
            id="the code of an earlier question",
        ),
        pytest.param(
            ASKED,
            "c1",
            "ABCDEF",
            "the question has changed, or 'ABCDEF' was never its code; look at it again",
            id="a guess, which is not told the right one",
        ),
        pytest.param(
            (*ASKED, answered(9, "declined")),
            "c1",
            code_of(*ASKED),
            "ana was first: declined after 1.0 s",
            id="the second of two answers",
        ),
        pytest.param(
            (*ASKED, e.StopAsked("ana"), finished("c1", "cancelled", origin="core", is_error=True)),
            "c1",
            code_of(*ASKED),
            "the call was settled before",
            id="a call that a stop has settled",
        ),
    ],
)
def test_an_answer_that_does_not_count_is_told_why(
    told: tuple[Told, ...], call_id: str, code: str, reason: str
) -> None:
    """Only the first answer to the very question that was seen counts."""
    assert persons.answer(state_of(*told), call_id, Given("approved", code), BEN, at(30)) == Refused(reason)


@pytest.mark.parametrize("word", ["yes", "Approved", "", "expired", "filled", None, True])
def test_only_the_three_answers_are_answers(word: Any) -> None:
    """Whatever a program passes for an answer, nothing but the exact words counts."""
    given = Given(word, code_of(*ASKED))
    assert persons.answer(state_of(*ASKED), "c1", given, BEN, at(11)) == Refused(f"{word!r} is no answer")


@pytest.mark.parametrize("word", ["yes", "Happened", "", None])
def test_only_the_three_outcomes_are_outcomes(word: Any) -> None:
    """Nor does anything but the exact words settle a call."""
    assert persons.reconcile(state_of(*STARTED, attached(2)), "c1", word, BEN) == Refused(
        f"{word!r} is no outcome"
    )


@pytest.mark.parametrize(("now", "counts"), [(19.999, True), (20.0, False), (21.0, False)])
def test_an_answer_counts_until_the_question_expires(now: float, counts: bool) -> None:
    """At the moment of its expiry a question can no longer be answered."""
    told = (*BEGUN, replied(use()), decided("c1", Decision.ASK), asked(expires=20))
    entry = persons.answer(state_of(*told), "c1", Given("approved", code_of(*told)), BEN, at(now))
    assert isinstance(entry, e.Answered) is counts
    assert counts or entry == Refused("the question has expired")


def test_a_clock_set_back_makes_no_negative_seconds() -> None:
    """Seconds to an answer are never below 0."""
    entry = persons.answer(state_of(*ASKED), "c1", Given("approved", code_of(*ASKED)), BEN, at(0))
    assert isinstance(entry, e.Answered)
    assert entry.seconds == 0


def test_a_call_that_may_have_run_can_not_be_edited() -> None:
    """A read or a call with a key that an earlier process began is repeated as it was, or not at all."""
    told = (*BEGUN, replied(use()), decided(), started(key="k"), attached(2), decided("c1", Decision.ASK), asked())
    assert not state_of(*told).calls["c1"].may_be_edited
    entry = persons.edit(state_of(*told), "c1", '{"what":1}', code_of(*told), BEN, at(0))
    assert entry == Refused(
        "an earlier process may have run this call: there is only a yes to run it again, or a no"
    )


STARTED = (*BEGUN, replied(use()), decided(), started())


@pytest.mark.parametrize("outcome", ["happened", "not", "retry"])
@pytest.mark.parametrize(
    "told",
    [
        pytest.param((*STARTED, attached(2)), id="its process died"),
        pytest.param((*STARTED, e.Overdue("c1", 9)), id="it was left behind"),
    ],
)
def test_a_person_settles_an_unknown_outcome(told: tuple[Told, ...], outcome: e.Reconciliation) -> None:
    """What became of a call that never reported back is a person's to say."""
    entry = persons.reconcile(state_of(*told), "c1", outcome, BEN)
    assert entry == e.Reconciled("c1", 9, outcome, "ben", "command", Origin(uid=7, host="there"))


@pytest.mark.parametrize(
    "told",
    [
        pytest.param((*BEGUN, replied(use("c2"))), id="no such call"),
        pytest.param((*BEGUN, replied(use())), id="not started"),
        pytest.param(STARTED, id="at work in the process that holds the session"),
        pytest.param((*STARTED, finished()), id="finished"),
        pytest.param((*STARTED, finished(held=True), attached(2)), id="finished, though hooks have yet to see it"),
        pytest.param((*BEGUN, replied(use()), decided(), started(key="k"), attached(2)), id="repeated by itself"),
    ],
)
def test_only_an_unknown_outcome_is_settled(told: tuple[Told, ...]) -> None:
    """Nobody can settle what is known, at work, or settled already."""
    assert persons.reconcile(state_of(*told), "c1", "not", BEN) == Refused(
        "the outcome of the call 'c1' is not open"
    )


@pytest.mark.parametrize("outcome", ["happened", "not", "retry"])
def test_who_settles_second_is_told_who_was_first(outcome: Literal["happened", "not", "retry"]) -> None:
    """And what they said; it stays as it was."""
    told = (*STARTED, attached(2), e.Reconciled("c1", 9, outcome, "ana"))
    assert persons.reconcile(state_of(*told), "c1", "not", BEN) == Refused(f"ana was first: {outcome}")


def test_without_a_holder_what_was_at_work_is_gone() -> None:
    """Where no process holds the session, a call that was at work in the last one can be settled at once."""
    assert isinstance(persons.reconcile(state_of(*STARTED), "c1", "not", BEN, is_held=False), e.Reconciled)


FORM_OPEN = (*BEGUN, replied(use()), decided(), (10, suspended()))


def test_a_form_is_filled_in_once_and_as_it_asks() -> None:
    """What a person fills in is kept as it was given, with who and after how long."""
    entry = persons.supply(state_of(*FORM_OPEN), "c1", '{"how": "well"}', BEN, at(13))
    assert isinstance(entry, e.Supplied)
    assert (entry.suspended, json.loads(bytes(entry.data)), entry.by, entry.seconds) == (
        9,
        {"how": "well"},
        "ben",
        3,
    )


@pytest.mark.parametrize(
    ("told", "data", "reason"),
    [
        pytest.param(BEGUN, "{}", "asks for nothing to be filled in", id="no such call"),
        pytest.param((*BEGUN, replied(use())), "{}", "asks for nothing to be filled in", id="no form"),
        pytest.param(
            (*FORM_OPEN, supplied(9, how="so")), "{}", "ana was first: filled in after", id="filled in before"
        ),
        pytest.param(FORM_OPEN, '{"how": 1}', "how", id="a field of another type"),
        pytest.param(FORM_OPEN, '{"why": "a"}', "why", id="a field that is not asked for"),
        pytest.param(FORM_OPEN, "{", "not valid JSON", id="no JSON"),
        pytest.param(FORM_OPEN, "[]", "not an object", id="no object"),
    ],
)
def test_what_does_not_fit_the_form_is_told_why(told: tuple[Told, ...], data: str, reason: str) -> None:
    """Only an open form can be filled in, and only with what it asks for."""
    entry = persons.supply(state_of(*told), "c1", data, BEN, at(13))
    assert isinstance(entry, Refused)
    assert reason in entry.reason


def test_a_form_can_be_declined_once() -> None:
    """The call never runs then, and whoever comes second, with a form or a no, is told so."""
    state = state_of(*FORM_OPEN)
    entry = persons.decline_form(state, "c1", "no bay is free", BEN, at(13))
    assert isinstance(entry, e.Answered)
    assert (entry.asked, entry.answer, entry.reason, entry.by, entry.seconds) == (
        *(9, "declined", "no bay is free"),
        *("ben", 3),
    )
    state = state_of(*FORM_OPEN, entry)
    assert not state.calls["c1"].waits_for_form
    first = Refused("ben was first: declined after 3.0 s")
    assert persons.decline_form(state, "c1", "", BEN, at(14)) == first
    assert persons.supply(state, "c1", '{"how": "well"}', BEN, at(14)) == first


@pytest.mark.parametrize("told", [BEGUN, (*BEGUN, replied(use())), (*FORM_OPEN, supplied(9, how="so"))])
def test_only_an_open_form_can_be_declined(told: tuple[Told, ...]) -> None:
    """Where nothing is asked for there is nothing to say no to."""
    assert isinstance(persons.decline_form(state_of(*told), "c1", "", BEN, at(13)), Refused)


def test_a_form_that_was_seen_is_no_answer_to_a_later_one() -> None:
    """Between the look and the answer somebody else may have answered, and the tool have asked for more."""
    seen = state_of(*FORM_OPEN).calls["c1"].form_code
    state = state_of(*FORM_OPEN, supplied(9, how="so"), decided(), suspended())
    late = persons.supply(state, "c1", '{"how": "well"}', BEN, at(13), code=seen)
    assert late == Refused(f"something else is asked for by now, or {seen!r} was never its code; look at it again")
    by_now = state.calls["c1"].form_code
    assert isinstance(persons.supply(state, "c1", '{"how": "well"}', BEN, at(13), code=by_now), e.Supplied)


WROTE = (*BEGUN, replied(use()), decided(input_text='{"a":1}'), finished(undo="{}"))


def test_undo_proposes_the_last_write_that_still_stands() -> None:
    """A person's undo names the call that it reverses, with the input that ran."""
    entry = persons.undo(state_of(*WROTE, RUN_OVER), "u1", BEN)
    assert entry == e.Proposed("u1", "note", '{"a":1}', "ben", "c1")


def test_what_was_undone_is_not_undone_again() -> None:
    """After an undo, the write before it is the next one."""
    two = (*WROTE, replied(use("c2")), decided("c2"), finished("c2", undo="{}"), RUN_OVER)
    once = (*two, proposed(undoes="c2"), decided("undo"), finished("undo"))
    entry = persons.undo(state_of(*once), "u2", BEN)
    assert isinstance(entry, e.Proposed)
    assert entry.undoes == "c1"


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        pytest.param(WROTE, "a run is open: let it end, or stop it, before something is undone", id="in a run"),
        pytest.param(
            (*WROTE, RUN_OVER, proposed()),
            "another undo is open: answer it before something is undone",
            id="beside another undo",
        ),
        pytest.param(
            (*WROTE, replied(use("c2")), e.RunEnded("limit")),
            "note was left over: go on with it, or say something else, before something is undone",
            id="while calls are left over",
        ),
        pytest.param((*BEGUN, replied(), RUN_OVER), "there is nothing to undo", id="nothing was written"),
        pytest.param(
            (*BEGUN, replied(use()), decided(), finished(undo="{}", is_error=True), RUN_OVER),
            "there is nothing to undo",
            id="the write failed",
        ),
        pytest.param(
            (*WROTE, RUN_OVER, proposed(), decided("undo"), finished("undo")),
            "there is nothing to undo",
            id="it was undone",
        ),
        pytest.param(
            (
                *(*WROTE, RUN_OVER, proposed(), decided("undo"), started("undo"), attached(2)),
                e.Reconciled("undo", 13, "happened", "ana"),
                finished("undo", "unknown_outcome", origin="core", is_error=True),
            ),
            "there is nothing to undo",
            id="its undo happened, as a person says",
        ),
    ],
)
def test_there_is_not_always_something_to_undo(told: tuple[Told, ...], reason: str) -> None:
    """Only a write that took effect and still stands is undone, and nothing else goes on meanwhile."""
    assert persons.undo(state_of(*told), "u1", BEN) == Refused(reason)


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param([finished("undo", "malformed", is_error=True)], id="it failed"),
        pytest.param([finished("undo", "declined", origin="core", is_error=True)], id="it was declined"),
    ],
)
def test_an_undo_that_did_not_happen_can_be_tried_again(ending: list[Told]) -> None:
    """A write stands until it really was taken back."""
    told = (*WROTE, RUN_OVER, proposed(), decided("undo"), *ending, started_run(2), RUN_OVER)
    assert isinstance(persons.undo(state_of(*told), "u2", BEN), e.Proposed)
