"""Tools with what each level says about them."""

from agentcli.gate.verdicts import Decision
from agentcli.terminal.drawing.tool_table import ToolRow, table_lines
from agentcli.tools.risk import Risk

DENY, ASK, ALLOW = Decision.DENY, Decision.ASK, Decision.ALLOW
ROWS = [
    ToolRow(
        "look", Risk.READ, (DENY, ALLOW, ALLOW, ALLOW, ALLOW), "Look around, at all that there is to be seen."
    ),
    ToolRow("erase", Risk.IRREVERSIBLE, (DENY, DENY, ASK, ASK, ALLOW), ""),
]
HEADER = "tool   risk          0     1      2      3      4"
LOOK = "look   read          deny  allow  allow  allow  allow"
ERASE = "erase  irreversible  deny  deny   ask    ask    allow"


def test_what_a_tool_does_stands_beside_it_where_that_fits() -> None:
    """To the cell."""
    beside = f"{LOOK}  Look around, at all that there is to be seen."
    assert list(table_lines(ROWS, len(beside))) == [HEADER, beside, ERASE]
    assert list(table_lines(ROWS, len(beside) - 1))[1] == LOOK


def test_what_a_tool_does_is_folded_never_cut() -> None:
    """Below its row, while there is room for the row."""
    rows = [*ROWS, ToolRow("x", Risk.WRITE, (DENY,) * 5, "words " * 19 + "words")]
    assert list(table_lines(rows, len(LOOK)))[:4] == [
        HEADER,
        LOOK,
        "  Look around, at all that there is to be seen.",
        ERASE,
    ]
    assert " ".join(" ".join(list(table_lines(rows, len(LOOK)))[5:]).split()) == ("words " * 20).strip()


def test_a_screen_without_room_for_the_table_gets_a_list() -> None:
    """The levels by what they say."""
    assert list(table_lines(ROWS, len(LOOK) - 1)) == [
        "look: read",
        "  deny 0 · allow 1 2 3 4",
        "  Look around, at all that there is to be seen.",
        "erase: irreversible",
        "  deny 0 1 · ask 2 3 · allow 4",
    ]


def test_no_tools_are_a_header_alone() -> None:
    """An agent may have none."""
    assert list(table_lines([], 80)) == [
        HEADER.replace("tool   risk          ", "tool  risk  ").replace(
            "     1      2      3      4", "  1  2  3  4"
        )
    ]


def test_what_hides_in_a_purpose_is_marked() -> None:
    """A docstring may come from anywhere."""
    row = ToolRow("x", Risk.READ, (DENY,) * 5, "a\x1bb")
    assert [list(table_lines([row], width))[-1].strip().endswith("a⟨U+001B⟩b") for width in (80, 44, 20)] == [
        True
    ] * 3
