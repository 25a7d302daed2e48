"""What a demo plays on: data of its own, and everything that a conversation can come to."""

from agentcli.lab.recording import Recording, record
from agentcli.lab.script import parse_script
from agentcli.lab.verdict import differences
from agentcli.terminal.styled import plain

LENT = """\
title = "Lent"
agent = "library"
levels = [1]
model = "scripted"
[[data]]
tool = "borrow_book"
input = { book_id = "B-1", member_id = "M-1" }
[[turn]]
say = "hello"
text = "hello"
[[reply]]
text = "hello"
[[effect]]
tool = "search_books"
input = { query = "B-1" }
result = { status = "ok" }
"""

LOOKS = """\
title = "Six looks are enough"
agent = "expenses"
levels = [1]
model = "scripted"
[[turn]]
say = "look again and again"
[[turn]]
say = "that will do"
text = "done"
"""


def played(text: str) -> Recording:
    recording = record(parse_script("x.toml", text.encode()))
    assert [differences(recording.script, one) for one in recording.played] == [[]]
    return recording


def test_data_is_played_in_unasked() -> None:
    """Even what always asks, whatever the level of the demo; nothing of it shows."""
    shown = [plain(line) for line in played(LENT).lines]
    assert not any("borrow_book" in line for line in shown)


def test_a_turn_after_a_limit_goes_on_with_what_is_said() -> None:
    """The offer to go on is left where it is, and closes when there is something else to do."""
    look = '[[reply]]\ncalls = [{ tool = "get_total" }]\n'
    shown = [plain(line) for line in played(LOOKS + look * 6 + '[[reply]]\ntext = "done"\n').lines]
    assert "Stopped: step limit reached" in shown
    assert any("Go on with a fresh allowance?" in line for line in shown)


def test_every_level_starts_from_the_same_data() -> None:
    """What one level did, the next does not find."""
    text = (
        'title = "x"\nagent = "expenses"\nlevels = [3, 4]\nmodel = "offline"\n'
        '[[turn]]\nsay = "Add 300 for groceries"\n[[effect]]\ntool = "get_total"\nresult = { count = 2 }\n'
    )
    recording = record(parse_script("x.toml", text.encode()))
    assert [differences(recording.script, one) for one in recording.played] == [[], []]
    titles = [plain(line) for line in recording.lines if plain(line).startswith("x · level")]
    assert titles == ["x · level 3", "x · level 4"]
