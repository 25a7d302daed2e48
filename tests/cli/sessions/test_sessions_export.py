"""`agentcli sessions export`: a session to keep."""

import json
import stat

import pytest

from agentcli.cli.sessions.exporting import format_of
from tests.cli.process import Home

OFFLINE = ("--model", "offline")
SEED = "Add 300 for groceries, then delete expense 1."


@pytest.fixture
def session(home: Home) -> str:
    """A session in which one call was declined."""
    home.run("run", *OFFLINE, "--on-ask", "decline", "--tool-level", "add_expense=3", SEED)
    return str(home.run("sessions", "list", "--json").json[0]["id"])


def test_without_a_format_it_is_markdown(home: Home, session: str) -> None:
    """To standard output, a prefix of the id will do."""
    ended = home.run("sessions", "export", session[:6])
    assert (ended.code, ended.err) == (0, "")
    assert home.run("sessions", "export", session, "--output", "-") == ended
    assert ended.out.startswith(f"# `{SEED}`\n\n- session `{session}`, idle\n")
    assert "## `[declined] delete_expense by " in ended.out


def test_json_is_the_row_of_the_list_with_the_events(home: Home, session: str) -> None:
    """As `sessions show --json` has them, with the version of the format."""
    ended = home.run("sessions", "export", session, "--format", "json")
    exported = json.loads(ended.out)
    assert exported.pop("version") == 1
    assert exported == home.run("sessions", "show", session, "--json").json
    assert ended.out.count("\n") > 50


def test_a_file_is_new_and_for_its_owner_alone(home: Home, session: str) -> None:
    """Standard output stays empty; a second time nothing is written over."""
    path = home.folder / "kept.html"
    ended = home.run("sessions", "export", session, "--format", "html", "--output", "kept.html")
    assert (ended.code, ended.out, ended.err) == (0, "", "wrote kept.html\n")
    assert path.read_text().startswith("<!doctype html>")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text("mine")
    again = home.run("sessions", "export", session, "-o", "kept.html")
    assert again.code == 2
    assert again.error == "agentcli: kept.html is there already; name another file, or remove that one first\n"
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-o", "tea.pdf"), "wrote tea.pdf as md; --format names another\n"),
        (("-o", "tea"), "wrote tea\n"),
        (("-o", "tea.Markdown"), "wrote tea.Markdown\n"),
        (("-o", "tea.pdf", "-f", "md"), "wrote tea.pdf\n"),
    ],
    ids=["unknown", "none", "known", "said"],
)
def test_a_name_that_ends_otherwise_is_told_what_was_written(
    home: Home, session: str, arguments: tuple[str, ...], said: str
) -> None:
    """A file that no program opens as what it is called is no surprise."""
    assert home.run("sessions", "export", session, *arguments).err == said


@pytest.mark.parametrize(
    ("path", "form"),
    [
        (None, "md"),
        ("-", "md"),
        ("tea", "md"),
        ("tea.txt", "md"),
        ("a.json/tea", "md"),
        ("tea.md", "md"),
        ("tea.Markdown", "md"),
        ("tea.json", "json"),
        ("a b/tea.v2.HTML", "html"),
        ("tea.htm", "html"),
    ],
)
def test_a_file_is_written_in_the_format_that_its_name_ends_with(path: str | None, form: str) -> None:
    """Where none is named."""
    assert format_of(path) == form


def test_a_format_that_is_named_counts_and_may_be_spelled_out(home: Home, session: str) -> None:
    """Whatever the file is called."""
    home.run("sessions", "export", session, "-f", "Markdown", "-o", "one.html")
    home.run("sessions", "export", session, "-o", "two.html")
    assert (home.folder / "one.html").read_text().startswith("# ")
    assert (home.folder / "two.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("zzz",), "no session 'zzz'; `agentcli sessions list` shows them"),
        (("zzz", "-f", "pdf"), "'pdf' is not one of md, json, html"),
        ((), "missing argument 'SESSION'"),
    ],
)
def test_what_can_not_be_exported_says_why(home: Home, arguments: tuple[str, ...], said: str) -> None:
    """In one line, with 2; and looking makes no store."""
    ended = home.run("sessions", "export", *arguments)
    assert ended.code == 2
    assert said in ended.error
    assert not home.store.exists()


def test_where_a_file_can_not_be_written_it_says_so(home: Home, session: str) -> None:
    """With its name."""
    ended = home.run("sessions", "export", session, "-o", "no/such/folder.md")
    assert ended.code == 2
    assert "no/such/folder.md can't be written: No such file or directory" in ended.error


def test_the_key_is_in_no_export(home: Home) -> None:
    """Not even where a person said it."""
    key = "sk-ant-canary-0123456789abcdef"
    home.run("run", *OFFLINE, f"note: {key}")
    session = home.run("sessions", "list", "--json").json[0]["id"]
    for form in ("md", "json", "html"):
        ended = home.run("sessions", "export", session, "-f", form, env={"ANTHROPIC_API_KEY": key})
        assert key not in ended.out
        assert "[secret]" in ended.out
