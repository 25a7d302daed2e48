"""What a line that begins with a slash asks for."""

import pytest

from agentcli.gate.autonomy import Level
from agentcli.terminal.slash import wishes as w
from agentcli.terminal.slash.command_table import COMMANDS
from agentcli.terminal.slash.line import read_command

TOOLS = ("add_expense", "delete_expense")


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("/help", w.Help()),
        ("/help level", w.Help("level")),
        ("/help /level", w.Help("level")),
        ("/HELP", w.Help()),
        ("/", w.Help()),
        ("/level", w.ShowLevels()),
        ("/level add_expense", w.ShowLevels("add_expense")),
        ("/level 0", w.SetLevel(Level.TALK)),
        ("/level 4", w.SetLevel(Level.ALONE)),
        ("/level  add_expense   3", w.SetLevel(Level.BOUNDED, "add_expense")),
        ("/level add_expense default", w.SetLevel(None, "add_expense")),
        ("/status", w.ShowStatus()),
        ("/tools", w.ShowTools()),
        ("/facts", w.ShowFacts()),
        ("/queue", w.ShowQueue()),
        ("/queue edit 3 say it otherwise ", w.Reword(3, "say it otherwise")),
        ("/queue edit #3 a\nb", w.Reword(3, "a\nb")),
        ("/queue drop #12", w.Reword(12, None)),
        ("/book", w.ShowBook()),
        ("/book csv x.csv", w.SaveBook("x.csv")),
        ("/book  CSV   ~/my book.csv ", w.SaveBook("~/my book.csv")),
        ("/undo", w.Undo()),
        ("/audit", w.ShowAudit()),
        ("/sessions", w.ShowSessions()),
        ("/sessions 08j3", w.GoTo("08j3")),
        ("/new", w.New()),
        ("/new support", w.New("support")),
        ("/quit ", w.Quit()),
    ],
)
def test_a_command_is_read(line: str, wish: w.Wish) -> None:
    """Letter case of its name and blanks don't matter."""
    assert read_command(line, TOOLS) == wish


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/foo", "there is no /foo; /help lists all there are"),
        ("/levl", "there is no /levl; did you mean '/level'? /help lists all there are"),
        ("/q", "there is no /q; did you mean '/queue' or '/quit'? /help lists all there are"),
        ("/exit", "there is no /exit; did you mean '/quit'? /help lists all there are"),
        ("/Resume 08j3", "there is no /resume; did you mean '/sessions'? /help lists all there are"),
        ("/csv book.csv", "there is no /csv; did you mean '/book csv'? /help lists all there are"),
        ("/help clear", "there is no /clear; did you mean '/new'? /help lists all there are"),
        ("/xyzzy", "there is no /xyzzy; /help lists all there are"),
        ("/\x1b", "there is no /⟨U+001B⟩; /help lists all there are"),
        (
            "/home/ana/bank.csv import it",
            "there is no /home/ana/bank.csv; "
            "a line that begins with / is a command: begin with a word to have it said",
        ),
        ("//", "there is no //; /help lists all there are"),
        ("/help levl", "there is no /levl; did you mean '/level'? /help lists all there are"),
        ("/sessions 08j3 08j4", "one at a time; it is /sessions [ID]"),
        ("/new support library", "one at a time; it is /new [AGENT]"),
        ("/level 5", "'5' is no level from 0 to 4; it is /level [TOOL] [N|default]"),
        ("/level -1", "'-1' is no level from 0 to 4; it is /level [TOOL] [N|default]"),
        ("/level default", "'default' is no level from 0 to 4; it is /level [TOOL] [N|default]"),
        ("/level add_expense 9", "'9' is no level from 0 to 4, nor `default`; it is /level [TOOL] [N|default]"),
        (
            "/level add_expens",
            "there is no tool 'add_expens'; did you mean 'add_expense'? it is /level [TOOL] [N|default]",
        ),
        ("/level x 3", "there is no tool 'x'; it is /level [TOOL] [N|default]"),
        ("/level add_expense 3 4", "that is too much; it is /level [TOOL] [N|default]"),
        ("/queue edit", "which one? it is /queue [edit N TEXT | drop N]"),
        ("/queue edit x y", "'x' is no message's number; it is /queue [edit N TEXT | drop N]"),
        ("/queue edit 3", "what should it say? it is /queue [edit N TEXT | drop N]"),
        ("/queue drop 3 4", "one at a time; it is /queue [edit N TEXT | drop N]"),
        ("/queue swap 3", "'swap' is neither edit nor drop; it is /queue [edit N TEXT | drop N]"),
        ("/book csv", "into which file? it is /book [csv FILE]"),
        ("/book x.csv", "'x.csv' is not csv; it is /book [csv FILE]"),
        ("/quit now", "/quit takes nothing; leave 'now' out"),
    ],
)
def test_a_wrong_line_says_what_it_wanted(line: str, told: str) -> None:
    """With the nearest right word, where one is near."""
    assert read_command(line, TOOLS) == w.Trouble(told)


def test_every_command_is_read() -> None:
    """What help lists, there is."""
    for command in COMMANDS:
        assert not isinstance(read_command(f"/{command.name}", TOOLS), w.Trouble)
