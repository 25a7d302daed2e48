"""On which line a key stands."""

import tomllib
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.config.errors import Key
from agentcli.config.lines import line_of

TEXT = '''\
# a comment, then an empty line

agent = "x"

[limits]
steps = 6   # model replies
words = """
steps = 7
"""
tools = [
  "a",
  "b",
]

[prices."a.b"]
input = "1"
[[hooks]]
command = ["x"]
[[hooks]]
timeout = 1
inline = { a = 1, b = { c = 2 } }
"steps" = 9
'''


@pytest.mark.parametrize(
    ("key", "line"),
    [
        pytest.param(("agent",), 3, id="a key"),
        pytest.param(("limits",), 5, id="a table stands where its header is"),
        pytest.param(("limits", "steps"), 6, id="a key in a table"),
        pytest.param(("limits", "words"), 9, id="text of several lines ends there"),
        pytest.param(("limits", "tools"), 13, id="a list of several lines ends there"),
        pytest.param(("limits", "tools", 1), 13, id="an entry of it too"),
        pytest.param(("prices", "a.b", "input"), 16, id="a table with a quoted name"),
        pytest.param(("hooks", 0), 17, id="the first of several tables"),
        pytest.param(("hooks", 1), 19, id="the second of several tables"),
        pytest.param(("hooks", 1, "timeout"), 20, id="a key in it"),
        pytest.param(("hooks", 1, "inline", "b", "c"), 21, id="a key in an inline table"),
        pytest.param(("hooks", 1, "steps"), 22, id="a quoted key, on the last line"),
    ],
)
def test_a_key_stands_on_the_line_that_completes_it(key: Key, line: int) -> None:
    """The line of a key is the one with which the file, read from the top, first holds it."""
    assert line_of(TEXT, key) == line


def test_other_separators_end_no_line() -> None:
    """Only what TOML calls a line end counts, so that the number is the one an editor shows."""
    assert line_of('a = "x\u2028y\u0085z"\r\nb = 1\r\n', ("b",)) == 2


@given(
    st.lists(st.sampled_from(["", "# c", "{} = 1", "{} = '''\n\n'''", "{} = [\n1,\n2]", "[{}]"]), min_size=1),
    st.data(),
)
def test_the_line_is_that_of_the_shortest_prefix(pieces: list[str], data: st.DataObject) -> None:
    """Halving finds what trying every prefix from the shortest on finds."""
    text = "\n".join(piece.format(f"k{number}") for number, piece in zip(count(), pieces, strict=False))
    document = tomllib.loads(text)
    keys: list[Key] = [(name,) for name in document]
    keys += [(name, inner) for name, table in document.items() if isinstance(table, dict) for inner in table]
    if not keys:
        return
    key = data.draw(st.sampled_from(keys))
    assert line_of(text, key) == shortest_prefix(text, key)


def shortest_prefix(text: str, key: Key) -> int:
    lines = text.split("\n")
    for length in range(1, len(lines) + 1):
        try:
            node: object = tomllib.loads("\n".join(lines[:length]))
        except tomllib.TOMLDecodeError:
            continue
        for part in key:
            node = node.get(part) if isinstance(node, dict) else None
        if node is not None:
            return length
    raise AssertionError(key)
