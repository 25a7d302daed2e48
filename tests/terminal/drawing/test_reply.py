"""A reply is split into blocks as it comes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.terminal.drawing.reply import MOST_TAIL, Blocks

pieces = st.text(st.sampled_from("ab \n\t`~#-1.)*>\r"), max_size=80)


def split(text: str, size: int = 10_000) -> list[str]:
    """All blocks of a text that comes in pieces of a size."""
    blocks = Blocks()
    finished = [block for at in range(0, len(text), size) for block in blocks.feed(text[at : at + size])]
    return finished + blocks.finish()


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", []),
        ("\n\n", []),
        ("one", ["one"]),
        ("one\n", ["one"]),
        ("one\ntwo\n\nthree", ["one\ntwo", "three"]),
        ("one\r\n\r\ntwo", ["one", "two"]),
        ("# Title\nText", ["# Title", "Text"]),
        ("Text\n## Title\n", ["Text", "## Title"]),
        ("#no title\nText", ["#no title\nText"]),
        ("```\na\n\nb\n```\nafter", ["```\na\n\nb\n```", "after"]),
        ("~~~~\n~~~\n```\n~~~~~\nx", ["~~~~\n~~~\n```\n~~~~~", "x"]),
        ("```\n``` no end\n```", ["```\n``` no end\n```"]),
        ("text\n```\na\n```", ["text", "```\na\n```"]),
        ("```\nnever closed\n\nmore", ["```\nnever closed\n\nmore"]),
        ("- a\n- b\n\ntext", ["- a\n- b", "text"]),
        ("- a\n\n- b\n\n  more of b\ntext", ["- a\n\n- b\n\n  more of b\ntext"]),
        ("1. a\n\n   more\n\n2. b\n\ntext", ["1. a\n\n   more\n\n2. b", "text"]),
        ("- a\n  ```\n  x\n\n  y\n  ```\n- b\n\ntext", ["- a\n  ```\n  x\n\n  y\n  ```\n- b", "text"]),
        ("- a\n# Title", ["- a", "# Title"]),
        ("text\n- a", ["text\n- a"]),
        ("| a |\n|---|\n| 1 |\n\nx", ["| a |\n|---|\n| 1 |", "x"]),
    ],
)
def test_blocks_end_where_markdown_ends_them(text: str, blocks: list[str]) -> None:
    """Blank lines, headings and closing fences end a block; a list goes on over blank lines."""
    assert split(text) == blocks


@given(pieces, st.integers(1, 7))
def test_it_does_not_matter_in_which_pieces_a_reply_comes(text: str, size: int) -> None:
    """The blocks are the same."""
    assert split(text, size) == split(text)


@given(pieces)
def test_no_line_of_a_reply_is_lost(text: str) -> None:
    """All lines that say something are in the blocks, in their order."""
    said = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n") if line.strip()]
    assert [line.rstrip() for block in split(text) for line in block.split("\n") if line.strip()] == said


def test_the_tail_is_the_open_block() -> None:
    """What is finished is not in it."""
    blocks = Blocks()
    blocks.feed("done\n\nopen\nand ")
    blocks.feed("on")
    assert blocks.tail == "open\nand on"
    blocks.feed("\n")
    assert blocks.tail == "open\nand on\n"


def test_the_tail_of_a_long_block_is_its_end() -> None:
    """Drawing it costs the same however long the block is."""
    blocks = Blocks()
    for number in range(2_000):
        blocks.feed(f"line {number}\n")
    assert len(blocks.tail) <= MOST_TAIL
    assert blocks.tail.rstrip().endswith("line 1999")
    assert blocks.finish() == ["\n".join(f"line {number}" for number in range(2_000))]
    assert blocks.tail == ""
