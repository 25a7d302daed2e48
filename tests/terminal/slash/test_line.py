"""What a line that begins with a slash asks for."""

import pytest

from agentcli.gate.autonomy import Level
from agentcli.terminal.slash import line as s

TOOLS = ("add_expense", "delete_expense")


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("/help", s.Help()),
        ("/help level", s.Help("level")),
        ("/help /level", s.Help("level")),
        ("/HELP", s.Help()),
        ("/", s.Help()),
        ("/level", s.ShowLevels()),
        ("/level add_expense", s.ShowLevels("add_expense")),
        ("/level 0", s.SetLevel(Level.TALK)),
        ("/level 4", s.SetLevel(Level.ALONE)),
        ("/level  add_expense   3", s.SetLevel(Level.BOUNDED, "add_expense")),
        ("/level add_expense default", s.SetLevel(None, "add_expense")),
        ("/status", s.ShowStatus()),
        ("/tools", s.ShowTools()),
        ("/facts", s.ShowFacts()),
        ("/queue", s.ShowQueue()),
        ("/queue edit 3 say it otherwise ", s.Reword(3, "say it otherwise")),
        ("/queue edit #3 a\nb", s.Reword(3, "a\nb")),
        ("/queue drop #12", s.Reword(12, None)),
        ("/book", s.ShowBook()),
        ("/book csv x.csv", s.SaveBook("x.csv")),
        ("/book  CSV   ~/my book.csv ", s.SaveBook("~/my book.csv")),
        ("/undo", s.Undo()),
        ("/audit", s.ShowAudit()),
        ("/sessions", s.ShowSessions()),
        ("/sessions 08j3", s.GoTo("08j3")),
        ("/new", s.New()),
        ("/new support", s.New("support")),
        ("/quit ", s.Quit()),
    ],
)
def test_a_command_is_read(line: str, wish: s.Wish) -> None:
    """Letter case of its name and blanks don't matter."""
    assert s.read_command(line, TOOLS) == wish


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/levl", "there is no /levl; did you mean '/level'? /help lists all there are"),
        ("/q", "there is no /q; did you mean '/queue' or '/quit'? /help lists all there are"),
        ("/xyzzy", "there is no /xyzzy; /help lists all there are"),
        ("/\x1b", "there is no /⟨U+001B⟩; /help lists all there are"),
        ("/help levl", "there is no /levl; did you mean '/level'? /help lists all there are"),
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
    assert s.read_command(line, TOOLS) == s.Trouble(told)


def test_every_command_is_read() -> None:
    """What help lists, there is."""
    for command in s.COMMANDS:
        assert not isinstance(s.read_command(f"/{command.name}", TOOLS), s.Trouble)
