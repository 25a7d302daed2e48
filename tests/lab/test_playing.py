"""What a demo plays on: data of its own, and everything that a conversation can come to."""

import asyncio
import signal
from itertools import pairwise

import pytest

from agentcli.lab.playing import LeftEarly, play
from agentcli.lab.reading import parse_script
from agentcli.lab.recording import Recording, cast, drawn, record, stage_of
from agentcli.lab.shelf import find_demo
from agentcli.lab.stage import StageLoop, Tape
from agentcli.lab.verdict import differences
from agentcli.terminal.conversation.resting import Parting
from agentcli.terminal.drawing.styled import plain

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


COMMANDS = """\
title = "Levels are a person's"
agent = "expenses"
levels = [2]
model = "offline"
[[turn]]
say = "/level"
text = "add_expense"
[[turn]]
say = "/level 3"
text = "level 3"
[[turn]]
say = "Add 5 for tea"
expect = [{ tool = "add_expense", decision = "allow" }]
[[turn]]
say = "/undo"
answers = [{ tool = "add_expense", line = "y" }]
text = "[approved]"
[[turn]]
say = "/nothing"
text = "there is no /nothing"
[[turn]]
say = "/book"
text = "tea"
[[effect]]
tool = "get_total"
result = { count = 1 }
"""


def test_a_turn_can_be_a_command() -> None:
    """What it asks is answered, what it prints is the turn's text, and the next turn begins once it is done."""
    shown = [plain(line) for line in played(COMMANDS).lines]
    assert shown.index("› /level 3") < shown.index("› Add 5 for tea") < shown.index("› /undo")


def test_commands_give_the_same_bytes_too() -> None:
    """Nothing of what they show is another each time."""
    first, second = played(COMMANDS), played(COMMANDS)
    assert cast(first) == cast(second)
    assert drawn(first) == drawn(second)


RAISED = """\
title = "Yes from now on"
agent = "expenses"
levels = [2]
model = "offline"
[[turn]]
say = "Add 5 for tea"
answers = [{ tool = "add_expense", line = "a" }]
expect = [{ tool = "add_expense", decision = "ask", answer = "approved" }]
[[turn]]
say = "Add 6 for coffee"
expect = [{ tool = "add_expense", decision = "allow" }]
"""


def test_a_yes_from_now_on_can_be_shown() -> None:
    """What follows runs unasked, and the script may say so."""
    played(RAISED)


@pytest.mark.parametrize(("columns", "rows"), [(40, 12), (30, 10), (80, 24)])
@pytest.mark.parametrize("name", ["refund", "asks-twice", "briefs"])
def test_a_demo_plays_on_a_small_screen(name: str, columns: int, rows: int) -> None:
    """Where a question takes several pages they are turned, since a yes counts once the last one was shown."""
    recording = record(find_demo(name).read(), columns=columns, rows=rows)
    assert [differences(recording.script, one) for one in recording.played] == [[]]


def test_turns_stand_apart_by_one_line() -> None:
    """Nothing is empty twice."""
    shown = [plain(line) for line in played(RAISED).lines]
    assert not any(one == other == "" for one, other in pairwise(shown))


class Interrupted(Tape, kw_only=True):
    """A tape that a signal interrupts at one of its writes."""

    number: signal.Signals
    at: int
    written: int = 0

    def write(self, text: str) -> int:
        self.written += 1
        if self.written == self.at:
            signal.raise_signal(self.number)
        return super().write(text)


def played_until(number: signal.Signals, at: int) -> int:
    """Play a short demo, and return how often something was written."""
    loop = StageLoop()
    tape = Interrupted(loop.time, number=number, at=at)
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(play(parse_script("x.toml", LENT.encode()), stage_of(loop, tape)))
    return tape.written


@pytest.mark.parametrize(
    ("number", "parting"),
    [(signal.SIGINT, Parting.INTERRUPTED), (signal.SIGTERM, Parting.TERMINATED)],
    ids=["INT", "TERM"],
)
def test_a_signal_cuts_it_short_whenever_it_comes(number: signal.Signals, parting: Parting) -> None:
    """From the first frame to the last, behind the one that makes the terminal ready: no other demo begins."""
    for at in range(2, played_until(number, at=0) + 1):
        with pytest.raises(LeftEarly) as left:
            played_until(number, at)
        assert left.value.parting is parting, at
