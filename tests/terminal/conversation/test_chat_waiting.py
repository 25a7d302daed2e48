"""What waits for a person: questions answered here or elsewhere, changed inputs, forms, unknown outcomes, offers."""

import json
import time
from typing import Any

import pytest

from tests.cli.process import Home
from tests.terminal.chatting import OFFLINE, Slow, chat, events, sessions
from tests.terminal.pty_screen import CTRL_C, CTRL_D, CTRL_U, ESC, PtyScreen

ADD = 'call add_expense {"item":"tea","amount":3}'


def waits(home: Home) -> dict[str, Any]:
    """The one thing that waits for a person."""
    [one] = home.run("approvals", "list", "--json").json
    return dict(one)


def results(home: Home) -> list[dict[str, Any]]:
    """What came of the calls of the newest session."""
    return [event["result"] for event in events(home) if event["type"] == "tool_finished"]


# Questions


def test_of_two_calls_of_a_reply_one_is_asked_about_at_a_time(home: Home) -> None:
    """It says how many there are; neither is drawn twice, and each has one line that it was asked about."""
    with chat(home, *OFFLINE) as screen:
        screen.enter(f'{ADD} & call delete_expense {{"id":1}}', gap_s=0.005)
        screen.wait_for("call 1 of 2")
        assert screen.text.count("(y/n)") == 1
        assert "[ask] delete_expense" not in screen.text
        screen.answer("n")
        screen.wait_for("call 2 of 2")
        assert screen.text.count("(y/n)") == 1
        screen.answer("n")
        screen.wait_for("[declined] delete_expense")
        assert [screen.everything.count(f"[ask] {tool}") for tool in ("add_expense", "delete_expense")] == [1, 1]


A_BUSY_MACHINE_S = 3.0


def test_an_answer_given_elsewhere_is_noticed_within_half_a_second(home: Home) -> None:
    """The question goes, the run goes on by itself, and one is told who answered and how."""
    with chat(home, *OFFLINE) as screen:
        screen.enter(ADD, gap_s=0.005)
        screen.wait_for("Allow add_expense")
        question = waits(home)
        ended = home.run("approvals", "approve", question["call_id"], "--code", question["code"])
        answered = time.monotonic()
        assert ended.code == 0, ended
        screen.wait_gone("Allow add_expense")
        assert time.monotonic() - answered < 0.5 + A_BUSY_MACHINE_S
        screen.wait_for("answered elsewhere by ")
        assert "(approvals)" in screen.text
        screen.wait_for("✓ add_expense ok")
        assert screen.everything.count("[approved] add_expense by ") == 1


def test_a_yes_that_comes_second_is_told_who_was_first(home: Home) -> None:
    """What is typed for a question that is gone answers nothing, and stands in the line no longer."""
    with chat(home, *OFFLINE) as screen:
        screen.enter(ADD, gap_s=0.005)
        screen.wait_for("Allow add_expense")
        screen.read(0.6)
        screen.type("y")
        assert home.run("approvals", "decline", waits(home)["call_id"]).code == 0
        screen.wait_for("[declined] add_expense by ")
        screen.enter()
        screen.wait_for("that question is closed; nothing was answered")
        screen.read(0.3)
        assert "queued #2" not in screen.text
    assert [result["status"] for result in results(home)] == ["declined"]


def test_the_reason_of_a_no_reaches_the_model(home: Home) -> None:
    """In the result of that call."""
    with chat(home, *OFFLINE) as screen:
        screen.enter(ADD, gap_s=0.005)
        screen.wait_for("Allow add_expense")
        screen.answer("n, not today")
        screen.wait_for("[declined] add_expense by ")
        screen.wait_for("the user declined this action: not today")
    assert results(home)[0]["message"].endswith(": not today")


def test_from_now_on_stops_the_asking(home: Home) -> None:
    """`a` is a yes and level 3 for that tool; the next call of it runs, and `/level` takes it back."""
    with chat(home, *OFFLINE) as screen:
        screen.enter(f"{ADD} & {ADD}", gap_s=0.005)
        screen.wait_for("a yes, and from now on")
        screen.answer("a")
        screen.wait_for("[allow] add_expense")
        screen.wait_for(lambda screen: screen.everything.count("✓ add_expense ok") == 2)
        assert screen.everything.count("[ask]") == 1
        screen.enter("/level add_expense", gap_s=0.01)
        screen.wait_for("level 3  allow  a yes from now on by")
        screen.enter("/level add_expense default", gap_s=0.01)
        screen.wait_for("add_expense has the session's level again: 2")
        screen.enter(ADD, gap_s=0.005)
        screen.wait_for("Allow add_expense")


def test_an_input_is_changed_checked_and_asked_about_anew(home: Home) -> None:
    """What is no JSON stays in the line, what does not fit is refused, and the difference is shown."""
    with chat(home, *OFFLINE) as screen:
        screen.enter(ADD, gap_s=0.005)
        screen.wait_for("Allow add_expense")
        screen.answer("e")
        screen.wait_for('edit> {"item":"tea","amount":3')
        screen.enter("oops", gap_s=0.01)
        screen.wait_for("not a JSON object")
        assert "oops" in screen.text
        screen.send(CTRL_U)
        screen.enter('{"item":"tea","amount":-3}', gap_s=0.005)
        screen.wait_for("the input does not fit")
        screen.wait_for("Allow add_expense")
        screen.answer("e")
        screen.wait_for("edit> ")
        screen.send(CTRL_U)
        screen.enter('{"item":"tea","amount":4}', gap_s=0.005)
        screen.wait_for('Allow add_expense {"item":"tea","amount":4}? (y/n)')
        screen.answer("y")
        screen.wait_for("✓ add_expense ok")
    assert results(home)[0]["expense"]["amount"] == "4.00"
    assert "[edited] add_expense by " in screen.everything


def test_a_question_is_asked_again_where_the_world_has_changed(home: Home) -> None:
    """What was shown no longer holds: the difference is shown, and the yes before counts for nothing."""
    with chat(home, *OFFLINE) as screen:
        screen.enter("Delete expense 1", gap_s=0.005)
        screen.wait_for("will remove: #1 tea, 40.00 USD")
        changed = home.run("run", *OFFLINE, "--autonomy", "4", 'call update_expense {"id":1,"amount":7}')
        assert changed.code == 0, changed
        screen.answer("y")
        screen.wait_for("no longer: will remove: #1 tea, 40.00 USD")
        screen.wait_for("will remove: #1 tea, 7.00 USD")
        screen.answer("y")
        screen.wait_for("✓ delete_expense ok")


@pytest.mark.slow
def test_a_question_that_expires_says_so(home: Home) -> None:
    """Nobody has to press a key for that."""
    home.configure("[approval]\nexpires_minutes = 1\n")
    with chat(home, *OFFLINE) as screen:
        screen.enter(ADD, gap_s=0.005)
        screen.wait_for("Allow add_expense")
        screen.wait_for("[expired] add_expense", timeout_s=75)
        assert "Allow" not in screen.text


def test_a_pasted_yes_is_a_message_and_one_is_told_why(home: Home) -> None:
    """The question stays open."""
    with chat(home, *OFFLINE) as screen:
        screen.enter(ADD, gap_s=0.005)
        screen.wait_for("Allow add_expense")
        screen.read(0.7)
        screen.paste("y")
        screen.read(0.2)
        screen.send("\r")
        screen.wait_for("a message, no answer: pasted or recalled, not typed")
        screen.wait_for("queued #2")
        assert "Allow add_expense" in screen.text


# Forms


def fill_in(screen: PtyScreen) -> None:
    """Fill in the form of the slow agent's `ask`."""
    screen.wait_for("1 of 3 · Which day?")
    assert "open from 6 to 11" in screen.text
    screen.answer("soon")
    screen.wait_for("'soon' is not a date (YYYY-MM-DD)")
    screen.enter("2026-12-01", gap_s=0.01)
    screen.wait_for("2 of 3 · Where?")
    screen.enter("2", gap_s=0.01)
    screen.wait_for("3 of 3 · Anything else?")
    screen.enter("", gap_s=0.01)


def test_a_form_is_filled_in_field_by_field(home: Home) -> None:
    """A choice by its number or text; what does not fit is said; what may be left out is left out by Enter."""
    Slow(home, level=1)
    with chat(home) as screen:
        screen.enter("call ask {}", gap_s=0.005)
        fill_in(screen)
        screen.wait_for("[filled] ask by ")
        screen.wait_for("✓ ask ok")
        assert screen.everything.count("[allow] ask {}") == 1
    result = results(home)[0]
    assert {name: result.get(name) for name in ("day", "place", "note")} == {
        "day": "2026-12-01",
        "place": "outside",
        "note": None,
    }


def test_a_draft_is_no_value_of_a_form(home: Home) -> None:
    """What was begun before the form stays a message; set aside, it is there again once the form is full."""
    slow = Slow(home, level=1)
    with chat(home) as screen:
        screen.enter('call look {"name":"one"} & call ask {}', gap_s=0.005)
        slow.wait_started("one")
        screen.type("my draft", gap_s=0.01)
        slow.let_go("one")
        screen.wait_for("Which day?")
        screen.wait_for("Ctrl-U")
        screen.send(CTRL_U)
        screen.wait_gone("my draft")
        fill_in(screen)
        screen.wait_for("> my draft")


def test_a_form_that_was_filled_in_elsewhere_goes(home: Home) -> None:
    """The run goes on with what was filled in there."""
    Slow(home, level=1)
    with chat(home) as screen:
        screen.enter("call ask {}", gap_s=0.005)
        screen.wait_for("Which day?")
        data = json.dumps({"day": "2026-12-02", "place": "inside"})
        assert home.run("approvals", "answer", waits(home)["call_id"], data).code == 0
        screen.wait_for("answered elsewhere by ")
        screen.wait_for("✓ ask ok")
        assert "Which day?" not in screen.text


def test_esc_cancels_the_call_that_asks(home: Home) -> None:
    """And the run stops."""
    Slow(home, level=1)
    with chat(home) as screen:
        screen.enter("call ask {}", gap_s=0.005)
        screen.wait_for("Which day?")
        screen.send(ESC)
        screen.wait_for("stopped")
        assert "Which day?" not in screen.text
    assert [result["status"] for result in results(home)] == ["cancelled"]


# Outcomes that nobody knows


def test_an_unknown_outcome_is_settled_elsewhere_too(home: Home) -> None:
    """The one who sits at the terminal sees it go."""
    slow = Slow(home)
    with chat(home) as screen:
        screen.enter('call launch {"name":"one"}', gap_s=0.005)
        slow.wait_started("one")
        screen.send(CTRL_C)
        screen.read(0.2)
        screen.send(CTRL_C)
        assert screen.wait_exit() == 130
    with chat(home, "--autonomy", "4", command="resume") as screen:
        screen.wait_for("unknown outcome: launch")
        screen.send(ESC)
        screen.wait_for("the run stops once this is answered")
        assert home.run("approvals", "settle", waits(home)["call_id"], "not").code == 0
        screen.wait_gone("What became of it?")
        screen.wait_for("stopped")
        screen.read(2.1)
        screen.send(CTRL_D)
        assert screen.wait_exit() == 0


# Offers


def test_at_a_limit_one_is_offered_to_go_on(home: Home) -> None:
    """It says which; a yes gives a fresh allowance."""
    with chat(home, *OFFLINE, "--max-steps", "1") as screen:
        screen.enter("list", gap_s=0.005)
        screen.wait_for("Go on with a fresh allowance? (y/n)")
        assert "Stopped: step limit reached" in screen.everything
        screen.answer("y")
        screen.wait_for("1 expense, 40.00 USD")


def test_words_instead_of_a_yes_block_what_was_undecided(home: Home) -> None:
    """The calls that the limit left get their result first, then the words are heard."""
    home.configure("[limits]\nirreversible = 0\n")
    with chat(home, *OFFLINE, "--autonomy", "3") as screen:
        screen.enter("Delete expense 1", gap_s=0.005)
        screen.wait_for("Go on with a fresh allowance?")
        assert "limit on irreversible calls reached" in screen.everything
        screen.wait_for('not decided yet: delete_expense {"id":1}')
        screen.answer("list")
        screen.wait_for("✗ delete_expense blocked")
        screen.wait_for("heard #2 at step 1")
        screen.wait_for("1 expense, 40.00 USD")
    assert results(home)[0]["status"] == "blocked"


def test_an_offer_that_is_declined_or_left_changes_nothing(home: Home) -> None:
    """What is undecided stays so; one who leaves at the offer is told the limit by the exit code."""
    with chat(home, *OFFLINE, "--max-steps", "1") as screen:
        screen.enter("list", gap_s=0.005)
        screen.wait_for("Go on with a fresh allowance?")
        screen.send(ESC)
        screen.wait_gone("Go on with a fresh allowance?")
    with chat(home, *OFFLINE, "--continue", "--max-steps", "1") as screen:
        screen.wait_for("Go on with a fresh allowance?")
        screen.send(CTRL_D)
        assert screen.wait_exit() == 4
        assert "goes on with a fresh allowance" in " ".join(screen.everything.split())


# Undo


def test_a_person_takes_a_write_back(home: Home) -> None:
    """It is shown and asked about; it starts nothing, and the model hears of it with the next words."""
    with chat(home, *OFFLINE, "--autonomy", "3") as screen:
        screen.enter(ADD, gap_s=0.005)
        screen.wait_for("✓ add_expense ok")
        screen.wait_for("add_expense: ok")
        screen.read(0.5)
        screen.enter("/undo", gap_s=0.01)
        screen.wait_for("Undo add_expense")
        screen.answer("y")
        screen.wait_for('undone: add_expense {"item":"tea","amount":3')
        screen.enter("/undo", gap_s=0.01)
        screen.wait_for("there is nothing to undo")
        screen.enter("list", gap_s=0.01)
        screen.wait_for("1 expense, 40.00 USD")


# Draining


def test_while_the_store_is_drained_words_are_kept(home: Home) -> None:
    """The conversation waits, and starts by itself once that is over."""
    with chat(home, *OFFLINE) as screen:
        assert home.run("drain", "on").code == 0
        screen.enter("list", gap_s=0.005)
        screen.wait_for("draining: kept as #1")
        screen.read(0.7)
        assert "heard #1" not in screen.text
        assert screen.everything.count("draining: kept as #1") == 1
        assert home.run("drain", "off").code == 0
        screen.wait_for("heard #1 at step 1")
        screen.wait_for("1 expense, 40.00 USD")
    assert sessions(home)[0]["undelivered"] == []
