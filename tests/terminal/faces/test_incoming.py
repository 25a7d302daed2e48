"""What comes from the terminal, without what nobody typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES

from agentcli.terminal.faces.incoming import MOST_HELD, PASTE_END, PASTE_START, Incoming, end_paste, release, sift

KNOWN = frozenset(ANSI_SEQUENCES)


def typed(*chunks: str) -> tuple[str, bool]:
    """What goes on of chunks that come one after the other and nothing after, and whether something was dropped."""
    incoming, passed, dropped = Incoming(), "", False
    for chunk in chunks:
        sifted = sift(incoming, chunk, KNOWN)
        incoming, passed, dropped = sifted.rest, passed + sifted.passed, dropped or sifted.has_dropped
    last = release(incoming)
    return passed + last.passed, dropped or last.has_dropped


@pytest.mark.parametrize(
    "chunks",
    [
        ["y\r"],
        ["\x1b"],
        ["\x1b[A"],
        ["\x1b[1;5C"],
        ["\x1b[", "A"],
        ["\x1b", "[A"],
        ["\x1bOP"],
        ["\x1b\r"],
        ["\x1bb"],
        ["\x1b]"],
        ["\x1b["],
        ["\x1b\x1b"],
        ["\x1b[6~\x1b[6~"],
        ["é日本"],
        [f"{PASTE_START}a\x1b]b\x1b[2Jc{PASTE_END}d"],
        [f"{PASTE_START}a", "b\x1b[20", "1~c\x1b[A"],
    ],
)
def test_what_keys_send_goes_on(chunks: list[str]) -> None:
    """Characters, keys with Alt, arrows, and whatever is inside a paste."""
    assert typed(*chunks) == ("".join(chunks), False)


@pytest.mark.parametrize(
    "chunks",
    [
        ["\x1b]ly\x1b\\"],
        ["\x1b]l", "y\x1b\\"],
        ["\x1b", "]10;rgb:0/0/0\x07"],
        ["\x1bP1$r0m\x1b\\"],
        ["\x1b_Gi=1;OK\x1b\\"],
        ["\x1b[59;1R"],
        ["\x1b[59;", "1R"],
        ["\x1b[?62;22c"],
        ["\x1b[>0;1;2c"],
        ["\x1b[M"],
        ["\x1b[<0;10;10M"],
        ["\x1b]0;never ends"],
        ["\x1b[1;2"],
        [PASTE_END],
    ],
)
def test_what_a_terminal_answers_is_left_out(chunks: list[str]) -> None:
    """Replies to questions nobody asked type nothing, and one learns that something was dropped."""
    assert typed(*chunks) == ("", True)


def test_what_follows_a_reply_goes_on() -> None:
    """Only the reply is left out."""
    assert typed("a\x1b]ly\x1b\\y\x1b[?1cz") == ("ayz", True)


def test_an_endless_reply_is_not_kept_for_ever() -> None:
    """Beyond a limit it is dropped as it comes."""
    sifted = sift(Incoming(), "\x1b]" + "x" * MOST_HELD, KNOWN)
    assert sifted.rest == Incoming()
    assert sifted.has_dropped


def test_a_csi_that_is_broken_off_is_dropped_and_the_rest_goes_on() -> None:
    """A control character ends it."""
    assert typed("\x1b[12\ry") == ("\ry", True)


@given(st.text(st.sampled_from("ab\r\n\t é")), st.integers(1, 5))
def test_plain_typing_is_never_touched(text: str, size: int) -> None:
    """Without ESC everything goes on, in whatever pieces."""
    assert typed(*(text[at : at + size] for at in range(0, len(text), size))) == (text, False)


@given(st.text(st.sampled_from("ab\x1b[]201~P\\\x07?;R"), max_size=20), st.integers(1, 3))
def test_a_paste_goes_on_whole(text: str, size: int) -> None:
    """Whatever is pasted, in whatever pieces it comes, is passed on as it is."""
    inside = text.replace(PASTE_END, "")
    whole = f"{PASTE_START}{inside}{PASTE_END}"
    if PASTE_END not in inside + PASTE_END[:-1]:
        assert (
            typed(PASTE_START, *(whole[6:][at : at + size] for at in range(0, len(whole) - 6, size)))[0] == whole
        )


def test_a_paste_without_an_end_is_ended() -> None:
    """What was held back of its end is part of it."""
    open_paste = sift(Incoming(), f"{PASTE_START}abc\x1b[20", KNOWN)
    assert open_paste.rest.in_paste
    assert release(open_paste.rest).passed == ""
    ended = end_paste(open_paste.rest)
    assert ended.passed == "\x1b[20" + PASTE_END
    assert not ended.rest.in_paste
