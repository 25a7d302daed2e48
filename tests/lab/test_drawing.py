"""A comparison as it is drawn: what stands where, and that it fits."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.gate.autonomy import Level
from agentcli.lab.drawing import drawn
from agentcli.lab.effects import ChangedRow
from agentcli.lab.endings import Ending
from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.drawing.styled import Line, Style, plain
from tests.lab.columns import call, compared, level

SOLD = ChangedRow("cars", 1, {"id": 1, "plate": "B-1", "price": "10"}, {"id": 1, "plate": "B-1", "price": "12"})
NEW = ChangedRow("cars", 2, None, {"id": 2, "plate": "B-2"})
GONE = ChangedRow("cars", 3, {"id": 3, "plate": "B-3"}, None)

WIDE = """\
garage · offline · “tidy up”

                         level 1  level 2               level 3
1  park {"plate":"B-1"}  deny     ask→yes               allow (would run)
2  park {"plate":"B-2"}  deny     ask→no: scrap         –
                                  {"plate":"B-9"}

changed at level 1: nothing
changed at levels 2, 3:
  cars 1: price 10 → 12
  cars 2: new id 2, plate B-2
  cars 3: gone id 3, plate B-3

level 1  asked 0 · steps 2 · tokens 1,234 · 0.0021 USD · completed
level 2  asked 2 · steps 2 · tokens 1,234 · 0.0021 USD · step limit reached
level 3  asked 0 · steps 2 · tokens 1,234 · 0.0021 USD · completed

they part at call 1
"""

STACKED = """\
garage · offline · “tidy up”

1  park {"plate":"B-1"}
   level 1  deny
   level 2  ask→yes
   level 3  allow (would run)
2  park {"plate":"B-2"}
   level 1  deny
   level 2  ask→no: scrap
     {"plate":"B-9"}
   level 3  –

changed at level 1: nothing
changed at levels 2, 3:
  cars 1: price 10 → 12
  cars 2: new id 2, plate B-2
  cars 3: gone id 3, plate B-3

level 1  asked 0 · steps 2 · tokens
         1,234 · 0.0021 USD · completed
level 2  asked 2 · steps 2 · tokens
         1,234 · 0.0021 USD · step
         limit reached
level 3  asked 0 · steps 2 · tokens
         1,234 · 0.0021 USD · completed

they part at call 1
"""

CHANGED = (SOLD, NEW, GONE)
THREE = compared(
    level(1, call("park", "deny", plate="B-1"), call("park", "deny", plate="B-2")),
    level(
        2,
        call("park", "ask", "approved", plate="B-1"),
        call("scrap", "ask", "declined", plate="B-9"),
        effects=CHANGED,
        outcome="limit",
    ),
    level(3, call("park", "allow", status="simulated", plate="B-1"), effects=CHANGED),
    endings={Level(2): Ending("step limit reached")},
)


def text(lines: Sequence[Line]) -> str:
    return "".join(plain(line) + "\n" for line in lines)


@pytest.mark.parametrize(("width", "shown"), [(40, STACKED), (80, WIDE), (200, WIDE)], ids=["40", "80", "200"])
def test_calls_go_down_and_levels_across_where_there_is_room(width: int, shown: str) -> None:
    """Each cell says allow, deny, or ask and the answer; what differs from its row says what it is itself."""
    assert text(drawn(THREE, width)) == shown


def test_a_row_that_all_levels_decide_alike_is_no_difference() -> None:
    """The first call about which two levels decide differently is named, if there is one."""
    alike = [call("park", "deny"), call("park", "deny")]
    assert "all levels decide alike" in text(drawn(compared(level(1, *alike), level(2, *alike)), 80))
    other = [alike[0], call("park", "allow")]
    assert "they part at call 2" in text(drawn(compared(level(1, *alike), level(2, *other)), 80))
    assert "they part at call 2" in text(drawn(compared(level(1, *alike), level(2, alike[0])), 80))


def test_one_level_alone_parts_from_none() -> None:
    """Where nothing is compared, nothing is said about a difference."""
    shown = text(drawn(compared(level(2, call("park", "allow"))), 80))
    assert "alike" not in shown
    assert "part" not in shown


def test_what_is_set_besides_the_levels_stands_in_the_heading() -> None:
    """A policy that is looked at is named."""
    shown = text(drawn(compared(level(2), policy=("park at level 3", "every call is asked about")), 200))
    assert shown.startswith("garage · offline · park at level 3 · every call is asked about · “tidy up”\n")


def test_a_yes_that_did_not_hold_is_told() -> None:
    """What was denied when it was to run was not allowed, though a person said yes."""
    late = call("park", "ask", "approved", status="blocked")
    assert "ask→yes→deny" in text(drawn(compared(level(2, late)), 80))


def test_a_call_is_folded_between_members() -> None:
    """No bracket stands alone on a line."""
    long = call("add_expense", "allow", item="groceries", amount=300)
    shown = text(drawn(compared(*(level(number, long) for number in range(5))), 80))
    assert '1  add_expense {"item":"groceries",  allow' in shown
    assert '\n   "amount":300}\n' in shown


def test_why_a_run_failed_is_told_below_the_table() -> None:
    """A person need not look for it elsewhere."""
    failed = compared(level(2), endings={Level(2): Ending("failed: it can't be reached\x1b[2J", is_failure=True)})
    shown = text(drawn(failed, 200))
    assert "0.0021 USD · failed: it can't be reached" in shown
    assert "\x1b" not in shown


def test_without_a_call_there_is_no_table() -> None:
    """Where no level called anything, that is said."""
    assert "no calls at any level" in text(drawn(compared(level(0), level(1)), 80))


def test_the_decision_is_told_by_colour_too() -> None:
    """Allow, ask and deny look different where there is colour."""
    row = next(line for line in drawn(THREE, 80) if plain(line).startswith("1 "))
    assert [span.style for span in row] == [Style.PLAIN, Style.BAD, Style.CARE, Style.GOOD]


def test_what_is_hidden_in_inputs_is_made_visible() -> None:
    """Nothing of a call can repaint the table."""
    hostile = call("pa\x1b[2Jrk", "allow", plate="\x1b]0;x\x07\u202e")
    shown = text(drawn(compared(level(2, hostile), message="\x1b[31m"), 80))
    assert "\x1b" not in shown
    assert "\u202e" not in shown


words = st.text(max_size=60)


@given(
    width=st.integers(20, 200),
    tool=words,
    value=words,
    message=words,
    numbers=st.sets(st.integers(0, 4), min_size=1),
    decision=st.sampled_from(["allow", "ask", "deny"]),
)
def test_no_line_is_wider_than_the_terminal(
    width: int, tool: str, value: str, message: str, numbers: set[int], decision: str
) -> None:
    """Whatever is compared fits."""
    effect = ChangedRow("cars", value, {"id": value, "plate": tool}, {"id": value, "plate": message})
    columns = [level(number, call(tool, decision, plate=value), effects=(effect,)) for number in sorted(numbers)]
    for line in drawn(compared(*columns, message=message), width):
        assert cell_width(plain(line)) <= width
