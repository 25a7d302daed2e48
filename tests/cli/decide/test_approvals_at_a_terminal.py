"""`agentcli approvals approve` at a terminal: the question is asked there, in whatever process it waits."""

import signal

import pytest

from tests.cli.process import Home
from tests.cli.test_at_a_terminal import answer, at_terminal
from tests.cli.waiting import OFFLINE, SEED, ask, die_at_work, garage, pending
from tests.terminal.pty_screen import CTRL_C, CTRL_D, CTRL_U


def test_a_yes_is_recorded_and_the_way_on_is_told(home: Home) -> None:
    """The whole question is asked; irreversible calls too."""
    waits = ask(home, "delete expense 1")
    with at_terminal(home, "approvals", "approve", waits["call_id"]) as screen:
        screen.wait_for('Allow delete_expense {"id":1}? (y/n)')
        assert f"irreversible · delete_expense · call 1 of 1 · code {waits['code']}" in screen.text
        answer(screen, "y")
        assert screen.wait_exit() == 0
        assert "[approved] delete_expense by " in screen.everything
        assert f"agentcli resume {waits['session']}" in screen.everything
        assert screen.is_sane
    assert pending(home) == []
    assert "Deleted #1 tea" in home.run("resume").out


def test_a_no_with_its_reason_is_recorded(home: Home) -> None:
    """What stands behind it is what the model gets."""
    waits = ask(home)
    with at_terminal(home, "approvals", "approve", waits["call_id"]) as screen:
        screen.wait_for("Allow add_expense")
        answer(screen, "no, too much")
        assert screen.wait_exit() == 0
        assert "[declined] add_expense by " in screen.everything
        assert ": too much" in screen.everything


def test_keys_that_waited_while_the_command_started_answer_nothing(home: Home) -> None:
    """They are no answer to a question that nobody had seen."""
    waits = ask(home)
    with at_terminal(home, "approvals", "approve", waits["call_id"]) as screen:
        screen.send("y\r")
        screen.wait_for("Allow add_expense")
        screen.read(1.0)
        assert len(pending(home)) == 1
        screen.send(CTRL_U)
        answer(screen, "n")
        assert screen.wait_exit() == 0
    assert pending(home) == []


@pytest.mark.parametrize(("key", "code"), [(CTRL_D, 3), (CTRL_C, 130)], ids=["Ctrl-D", "Ctrl-C"])
def test_who_leaves_has_answered_nothing(home: Home, key: str, code: int) -> None:
    """The question stays open, whoever holds the session."""
    waits = ask(home)
    with at_terminal(home, "approvals", "approve", waits["call_id"]) as screen:
        screen.wait_for("Allow add_expense")
        screen.send(key)
        assert screen.wait_exit() == code
        assert "the question stays open" in screen.everything
    assert pending(home) == [waits]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["SIGTERM", "SIGHUP"])  # fmt: skip
def test_a_signal_leaves_the_question_open(home: Home, number: int, code: int) -> None:
    """The terminal is given back."""
    waits = ask(home)
    with at_terminal(home, "approvals", "approve", waits["call_id"]) as screen:
        screen.wait_for("Allow add_expense")
        screen.kill(number)
        assert screen.wait_exit() == code
        assert screen.is_sane
    assert pending(home) == [waits]


def test_an_answer_given_elsewhere_is_told(home: Home) -> None:
    """The question is taken away, with who was first."""
    waits = ask(home)
    with at_terminal(home, "approvals", "approve", waits["call_id"]) as screen:
        screen.wait_for("Allow add_expense")
        assert home.run("approvals", "decline", waits["call_id"]).code == 0
        assert screen.wait_exit() == 1
        assert " was first: declined after " in screen.everything


def test_words_are_kept_for_the_agent(home: Home) -> None:
    """The question stays open, and they are heard when the session goes on."""
    waits = ask(home)
    with at_terminal(home, "approvals", "approve", waits["call_id"]) as screen:
        screen.wait_for("Allow add_expense")
        answer(screen, "what is my total?")
        screen.wait_for("queued #2 for the agent; the question stays open")
        answer(screen, "/help")
        screen.wait_for("commands are for `agentcli chat`")
        answer(screen, "n")
        assert screen.wait_exit() == 0
    assert home.run("sessions", "list", "--json").json[0]["undelivered"] == [2]


def test_the_input_can_be_changed_and_is_asked_about_anew(home: Home) -> None:
    """`e` puts the input into the line; what comes of it is decided and asked by who goes on with the session."""
    waits = ask(home, "Add 300 for groceries")
    with at_terminal(home, "approvals", "approve", waits["call_id"]) as screen:
        screen.wait_for("Allow add_expense")
        answer(screen, "e")
        screen.wait_for('edit> {"item":"groceries","amount":300')
        screen.send(CTRL_U)
        screen.type('{"item":"groceries","amount":30}')
        screen.read(0.2)
        screen.send("\r")
        assert screen.wait_exit() == 0
        assert "[edited] add_expense by " in screen.everything
    assert pending(home) == []
    assert home.run("resume").code == 3
    (anew,) = pending(home)
    assert anew["input"] == {"item": "groceries", "amount": 30}
    assert (anew["call_id"], anew["code"] == waits["code"]) == (waits["call_id"], False)


def test_with_a_code_only_that_question_is_asked(home: Home) -> None:
    """Another one is refused before it is shown."""
    waits = ask(home)
    with at_terminal(home, "approvals", "approve", waits["call_id"], "--code", "000000") as screen:
        assert screen.wait_exit() == 1
        assert "the question has changed" in screen.everything
        assert "Allow" not in screen.everything
    with at_terminal(home, "approvals", "approve", waits["call_id"], "--code", waits["code"]) as screen:
        screen.wait_for("Allow add_expense")
        answer(screen, "y")
        assert screen.wait_exit() == 0


def test_what_is_no_question_says_how_it_is_answered(home: Home) -> None:
    """A form is filled in, an unknown outcome is settled; a call that was answered is told so."""
    garage(home, level=4)
    form = ask(home, 'call lift {"plate": "A-1"}')
    with at_terminal(home, "approvals", "approve", form["call_id"]) as screen:
        assert screen.wait_exit() == 1
        assert f"approvals answer {form['call_id']}" in screen.everything.replace("\n", "")
    home.run("approvals", "answer", form["call_id"], '{"bay": "left"}')
    home.run("resume")
    with at_terminal(home, "approvals", "approve", form["call_id"]) as screen:
        assert screen.wait_exit() == 1
        assert "no question was asked about the call" in screen.everything


def test_an_unknown_outcome_is_not_approved(home: Home) -> None:
    """Somebody has to say what happened."""
    outcome = die_at_work(home)
    with at_terminal(home, "approvals", "approve", outcome["call_id"]) as screen:
        assert screen.wait_exit() == 1
        assert f"approvals settle {outcome['call_id']}" in screen.everything.replace("\n", "")


def test_a_run_that_waits_at_a_terminal_goes_on_by_itself(home: Home) -> None:
    """It notices the answer within half a second; no command that goes on is printed then."""
    with at_terminal(home, "run", *OFFLINE, SEED) as screen:
        screen.wait_for("Allow add_expense")
        (waits,) = pending(home)
        ended = home.run("approvals", "approve", waits["call_id"], "--code", waits["code"])
        (line,) = ended.out.splitlines()
        assert line.startswith("[approved] add_expense by ")
        screen.wait_for("Allow delete_expense", timeout_s=5)
        assert "[approved] add_expense by " in screen.everything
        said = home.run("approvals", "decline", pending(home)[0]["call_id"], "--json").json
        assert said["resume"] is None
        assert screen.wait_exit() == 0
