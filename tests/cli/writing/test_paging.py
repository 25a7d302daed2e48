"""Pages: what fits the screen, which one comes first, and what turns them."""

from itertools import chain

import pytest

from agentcli.cli.writing.paging import Place, in_pages
from agentcli.terminal.drawing.folded import fold_line
from agentcli.terminal.drawing.styled import Line, Span, plain
from tests.cli.process import Home
from tests.cli.waiting import OFFLINE, SEED
from tests.terminal.pty_screen import ENTER, PtyScreen, python_module


def lines(*texts: str) -> list[Line]:
    return [(Span(text),) for text in texts]


def numbered(count: int) -> list[Line]:
    return lines(*map(str, range(1, count + 1)))


def sizes(count: int, height: int, *, from_end: bool) -> list[int]:
    return [len(page) for page in in_pages(numbered(count), height, from_end=from_end)]


@pytest.mark.parametrize(
    ("count", "height", "from_top", "from_end"),
    [
        (0, 5, [], []),
        (1, 5, [1], [1]),
        (4, 5, [4], [4]),
        (5, 5, [4, 1], [1, 4]),
        (9, 5, [4, 4, 1], [1, 4, 4]),
        (3, 2, [1, 1, 1], [1, 1, 1]),
        (3, 1, [1, 1, 1], [1, 1, 1]),
    ],
)
def test_pages_leave_a_line_for_the_prompt(
    count: int, height: int, from_top: list[int], from_end: list[int]
) -> None:
    """The first page is full where one begins at the top, the last where one begins at the end."""
    assert sizes(count, height, from_end=False) == from_top
    assert sizes(count, height, from_end=True) == from_end


@pytest.mark.parametrize("from_end", [False, True])
def test_no_line_is_lost_or_moved(from_end: bool) -> None:
    """All pages together are the whole."""
    pages = in_pages(numbered(23), 7, from_end=from_end)
    assert [plain(line) for line in chain.from_iterable(pages)] == [plain(line) for line in numbered(23)]


TOP, END = Place(0, 3, 1), Place(2, 3, -1)


@pytest.mark.parametrize(
    ("place", "typed", "page"),
    [
        (TOP, "", 1), (TOP, "b", 0), (TOP, "q", None), (TOP, " Q \n", None), (TOP, "quit", None), (TOP, "x", 1),
        (Place(2, 3, 1), "", None), (Place(2, 3, 1), "b", 1), (Place(1, 3, 1), "BACK", 0),
        (END, "", 1), (END, "b", 2), (Place(0, 3, -1), "", None), (Place(0, 3, -1), "p", 1),
    ],
)  # fmt: skip
def test_enter_turns_away_from_where_one_began(place: Place, typed: str, page: int | None) -> None:
    """`b` turns back and stays at the end, `q` leaves, and so does Enter behind the last page."""
    turned = place.turn(typed)
    assert (None if turned is None else turned.page) == page


def test_the_prompt_says_what_can_be_typed() -> None:
    """Where one is, and which way Enter goes."""
    assert TOP.prompt(80) == "page 1 of 3 · Enter more · b back · q quit "
    assert END.prompt(80) == "page 3 of 3 · Enter earlier · b later · q quit "


@pytest.mark.parametrize(
    ("width", "prompt"),
    [
        (45, "page 1 of 3 · Enter more · b back · q quit "),
        (44, "page 1 of 3 · Enter more · b back · q quit "),
        (43, "1/3 · Enter · b · q "),
        (21, "1/3 · Enter · b · q "),
        (20, "1/3 "),
        (3, "1/3 "),
    ],
)
def test_on_a_narrow_screen_the_prompt_is_short(width: int, prompt: str) -> None:
    """It takes one row, since a page has left one for it."""
    assert TOP.prompt(width) == prompt


def test_a_list_begins_with_its_newest_page_at_a_terminal(home: Home) -> None:
    """Enter shows earlier decisions, `q` ends; no other program gets the text."""
    home.run("run", *OFFLINE, " & ".join(f'call list_expenses {{"limit": {number}}}' for number in range(1, 31)))
    program = python_module("agentcli", "audit", "show")
    with PtyScreen(program, env=home.environment(PAGER="false"), cwd=home.folder, columns=100, rows=12) as screen:
        screen.wait_for("page 3 of 3 · Enter earlier")
        assert '{"limit":30}' in screen.text
        assert '{"limit":19}' not in screen.text
        screen.send(ENTER)
        screen.wait_for("page 2 of 3")
        assert '{"limit":19}' in screen.text
        screen.send("q" + ENTER)
        assert screen.wait_exit() == 0


def test_what_fits_is_not_paged(home: Home) -> None:
    """Nobody has to press a key for it."""
    home.run("run", *OFFLINE, "list")
    program = python_module("agentcli", "audit", "show")
    with PtyScreen(program, env=home.environment(), cwd=home.folder, columns=100, rows=12) as screen:
        screen.wait_for("[allow] list_expenses {} · ok")
        assert screen.wait_exit() == 0
        assert "page" not in screen.everything


@pytest.mark.parametrize(("columns", "rows"), [(80, 12), (20, 8)])
def test_every_page_is_on_the_screen_as_a_whole(home: Home, columns: int, rows: int) -> None:
    """Its first row too, however narrow the screen is; turning the pages shows all of the story."""
    home.run("run", *OFFLINE, SEED)
    (call,) = home.run("audit", "show", "--json").json
    program = python_module("agentcli", "audit", "show", call["call_id"])
    told = home.run("audit", "show", call["call_id"], env={"COLUMNS": str(columns)}).out.splitlines()
    expected = [row for line in told for row in fold_line((Span(line),), columns)]
    pages = len(in_pages(expected, rows, from_end=False))
    seen: set[str] = set()
    with PtyScreen(program, env=home.environment(), cwd=home.folder, columns=columns, rows=rows) as screen:
        for page in range(pages):
            prompt = Place(page, pages, 1).prompt(columns).rstrip()
            screen.wait_for(lambda shown, prompt=prompt: shown.lines[shown.cursor[0]] == prompt)  # type: ignore[misc]
            seen.update(screen.lines)
            screen.send(ENTER)
        assert screen.wait_exit() == 0
    assert pages > 1
    assert [plain(row) for row in expected if plain(row).rstrip() not in seen] == []


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"])
def test_who_leaves_has_the_row_below(home: Home, key: str, code: int) -> None:
    """The shell does not write behind the prompt."""
    home.run("run", *OFFLINE, " & ".join(f'call list_expenses {{"limit": {number}}}' for number in range(1, 9)))
    program = python_module("agentcli", "audit", "show")
    with PtyScreen(program, env=home.environment(), cwd=home.folder, columns=100, rows=6) as screen:
        screen.wait_for("page 2 of 2")
        screen.send(key)
        assert screen.wait_exit() == code
        assert screen.cursor[1] == 0
