"""What each part of the screen shows in the room it has."""

import pytest

from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.drawing.styled import plain
from agentcli.terminal.faces.desk import Desk
from agentcli.terminal.faces.hints import AGAIN, DRAFT, EDITING, SENT, Hint
from agentcli.terminal.faces.picture import MOST_CHOICES, Picture, hint_line, share_out, status_line, tail_lines
from agentcli.terminal.picking import KEYS, Choice, Picking
from tests.terminal.views import view_of

PARTS = ["level 2", "expenses", "offline", "step 2 of 6"]


@pytest.mark.parametrize("is_editing", [False, True], ids=["answered", "edited"])
@pytest.mark.parametrize("rows", [3, 4, 5, 8, 10, 15, 16, 24, 60])
def test_question_line_and_status_fit_the_screen(rows: int, is_editing: bool) -> None:
    """Together they take no more rows than there are."""
    shares = share_out(rows, is_asking=True, is_editing=is_editing)
    assert shares.card + shares.line + 1 <= rows


@pytest.mark.parametrize(("rows", "line"), [(10, 5), (8, 4), (5, 2), (16, 6), (24, 6), (60, 6)])
def test_an_input_that_is_edited_is_seen(rows: int, line: int) -> None:
    """It has more than the row or the three in which a question is answered."""
    assert share_out(rows, is_asking=True, is_editing=True).line == line


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (80, "level 2 · expenses · offline · step 2 of 6"),
        (30, "level 2 · expenses · offline"),
        (20, "level 2 · expenses"),
        (8, "level 2"),
        (6, "level…"),
    ],
)
def test_the_status_leaves_out_the_least_important_first(width: int, shown: str) -> None:
    """The first part is there in any case."""
    assert plain(status_line(PARTS, width)) == shown


@pytest.mark.parametrize("hint", [DRAFT, EDITING, SENT, *AGAIN.values()], ids=lambda hint: hint[-1])
@pytest.mark.parametrize("width", [20, 30, 80])
def test_a_hint_is_said_in_full_or_shorter_never_cut(hint: Hint, width: int) -> None:
    """There is a wording for every screen."""
    assert cell_width(plain(hint_line(hint, width))) <= width
    assert plain(hint_line(hint, width)) in hint


def test_a_hint_without_room_is_cut() -> None:
    """Narrower than anything we know."""
    assert plain(hint_line(("abc", "ab"), 1)) == "a…"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        (" \n", []),
        ("one ", ["  one"]),
        ("one\ntwo  \n", ["  one", "  two"]),
        ("1\n2\n3\n4", ["  2", "  3", "  4"]),
        ("\none", ["", "  one"]),
        ("\n1\n2\n3", ["  1", "  2", "  3"]),
        ("0123456789ABCDE", ["  0123456789", "  ABCDE"]),
        ("a\x1b[2J", ["  a⟨U+001B⟩[", "  2J"]),
    ],
)
def test_the_tail_shows_the_last_lines_safely(text: str, lines: list[str]) -> None:
    """Folded and set in, with marks for what hides; blanks that may still go on are no marks."""
    assert [plain(line) for line in tail_lines(text, 12, 3)] == lines


def test_the_tail_waits_while_a_question_is_open() -> None:
    """Nothing of the agent moves on the screen until it is answered."""
    desk = Desk()
    picture = Picture(desk, lambda: (80, 24))
    picture.unfinished = "and so on"
    assert [plain(line) for line in picture.tail()] == ["  and so on"]
    assert picture.card() == ()
    desk.open(view_of(), "")
    assert picture.tail() == ()
    assert plain(picture.card()[-1]) == 'Allow delete_expense {"id":1}? (y/n)'


def test_prompt_and_status_follow_the_desk() -> None:
    """While the input is changed the prompt says so, and a hint stands in place of the status."""
    desk = Desk()
    picture = Picture(desk, lambda: (80, 24))
    picture.state = ("level 2",)
    assert (picture.prompt(), plain(picture.status()), picture.line_rows()) == ("> ", "level 2", 8)
    desk.open(view_of(), "")
    assert desk.asking is not None
    desk.asking.is_editing = True
    assert (picture.prompt(), plain(picture.status()), picture.line_rows()) == ("edit> ", EDITING[0], 6)


@pytest.mark.parametrize(("screen", "rows"), [(50, 12), (24, 12), (10, 5), (8, 4), (5, 3)])
def test_a_list_leaves_half_of_the_screen_to_what_was_said(screen: int, rows: int) -> None:
    """On the smallest screens it takes what it needs."""
    desk = Desk()
    desk.pick(Picking("history", [Choice(f"{at}", f"line {at}") for at in range(30)]))
    assert len(Picture(desk, lambda: (80, screen)).choices()) == rows


def test_what_narrows_a_list_stays_in_its_row() -> None:
    """However few are found; a list of few takes no more rows than it has."""
    desk = Desk()
    picture = Picture(desk, lambda: (80, 24))
    for count, rows in ((30, MOST_CHOICES), (3, 4)):
        desk.pick(Picking("history", [Choice(f"line {at}", f"line {at}") for at in range(count)]))
        assert len(picture.choices()) == rows
        assert desk.picking is not None
        for query in ("line 2", "no such"):
            desk.picking.query = query
            lines = picture.choices()
            assert len(lines) == rows
            assert plain(lines[-1]).endswith(query)
        desk.picking.query = str(count - 1)
        assert plain(picture.choices()[-2]).endswith(desk.picking.found[-1].label)


@pytest.mark.parametrize(("line", "told"), [("tea", DRAFT[0]), ("/level", "")], ids=["words", "a command"])
def test_where_lines_only_come_a_hint_is_told_in_full(line: str, told: str) -> None:
    """However narrow they are; and a command is no message, whenever it was begun."""
    desk = Desk()
    desk.open(view_of(), line)
    assert desk.hint == DRAFT
    seen = Picture(desk, lambda: (20, 24)).seen(line, 1, is_quiet=True)
    assert " ".join(plain(piece) for piece in seen.hint) == told
    assert all(cell_width(plain(piece)) <= 20 for piece in seen.hint)


def test_where_lines_only_come_a_message_is_told_once() -> None:
    """The line above says it, with its number; no hint repeats it."""
    desk = Desk()
    desk.open(view_of(), "tea")
    desk.enter("tea", 0)
    assert desk.hint == SENT
    assert Picture(desk, lambda: (80, 24)).seen("", 1, is_quiet=True).hint == ()


def test_where_lines_only_come_a_list_says_how_it_is_used() -> None:
    """Once, below what is chosen."""
    desk = Desk()
    desk.pick(Picking("history", [Choice("tea", "tea"), Choice("milk", "milk")]))
    seen = Picture(desk, lambda: (80, 24)).seen("", 1, is_quiet=True)
    assert [plain(line) for line in seen.panel] == ["› tea", "history (1 of 2): "]
    assert [plain(line) for line in seen.hint] == [KEYS[0]]
