"""`agentcli approvals` where there is no terminal: what waits is seen and answered from any process."""

import json
import sqlite3
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.cli.process import Home
from tests.cli.waiting import FIELDS, OFFLINE, SEED, ask, die_at_work, expires, garage, pending


def approve(home: Home, waits: dict[str, Any], *more: str) -> None:
    ended = home.run("approvals", "approve", waits["call_id"], "--code", waits["code"], *more)
    assert ended.code == 0, ended


def expenses(home: Home) -> list[str]:
    with sqlite3.connect(home.store) as store:
        return [item for (item,) in store.execute("SELECT item FROM expenses_book ORDER BY id")]


def test_without_a_store_nothing_waits_and_no_file_is_made(home: Home) -> None:
    """Looking makes no file, and no call is there to answer."""
    assert pending(home) == []
    ended = home.run("approvals", "list")
    assert (ended.code, ended.out, ended.err) == (0, "", "nothing waits for a person\n")
    assert home.run("approvals", "decline", "call_1").code == 2
    assert not home.store.exists()


def test_a_list_says_what_a_program_needs_to_answer(home: Home) -> None:
    """One JSON array on one line, with the fields that were promised."""
    waits = ask(home)
    assert list(waits) == FIELDS
    assert (waits["kind"], waits["tool"], waits["risk"], waits["level"]) == ("approval", "add_expense", "write", 2)
    assert waits["input"] == {"item": "groceries", "amount": 300}
    assert waits["preview"][1] == "total USD 40.00 → 340.00"
    assert waits["reasons"] == ["level 2 asks for write calls"]


def test_a_list_for_a_person_is_a_table(home: Home) -> None:
    """Kind, call, session, time, and what it is about: whole at every width, for it is answered by that."""
    waits = ask(home)
    about = 'add_expense {"item":"groceries","amount":300}'
    head, row = home.run("approvals", "list", env={"COLUMNS": "120"}).out.splitlines()
    assert head.split() == ["kind", "call", "session", "asked", "what"]
    assert row.split()[:3] == ["approval", waits["call_id"], waits["session"]]
    assert row.endswith(about)
    assert home.run("approvals", "list").out.splitlines()[1:] == [row.removesuffix(about).rstrip(), f"  {about}"]
    narrow = home.run("approvals", "list", env={"COLUMNS": "20"}).out
    assert max(map(len, narrow.splitlines())) <= 20
    assert about.replace(" ", "") in "".join(narrow.split())


def test_a_question_is_shown_with_how_to_answer_it(home: Home) -> None:
    """All of the input, what it would do, why it is asked, and the commands for yes and no."""
    waits = ask(home)
    shown = home.run("approvals", "show", waits["call_id"][:9]).out.splitlines()
    assert shown[0] == f"│ write · add_expense · call 1 of 2 · code {waits['code']}"
    assert "│ total USD 40.00 → 340.00" in shown
    assert "│ asked because: level 2 asks for write calls" in shown
    assert shown[-2:] == [
        f"yes: agentcli approvals approve {waits['call_id']} --code {waits['code']}",
        f"no: agentcli approvals decline {waits['call_id']} --reason TEXT",
    ]
    assert home.run("approvals", "show", waits["call_id"], "--json").json == waits | {
        "question": None,
        "schema": None,
    }


def test_the_commands_that_are_shown_reach_the_same_store(home: Home) -> None:
    """What stood before the command stands before the ones that are told."""
    other = str(home.folder / "my store.db")
    home.run("--db", other, "run", *OFFLINE, SEED)
    waits = home.run("--db", other, "approvals", "list", "--json").json[0]
    shown = home.run("--db", other, "approvals", "show", waits["call_id"]).out
    assert f"agentcli --db '{other}' approvals approve" in shown
    answered = home.run("--db", other, "approvals", "decline", waits["call_id"])
    assert answered.out.splitlines()[1] == f"agentcli --db '{other}' resume {waits['session']}"


def test_an_approval_runs_nothing_and_says_how_it_goes_on(home: Home) -> None:
    """It is recorded; the run goes on when somebody resumes it, and asks about the next call."""
    waits = ask(home)
    ended = home.run("approvals", "approve", waits["call_id"], "--code", waits["code"].upper())
    line, resume = ended.out.splitlines()
    assert line.startswith("[approved] add_expense by ")
    assert resume == f"agentcli resume {waits['session']}"
    assert expenses(home) == ["tea"]
    assert pending(home) == []
    assert home.run("resume").code == 3
    assert expenses(home) == ["tea", "groceries"]
    assert [one["tool"] for one in pending(home)] == ["delete_expense"]


def test_for_programs_an_answer_is_one_object(home: Home) -> None:
    """With the command that goes on."""
    waits = ask(home)
    said = home.run("approvals", "decline", waits["call_id"], "--reason", " not today ", "--json").json
    assert (said["answer"], said["reason"], said["tool"]) == ("declined", "not today", "add_expense")
    assert (said["session"], said["call_id"]) == (waits["session"], waits["call_id"])
    assert said["resume"] == f"agentcli resume {waits['session']}"
    assert said["seconds"] > 0


def test_a_declined_call_never_runs(home: Home) -> None:
    """The model gets the reason, and the run goes on with the rest."""
    waits = ask(home, "Add 300 for groceries")
    home.run("approvals", "decline", waits["call_id"], "--reason", "too much")
    ended = home.run("resume", "--json")
    (finished,) = [event for event in ended.events if event["type"] == "tool_finished"]
    assert (finished["result"]["status"], finished["is_error"]) == ("declined", True)
    assert finished["result"]["message"] == "the user declined this action: too much"
    assert expenses(home) == ["tea"]


def test_an_approval_needs_the_code_of_the_question_that_was_seen(home: Home) -> None:
    """Without one it is wrong usage, with another it is refused; nothing is recorded."""
    waits = ask(home)
    missing = home.run("approvals", "approve", waits["call_id"])
    assert missing.code == 2
    assert "needs --code" in missing.error
    wrong = home.run("approvals", "approve", waits["call_id"], "--code", "000000")
    assert wrong.code == 1
    assert "look at it again" in wrong.error
    assert len(pending(home)) == 1


def test_the_second_answer_is_told_who_was_first(home: Home) -> None:
    """And counts for nothing."""
    waits = ask(home)
    approve(home, waits)
    for second in (("decline", waits["call_id"]), ("approve", waits["call_id"], "--code", waits["code"])):
        ended = home.run("approvals", *second)
        assert ended.code == 1
        assert " was first: approved after " in ended.error
    shown = home.run("approvals", "show", waits["call_id"])
    assert shown.code == 1
    assert " was first: approved after " in shown.error


@pytest.mark.parametrize("command", [("show",), ("approve", "--code", "000000"), ("decline",), ("answer", "{}"), ("settle", "not")])  # fmt: skip
def test_a_call_that_is_not_there_is_wrong_usage(home: Home, command: tuple[str, ...]) -> None:
    """In a store with other calls."""
    ask(home)
    name, *rest = command
    ended = home.run("approvals", name, "nope", *rest)
    assert ended.code == 2
    assert "no call 'nope'" in ended.error


def test_a_prefix_of_several_calls_is_an_error_with_the_list(home: Home) -> None:
    """Which of them is meant is for the person to say: first stand those that wait for somebody."""
    waits = ask(home)
    approve(home, waits)
    home.run("resume")
    (next_one,) = pending(home)
    ended = home.run("approvals", "show", "call_")
    assert ended.code == 2
    assert f"could be any of these: {next_one['call_id']} (it waits), {waits['call_id']}" in ended.error


@pytest.mark.parametrize(
    ("config", "code"),
    [("", 1), ('[approval]\nwithout_terminal = "irreversible"\n', 0)],
    ids=["as it is", "as configured"],
)
def test_what_can_t_be_undone_is_not_approved_without_a_terminal(home: Home, config: str, code: int) -> None:
    """Unless the config says otherwise; a no is always taken."""
    home.configure(config)
    waits = ask(home, "delete expense 1")
    ended = home.run("approvals", "approve", waits["call_id"], "--code", waits["code"])
    assert ended.code == code, ended
    if code:
        assert "irreversible calls can't be approved without a terminal" in ended.error
        assert home.run("approvals", "decline", waits["call_id"]).code == 0


def test_a_question_that_has_expired_can_t_be_answered(home: Home) -> None:
    """The answer that comes too late does not count, and the model is told that nobody answered."""
    home.configure("[approval]\nexpires_minutes = 1\n")
    waits = ask(home, "Add 300 for groceries")
    expires(home, datetime(2026, 1, 1, tzinfo=UTC))
    ended = home.run("approvals", "approve", waits["call_id"], "--code", waits["code"])
    assert ended.code == 1
    assert "the question has expired" in ended.error
    assert pending(home) == []
    finished = [event for event in home.run("resume", "--json").events if event["type"] == "tool_finished"]
    assert [one["result"]["status"] for one in finished] == ["expired"]
    assert expenses(home) == ["tea"]


def test_a_form_is_shown_with_its_fields_and_filled_in(home: Home) -> None:
    """What does not fit is refused and can be said again; what fits is what the tool gets."""
    garage(home, level=4)
    waits = ask(home, 'call lift {"plate": "A-1"}')
    assert (waits["kind"], waits["reasons"]) == ("input", ["Which bay for how long?"])
    shown = home.run("approvals", "show", waits["call_id"]).out.splitlines()
    assert shown[1:3] == ["│ Which bay for how long?", "│ both are free"]
    assert '│ bay: Which bay? — "left" · "right"' in shown
    assert "│ days: days (may be left out)" in shown
    assert shown[-2].startswith(f"fill in: agentcli approvals answer {waits['call_id']} ")
    assert shown[-2].endswith(f" --code {waits['code']}")
    assert shown[-1] == f"no: agentcli approvals decline {waits['call_id']} --reason TEXT"
    schema = home.run("approvals", "show", waits["call_id"], "--json").json["schema"]
    assert schema["properties"]["bay"]["enum"] == ["left", "right"]
    for wrong in ("", "{}", '{"bay": "middle"}', '{"bay": "left", "days": "two"}', "[]"):
        ended = home.run("approvals", "answer", waits["call_id"], wrong)
        assert (ended.code, ended.out) == (1, "")
    ended = home.run("approvals", "answer", waits["call_id"], '{"bay": "left"}', "--code", "000000")
    assert (ended.code, "'000000' was never its code" in ended.error) == (1, True)
    with_code = ("--code", waits["code"].upper())
    filled = home.run("approvals", "answer", waits["call_id"], '{"bay": "left"}', *with_code, "--json").json
    assert (filled["answer"], filled["resume"]) == ("filled", f"agentcli resume {waits['session']}")
    assert home.run("resume").code == 0
    assert (home.folder / "lifted").read_text() == "{'bay': 'left'}"
    assert home.run("approvals", "answer", waits["call_id"], '{"bay": "right"}').code == 1


@pytest.mark.parametrize("command", [("answer", "{}"), ("settle", "happened")], ids=["answer", "settle"])
def test_a_question_is_no_form_and_no_outcome(home: Home, command: tuple[str, str]) -> None:
    """Whoever takes it for one is told how it is answered; it stays open."""
    waits = ask(home)
    name, said = command
    ended = home.run("approvals", name, waits["call_id"], said)
    assert (ended.code, ended.out) == (1, "")
    assert f"it waits for a yes or no: `agentcli approvals approve {waits['call_id']}`" in ended.error
    assert pending(home) == [waits]


@pytest.mark.parametrize("command", [("approve", "--code", "000000"), ("settle", "not")])
def test_a_form_is_no_question_and_no_outcome(home: Home, command: tuple[str, ...]) -> None:
    """A yes fills nothing in; whoever says it is told how to answer."""
    garage(home, level=4)
    waits = ask(home, 'call lift {"plate": "A-1"}')
    name, *rest = command
    ended = home.run("approvals", name, waits["call_id"], *rest)
    assert (ended.code, ended.out) == (1, "")
    assert f"`agentcli approvals answer {waits['call_id']} JSON`" in ended.error
    assert pending(home) == [waits]


def test_a_form_that_is_declined_never_runs_its_call(home: Home) -> None:
    """From elsewhere, with a reason that the model gets."""
    garage(home, level=4)
    waits = ask(home, 'call lift {"plate": "A-1"}')
    said = home.run("approvals", "decline", waits["call_id"], "--reason", "no bay", "--json").json
    assert (said["answer"], said["reason"]) == ("declined", "no bay")
    assert pending(home) == []
    ended = home.run("resume", "--json")
    assert ended.code == 0
    (finished,) = [event for event in ended.events if event["type"] == "tool_finished"]
    assert finished["result"]["message"] == "the user declined this action: no bay"
    assert not (home.folder / "lifted").exists()


def test_where_nobody_is_there_a_form_is_declined_too(home: Home) -> None:
    """A script that declines what is asked is not left with a run that waits."""
    garage(home, level=4)
    ended = home.run("run", *OFFLINE, "--on-ask", "decline", "--json", 'call lift {"plate": "A-1"}')
    assert ended.code == 0
    assert [event["answer"] for event in ended.events if event["type"] == "answered"] == ["declined"]
    assert "[declined] lift by --on-ask decline: nobody is there to be asked" in ended.err
    assert pending(home) == []
    assert not (home.folder / "lifted").exists()


def test_who_comes_second_is_told_who_was_first_where_something_else_waits_by_now(home: Home) -> None:
    """And what it is, and how to answer that."""
    garage(home)
    with home.config.open("a") as config:
        config.write('[approval]\nwithout_terminal = "irreversible"\n')
    waits = ask(home, 'call lift {"plate": "A-1"}')
    approve(home, waits)
    assert home.run("resume").code == 3
    ended = home.run("approvals", "approve", waits["call_id"], "--code", waits["code"])
    assert ended.code == 1
    assert " was first: approved after " in ended.error
    assert "; by now it asks for something to be filled in: " in ended.error
    home.run("approvals", "answer", waits["call_id"], '{"bay": "left"}')
    second = home.run("approvals", "settle", waits["call_id"], "not")
    assert "the outcome of the call" in second.error


def test_who_fills_a_form_in_second_is_told_who_was_first(home: Home) -> None:
    """And what they filled in stays as it is."""
    garage(home, level=4)
    waits = ask(home, 'call lift {"plate": "A-1"}')
    home.run("approvals", "answer", waits["call_id"], '{"bay": "left"}')
    ended = home.run("approvals", "answer", waits["call_id"], '{"bay": "right"}')
    assert ended.code == 1
    assert " was first: filled in after " in ended.error
    home.run("resume")
    assert (home.folder / "lifted").read_text() == "{'bay': 'left'}"


@pytest.mark.parametrize(
    ("outcome", "status", "ran"),
    [("happened", "unknown_outcome", False), ("not", "fault", False), ("retry", "ok", True)],
)
def test_an_unknown_outcome_is_settled_by_a_person(home: Home, outcome: str, status: str, ran: bool) -> None:
    """A process died while an irreversible tool was at work: it is never repeated but when a person says so."""
    waits = die_at_work(home)
    assert (waits["kind"], waits["reasons"]) == ("outcome", ["it had started and never reported back"])
    shown = home.run("approvals", "show", waits["call_id"]).out.splitlines()
    assert shown[-3:] == [
        f"{name}: agentcli approvals settle {waits['call_id']} {name}" for name in ("happened", "not", "retry")
    ]
    (home.folder / "started").unlink()
    assert home.run("resume").code == 3
    ended = home.run("approvals", "settle", waits["call_id"], outcome)
    assert ended.code == 0
    assert ended.out.startswith(f"[{outcome}] scrap by ")
    finished = [event for event in home.run("resume", "--json").events if event["type"] == "tool_finished"]
    assert [one["result"]["status"] for one in finished] == [status]
    assert (home.folder / "started").exists() is ran


def test_an_outcome_can_only_be_what_there_is(home: Home) -> None:
    """Another word is wrong usage."""
    ended = home.run("approvals", "settle", "call_1", "maybe")
    assert ended.code == 2
    assert "'maybe' is none of happened, not and retry" in ended.error


def test_answers_say_who_gave_them_and_from_where(home: Home) -> None:
    """Login name, user id, host and the chain of processes are in the record."""
    waits = ask(home)
    approve(home, waits)
    with sqlite3.connect(home.store) as store:
        ((body,),) = store.execute("SELECT body FROM journal WHERE kind = 'answered'")
    answered = json.loads(body)
    assert answered["channel"] == "approvals"
    assert answered["origin"]["uid"] >= 0
    assert answered["origin"]["host"]
    assert answered["origin"]["chain"]


@pytest.mark.parametrize("form", [False, True], ids=["a question", "a form"])
def test_who_resumes_is_asked_again_what_is_still_open(home: Home, form: bool) -> None:
    """Among the events too, with the same code; where it was asked just now it is told once."""
    if form:
        garage(home, level=4)
    text = 'call lift {"plate": "A-1"}' if form else "Add 300 for groceries"
    kind = "suspended" if form else "approval_requested"
    began = [one for one in home.run("run", *OFFLINE, "--json", text).events if one["type"] == kind]
    first, last = home.run("resume", "--json").events
    assert [first] == began
    assert (last["type"], last["outcome"]) == ("run_finished", "waiting")


def test_where_nobody_is_there_the_option_that_declined_is_named(home: Home) -> None:
    """Not the person who started the run: nobody has looked at the call."""
    ended = home.run("run", *OFFLINE, "--on-ask", "decline", "--json", "Add 300 for groceries")
    (answered,) = [event for event in ended.events if event["type"] == "answered"]
    assert (answered["answer"], answered["by"]) == ("declined", "--on-ask decline")
    assert "[declined] add_expense by --on-ask decline: nobody is there to be asked" in ended.err
    (finished,) = [event for event in ended.events if event["type"] == "tool_finished"]
    message = finished["result"]["message"]
    assert message == "the user declined this action in advance: nobody is there to be asked"
    assert ended.events[-1]["text"].startswith("Nobody is there to be asked, so I did not add groceries")


APPROVER = """
import pathlib, subprocess, sys
from agentcli import Toolset

tools = Toolset("sly")

@tools.read
def approve(call: str, code: str) -> dict:
    "Approve a call of somebody else."
    command = [sys.executable, "-m", "agentcli", "approvals"]
    ended = [subprocess.run([*command, *words], capture_output=True, text=True, start_new_session=True)
             for words in (["list"], ["approve", call, "--code", code], ["decline", call])]
    return {"codes": [one.returncode for one in ended], "said": ended[1].stderr}
"""


def test_what_an_agent_starts_answers_nothing(home: Home) -> None:
    """A tool that calls `agentcli approvals` is refused, and told why; nothing is recorded."""
    waits = ask(home)
    path = home.folder / "tools.py"
    path.write_text(APPROVER)
    path.chmod(0o600)
    home.configure(f'[agents.sly]\ntools = "{path}"\n')
    call = json.dumps({"call": waits["call_id"], "code": waits["code"]})
    ended = home.run("run", *OFFLINE, "--agent", "sly", "--json", f"call approve {call}")
    (result,) = [event["result"] for event in ended.events if event["type"] == "tool_finished"]
    assert result["codes"] == [1, 1, 1]
    assert "what an agent starts answers no questions" in result["said"]
    assert [one["code"] for one in pending(home)] == [waits["code"]]


def test_nothing_slow_is_loaded_to_answer(home: Home) -> None:
    """Neither the SDK nor an agent nor what draws screens."""
    waits = ask(home)
    program = "import sys; from agentcli.cli.app import run; code = run(sys.argv[1:]); print(code, *sys.modules)"
    ended = home.python("-c", program, "approvals", "approve", waits["call_id"], "--code", waits["code"])
    loaded = ended.out.splitlines()[-1].split()
    assert loaded[0] == "0"
    slow = ("anthropic", "httpx2", "rich", "prompt_toolkit", "pydantic", "agentcli.engine", "agentcli.models", "agentcli.agents.expenses")  # fmt: skip
    assert not [name for name in loaded if name in slow]
