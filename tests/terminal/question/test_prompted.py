"""What else is asked, laid out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.drawing.styled import plain
from agentcli.terminal.question.card import as_text
from agentcli.terminal.question.prompted import PromptView, lay_out_prompt

VIEW = PromptView(
    about="a form",
    title="ask asks: when?",
    lines=("open from 6", "day"),
    keys="a date · Esc cancels",
    asks="day?",
)
REFUSED = replace(VIEW, complaint="no date")


def test_a_prompt_is_framed_above_its_answer_line() -> None:
    """What was wrong with the line before stands right above how it should be."""
    assert as_text(lay_out_prompt(REFUSED, width=60, height=20)).split("\n") == [
        "│ ask asks: when?",
        "│ open from 6",
        "│ day",
        "│ no date",
        "│ a date · Esc cancels",
        "day?",
    ]


@pytest.mark.parametrize(
    ("width", "feet"),
    [
        (60, ["│ page 1 of 2 · PageDown more of it", "│ page 2 of 2 · a date · Esc cancels"]),
        (20, ["│ 1/3 · PageDown", "│ 2/3 · PageDown", "│ 3/3 · PageUp"]),
    ],
)
def test_a_long_prompt_is_paged(width: int, feet: list[str]) -> None:
    """Every page says which it is, as far as there is room."""
    card = lay_out_prompt(VIEW, width=width, height=4)
    assert [plain(page[-1]) for page in card.pages] == feet


def test_how_a_field_is_filled_in_stands_above_a_foot_that_has_no_room_for_it() -> None:
    """Whole, on the last page; nobody has to guess what is to be typed."""
    card = lay_out_prompt(replace(REFUSED, keys="a date, YYYY-MM-DD · Esc cancels the call"), width=30, height=5)
    assert [plain(line).rstrip() for line in card.pages[-1]] == [
        "│ no date",
        "│ a date, YYYY-MM-DD · Esc",
        "│    cancels the call",
        "│ 2/2 · PageUp",
    ]


def test_an_only_page_has_none_to_turn_to() -> None:
    """Where the keys do not fit into a line they are cut; what to type stands in the line that asks as well."""
    card = lay_out_prompt(replace(VIEW, keys="happened · not · retry: run it once more"), width=30, height=5)
    assert [plain(page[-1]) for page in card.pages] == ["│ happened · not · retry: run…"]


def test_what_was_wrong_begins_a_page() -> None:
    """However little room there is: what is asked was read before, and is on the pages before it."""
    card = lay_out_prompt(replace(REFUSED, keys="by number or text · Esc cancels"), width=20, height=4)
    assert [[plain(line).rstrip() for line in page] for page in card.pages[card.begins :]] == [
        ["│ no date", "│ by number or text", "│ 3/4 · PageDown"],
        ["│    · Esc cancels", "│ 4/4 · PageUp"],
    ]


def test_what_is_new_begins_a_page() -> None:
    """What was seen with the field before stands on the pages before it."""
    card = lay_out_prompt(replace(VIEW, seen=1), width=60, height=4)
    assert [plain(page[0]) for page in card.pages] == ["│ ask asks: when?", "│ day"]
    assert card.begins == 1


def test_a_title_alone_is_no_page() -> None:
    """Where nothing else stands above the field, the title is read again with it."""
    card = lay_out_prompt(replace(VIEW, seen=0), width=60, height=4)
    assert (plain(card.pages[0][0]), card.begins) == ("│ ask asks: when?", 0)


@given(st.text("ab ⟨", max_size=80), st.integers(20, 60), st.integers(3, 20), st.integers(0, 2))
def test_it_fits_the_room(text: str, width: int, height: int, seen: int) -> None:
    """Folded, never cut."""
    view = PromptView(about="", title=text, lines=(text, text), keys="Esc", asks="x?", seen=seen)
    card = lay_out_prompt(view, width=width, height=height)
    assert card.begins in range(len(card.pages))
    for number in range(len(card.pages)):
        lines = card.lines(number)
        assert len(lines) <= height
        assert all(cell_width(plain(line)) <= width for line in lines)
