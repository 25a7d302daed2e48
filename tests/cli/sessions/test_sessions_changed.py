"""`agentcli sessions rename` and `delete`."""

import pytest

from tests.cli.decide.test_undo import held, listed, write
from tests.cli.process import Home
from tests.cli.test_at_a_terminal import at_terminal
from tests.cli.waiting import ask, pending


def ids(home: Home) -> list[str]:
    return [row["id"] for row in home.run("sessions", "list", "--json").json]


def test_a_session_gets_a_title(home: Home) -> None:
    """On one line; the list shows it from then on."""
    session = write(home)
    ended = home.run("sessions", "rename", session[:6], "  my\nfirst  book ")
    assert (ended.code, ended.out) == (0, f"{session} is now called my first book\n")
    assert home.run("sessions", "list", "--json").json[0]["title"] == "my first book"
    assert home.run("sessions", "rename", session, "books", "--json").json == {
        "session": session,
        "title": "books",
    }


@pytest.mark.parametrize("title", ["", " \t"])
def test_a_title_is_not_blank(home: Home, title: str) -> None:
    """The list would show nothing."""
    ended = home.run("sessions", "rename", write(home), title)
    assert ended.code == 2
    assert "can't be blank" in ended.error


@pytest.mark.parametrize("command", [("rename", "nope", "title"), ("delete", "nope", "--yes")])
def test_a_session_that_is_not_there_is_wrong_usage(home: Home, command: tuple[str, ...]) -> None:
    """With or without a store, which is not made for it."""
    assert "no session 'nope'" in home.run("sessions", *command).error
    assert not home.store.exists()
    write(home)
    assert home.run("sessions", *command).code == 2


def test_a_deletion_says_what_goes_and_removes_it(home: Home) -> None:
    """How much there is, and what still waits or was not heard; the books stay as they are."""
    session = write(home)
    home.run("sessions", "rename", session, "books")
    ended = home.run("sessions", "delete", session, "--yes")
    assert ended.code == 0
    will, entries, undoable, deleted = ended.out.splitlines()
    assert will.startswith(f"will delete: session {session} “books” of expenses, begun 20")
    assert entries.startswith("entries: ")
    assert entries.endswith("messages: 1, calls: 2")
    assert undoable == "writes that could still be undone: 2; they stay in the books"
    assert deleted == f"deleted {session}"
    assert ids(home) == []
    assert listed(home) == ["tea", "groceries", "lunch"]


def test_what_waits_in_it_is_told(home: Home) -> None:
    """A question that is open goes with the session, and can't be answered any more."""
    waits = ask(home)
    home.run("say", waits["session"], "wait a moment")
    ended = home.run("sessions", "delete", waits["session"], "--yes")
    assert "waiting for a person: approval of add_expense" in ended.out
    assert "not heard yet: #2 wait a moment" in ended.out
    assert pending(home) == []
    assert home.run("approvals", "approve", waits["call_id"], "--code", waits["code"]).code == 2
    assert home.run("resume", waits["session"]).code == 2
    assert ids(home) == []


def test_for_programs_a_deletion_is_what_the_register_keeps(home: Home) -> None:
    """How many entries there were, and the hash of the last one."""
    session = write(home)
    gone = home.run("sessions", "delete", session, "--yes", "--json").json
    assert (gone["session"], len(gone["head"])) == (session, 64)
    assert gone["entries"] > 10


def test_without_a_terminal_a_deletion_needs_yes(home: Home) -> None:
    """A pipe never says it."""
    session = write(home)
    ended = home.run("sessions", "delete", session, stdin="y\n")
    assert ended.code == 2
    assert "needs --yes" in ended.error
    assert ids(home) == [session]


def test_a_session_that_is_held_is_not_deleted(home: Home) -> None:
    """Somebody is at work in it."""
    session = write(home)
    with held(home, session):
        assert home.run("sessions", "delete", session, "--yes").code == 5
    assert ids(home) == [session]


@pytest.mark.parametrize(("line", "code"), [("y", 0), ("yes", 0), ("n", 1), ("", 1), ("yep", 1)])
def test_at_a_terminal_a_deletion_is_asked(home: Home, line: str, code: int) -> None:
    """Only a yes deletes."""
    session = write(home)
    with at_terminal(home, "sessions", "delete", session) as screen:
        screen.wait_for("Delete it? (y/n)")
        screen.read(0.8)
        screen.enter(line)
        assert screen.wait_exit() == code
        assert ("nothing was deleted" in screen.everything) is bool(code)
    assert ids(home) == ([session] if code else [])


def test_keys_typed_before_it_was_asked_delete_nothing(home: Home) -> None:
    """Nobody can have meant this question with them."""
    session = write(home)
    with at_terminal(home, "sessions", "delete", session) as screen:
        screen.send("y\ry\ry\r")
        screen.wait_for("Delete it? (y/n)")
        screen.read(1.0)
        screen.enter("n")
        assert screen.wait_exit() == 1
    assert ids(home) == [session]
