"""The input line with marks for what hides in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.processors import Transformation, TransformationInput

from agentcli.terminal.faces.marking import Marks


def drawn(text: str) -> Transformation:
    given_ = TransformationInput(BufferControl(Buffer()), Document(text), 0, lambda at: at, [("", text)], 80, 24)
    return Marks().apply_transformation(given_)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text ", "plain text "),
        ("猫 é e\u0301 שלום", "猫 é e\u0301 שלום"),
        ("👨\u200d👩", "👨⟨U+200D⟩👩"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("❤\ufe0f", "❤⟨U+FE0F⟩"),
        ("a\tb\x1b", "a⟨U+0009⟩b⟨U+001B⟩"),
        ("  é  ", "  é  "),
        ("👍🏽", "👍⟨U+1F3FD⟩"),
        ("🇩🇪", "⟨flag D⟩⟨flag E⟩"),
    ],
)
def test_what_hides_is_marked(text: str, shown: str) -> None:
    """Blanks and other alphabets are not."""
    assert drawn(text).fragments == [("", shown)]


@given(st.text(st.sampled_from("a é猫\u200d\u202e\t\x00"), max_size=12))
def test_the_cursor_is_where_it_seems(text: str) -> None:
    """Each place in the text has its own in what is drawn, in order, and leads back to it."""
    line = drawn(text)
    places = [line.source_to_display(at) for at in range(len(text) + 1)]
    assert places == sorted(set(places))
    assert [line.display_to_source(place) for place in places] == list(range(len(text) + 1))
