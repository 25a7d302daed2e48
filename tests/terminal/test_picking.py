"""A list from which one thing is picked."""

import pytest

from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.drawing.styled import plain
from agentcli.terminal.picking import Choice, Picking

FRUIT = [Choice(name, name) for name in ("apple", "pear", "Pineapple", "plum")]


def shown(picking: Picking, width: int = 40, height: int = 10) -> list[str]:
    return [plain(line) for line in picking.lines(width, height)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["apple", "pear", "Pineapple", "plum"]),
        ("P", ["apple", "pear", "Pineapple", "plum"]),
        ("app", ["apple", "Pineapple"]),
        ("e pi", ["Pineapple"]),
        ("kiwi", []),
    ],
)
def test_what_is_typed_narrows_the_list(query: str, found: list[str]) -> None:
    """Every word has to be in it, in any letter case and order."""
    picking = Picking("fruit", FRUIT)
    for key in query:
        picking.typed(key)
    assert [choice.value for choice in picking.found] == found
    assert picking.chosen == (found[0] if found else None)


def test_arrows_go_round() -> None:
    """Past the last comes the first."""
    picking = Picking("fruit", FRUIT)
    picking.move(1)
    assert picking.chosen == "pear"
    picking.move(-2)
    assert picking.chosen == "plum"
    picking.move(1)
    assert picking.chosen == "apple"


def test_pages_end_at_the_ends() -> None:
    """A page is what the list has room for; where nothing is found there is nothing to go to."""
    picking = Picking("fruit", FRUIT)
    shown(picking, height=3)
    picking.leap(1)
    assert picking.chosen == "Pineapple"
    picking.leap(1)
    assert picking.chosen == "plum"
    picking.leap(-5)
    assert picking.chosen == "apple"
    picking.typed("kiwi")
    picking.leap(1)
    assert picking.chosen is None


def test_to_narrow_begins_at_the_first_again() -> None:
    """So does taking a character back."""
    picking = Picking("fruit", FRUIT)
    picking.move(2)
    picking.typed("p")
    assert picking.chosen == "apple"
    picking.typed("x")
    picking.move(1)
    assert picking.chosen is None
    picking.erased()
    assert (picking.chosen, picking.query) == ("apple", "p")


def test_the_list_shows_what_is_chosen_and_what_was_typed() -> None:
    """And how many there are."""
    picking = Picking("fruit", FRUIT)
    picking.typed("app")
    picking.move(1)
    assert shown(picking) == ["  apple", "› Pineapple", "fruit (2 of 2): app"]
    picking.typed("?")
    assert shown(picking) == ["fruit (nothing found): app?"]


@pytest.mark.parametrize("height", [1, 2, 3, 8])
@pytest.mark.parametrize("at", [0, 1, 20, 49])
def test_what_is_chosen_is_always_in_sight(height: int, at: int) -> None:
    """In any room, and the list takes no more than that, but for the row that says what is asked."""
    picking = Picking("numbers", [Choice(str(number), f"number {number}") for number in range(50)])
    picking.move(at)
    lines = shown(picking, height=height)
    assert len(lines) == max(height, 2)
    assert f"› number {at}" in lines


def test_a_long_or_hostile_choice_stays_on_its_row() -> None:
    """It is cut to the room, its line breaks are blanks, and what hides is marked."""
    picking = Picking("lines", [Choice("x", "one\ntwo\x1b[2J" + "猫" * 40)])
    first = shown(picking, width=30)[0]
    assert first.startswith("› one two⟨U+001B⟩[2J猫")
    assert cell_width(first) <= 30
