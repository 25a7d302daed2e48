"""Big pastes in the line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.terminal.faces.pastes import MOST_CHARACTERS, MOST_LINES, Pastes


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("short", "short"),
        ("\n".join(["row"] * MOST_LINES), "\n".join(["row"] * MOST_LINES)),
        ("\n".join(["row"] * MOST_LINES) + "\n", "\n".join(["row"] * MOST_LINES) + "\n"),
        ("\n".join(["row"] * (MOST_LINES + 1)), f"[pasted {MOST_LINES + 1} lines #1]"),
        ("\n" * 1_500, "\n" * 1_500),
        ("x" * MOST_CHARACTERS, "x" * MOST_CHARACTERS),
        ("x" * 12_345, "[pasted 12,345 characters #1]"),
    ],
    ids=lambda text: f"{len(text)}-{text.count(chr(10))}",
)
def test_what_is_big_is_folded(text: str, mark: str) -> None:
    """By its lines, or by its characters where it has few lines."""
    if text == "\n" * 1_500:
        mark = "[pasted 1,500 characters #1]"
    assert Pastes().fold(text) == mark


def test_each_mark_stands_for_its_own_paste() -> None:
    """However often and in which order."""
    pastes = Pastes()
    one, two = pastes.fold("a\n" * 9), pastes.fold("b\n" * 9)
    assert (one, two) == ("[pasted 9 lines #1]", "[pasted 9 lines #2]")
    assert pastes.unfold(f"{two} and {one}{two}") == "b\n" * 9 + " and " + "a\n" * 9 + "b\n" * 9


def test_what_only_looks_like_a_mark_stays_as_it_is() -> None:
    """A mark that was changed, or that a paste itself holds, stands for nothing."""
    pastes = Pastes()
    mark = pastes.fold("[pasted 9 lines #1]\n" * 9)
    assert pastes.unfold(mark) == "[pasted 9 lines #1]\n" * 9
    assert pastes.unfold("[pasted 9 lines #1") == "[pasted 9 lines #1"
    assert pastes.unfold("[pasted 8 lines #1]") == "[pasted 8 lines #1]"


def test_the_mark_before_the_cursor_is_found() -> None:
    """So that it goes as one."""
    pastes = Pastes()
    mark = pastes.fold("a\n" * 9)
    assert pastes.mark_before(f"see {mark}") == mark
    assert pastes.mark_before(f"see {mark} ") == ""


@given(st.lists(st.text(max_size=2_000), max_size=4))
def test_what_is_pasted_is_sent_as_it_was(texts: list[str]) -> None:
    """Character by character."""
    pastes = Pastes()
    folded = [pastes.fold(text) for text in texts]
    assert [
        pastes.unfold(line) if line != text else text for line, text in zip(folded, texts, strict=True)
    ] == texts
