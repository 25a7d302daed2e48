"""Lines that are too long for the terminal."""

from hypothesis import given
from hypothesis import strategies as st

from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.drawing.folded import INDENT, fold_line
from agentcli.terminal.drawing.styled import Span, Style, plain

spans = st.builds(Span, st.text(max_size=30), st.sampled_from(Style))


@given(line=st.lists(spans, max_size=5).map(tuple), width=st.integers(4, 60))
def test_a_folded_line_says_and_looks_the_same(line: tuple[Span, ...], width: int) -> None:
    """Nothing of it is lost, each character keeps its style, and it fits."""
    first, *others = fold_line(line, width)
    assert all(cell_width(plain(part)) <= width for part in (first, *others))
    assert all(part[0] == Span(INDENT) for part in others)
    together = [span for part in (first, *(other[1:] for other in others)) for span in part]
    assert [(char, span.style) for span in together for char in span.text] == [
        (char, span.style) for span in line for char in span.text
    ]
