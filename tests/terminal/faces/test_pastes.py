"""Big pastes in the line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.terminal.faces.pastes import MOST_CHARACTERS, MOST_LINES, Line, Pastes


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


MARK, OTHER = "[pasted 9 lines #1]", "[pasted 7 lines #2]"


@pytest.mark.parametrize(
    ("before", "cursor", "after", "moved_to", "kept", "ends_at"),
    [
        pytest.param(f"a {MARK} b", 21, f"a {MARK[:-1]} b", 20, "a  b", 2, id="backspace behind it"),
        pytest.param(f"a {MARK} b", 2, f"a {MARK[1:]} b", 2, "a  b", 2, id="delete before it"),
        pytest.param(f"a {MARK} b", 21, "a [pasted 9 lines  b", 18, "a  b", 2, id="a word behind it"),
        pytest.param(f"a {MARK}bc", 23, "a [pasted 9 lines ", 18, "a ", 2, id="a word with its end"),
        pytest.param(f"a {MARK}", 21, "", 0, "", 0, id="all of it"),
        pytest.param(f"a {MARK} b", 10, f"a {MARK[:8]}x{MARK[8:]} b", 11, f"a {MARK}x b", 22, id="put into it"),
        pytest.param(f"a {MARK} b", 2, f"a x{MARK} b", 3, f"a x{MARK} b", 3, id="put before it"),
        pytest.param(f"a {MARK} b", 21, f"a {MARK}x b", 22, f"a {MARK}x b", 22, id="put behind it"),
        pytest.param(f"[{MARK}", 1, MARK, 0, MARK, 0, id="what looks like its beginning"),
        pytest.param(f"a {MARK} b", 21, f"a {MARK} b", 20, f"a {MARK} b", 2, id="to the left"),
        pytest.param(f"a {MARK} b", 2, f"a {MARK} b", 3, f"a {MARK} b", 21, id="to the right"),
        pytest.param(f"{MARK} {MARK}", 39, f"{MARK} {MARK[:-1]}", 38, f"{MARK} ", 20, id="one of two"),
        pytest.param(f"{MARK}{MARK}", 0, f"{MARK[1:]}{MARK}", 0, MARK, 0, id="the first of two"),
        pytest.param(f"a {MARK}b{OTHER}c", 21, f"a {OTHER}b{OTHER}c", 21, f"a {OTHER}b{OTHER}c", 21, id="another for it"),
        pytest.param(f"{OTHER} {MARK}", 39, f"{OTHER} {MARK[:-1]}", 38, f"{OTHER} ", 20, id="beside another"),
        pytest.param("a [pasted 8 lines #1]", 21, "a [pasted 8 lines #1", 20, "a [pasted 8 lines #1", 20, id="no mark"),
    ],
)  # fmt: skip
def test_a_mark_is_there_as_a_whole_or_not_at_all(
    before: str, cursor: int, after: str, moved_to: int, kept: str, ends_at: int
) -> None:
    """Whatever takes a part of it takes all of it, so that no paste is lost without a word."""
    pastes = Pastes()
    assert (pastes.fold("a\n" * 9), pastes.fold("a\n" * 7)) == (MARK, OTHER)
    assert pastes.kept_whole(Line(before, cursor), Line(after, moved_to)) == Line(kept, ends_at)


@given(st.lists(st.text(max_size=2_000), max_size=4))
def test_what_is_pasted_is_sent_as_it_was(texts: list[str]) -> None:
    """Character by character."""
    pastes = Pastes()
    folded = [pastes.fold(text) for text in texts]
    assert [
        pastes.unfold(line) if line != text else text for line, text in zip(folded, texts, strict=True)
    ] == texts
