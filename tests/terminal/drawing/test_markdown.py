"""One finished block, drawn."""

import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.drawing.markdown import draw_block


def plain(block: str, width: int = 60) -> str:
    """The block without colour."""
    return draw_block(block, width=width, colour=False)


@pytest.mark.parametrize(
    ("block", "drawn"),
    [
        ("Your total is 340.00 USD.", "Your total is 340.00 USD.\n"),
        ("one\n  two  \nthree", "one\ntwo\nthree\n"),
        ("**bold** and _thin_ words", "bold and thin words\n"),
        ("one *x*\ntwo", "one x\ntwo\n"),
        ("- a\n- b", " • a\n • b\n"),
        ("3. a\n4. b", " 3. a\n 4. b\n"),
        ("9. a\n10. b *x*", "  9. a\n 10. b x\n"),
        ("# Found", "Found\n"),
        ("`code [x]`", "code [x]\n"),
        ("[red]not markup[/red] [/x] :warning:", "[red]not markup[/red] [/x] :warning:\n"),
        ("<b>html</b> <script>", "<b>html</b> <script>\n"),
        ("<!-- a comment -->", "<!-- a comment -->\n"),
        ("&#8238; &lt; *x*", "&#8238; &lt; x\n"),
        ("[a]: http://evil.example", "[a]: http://evil.example\n"),
        ("![alt](http://x.example/y.png)", "!alt (http://x.example/y.png)\n"),
        ("```\n    def f():\n\n        x\n```", "        def f():\n\n            x\n"),
        ("    indented", "    indented\n"),
        ("> quoted *x*", "▌ quoted x\n"),
        ("a \x1b[2Jb *x*", "a ⟨U+001B⟩[2Jb x\n"),
        ("plain \x1b[2J", "plain ⟨U+001B⟩[2J\n"),
        ("```\n\x1b]0;title\x07\n```", "    ⟨U+001B⟩]0;title⟨U+0007⟩\n"),
        ("*a*          b", "a⟨10 spaces⟩b\n"),
    ],
)
def test_a_block_is_drawn_and_nothing_in_it_is_hidden(block: str, drawn: str) -> None:
    """Markdown is drawn; HTML, entities, references and our own markup are shown as they stand."""
    assert plain(block) == drawn


@pytest.mark.parametrize(
    ("code", "width", "rows"),
    [
        ("  return one or another", 20, ["      return one or ", "          another"]),
        ("return one\nif it", 20, ["    return one", "    if it"]),
        ("a" * 40, 24, ["    " + "a" * 20, "        " + "a" * 16, "        " + "a" * 4]),
        (
            "            x = deep_in_there",
            20,
            ["                x = ", "            deep_in_", "            there"],
        ),
    ],
    ids=["deeper-than-its-own-indent", "short-lines-as-they-are", "a-word-alone", "half-the-room-at-most"],
)
def test_what_folds_of_code_is_no_line_of_its_own(code: str, width: int, rows: list[str]) -> None:
    """It is set in deeper than the line that it belongs to."""
    assert plain(f"```\n{code}\n```", width) == "".join(row.rstrip() + "\n" for row in rows)


def test_the_address_of_a_link_is_shown() -> None:
    """A link that pretends to lead elsewhere is seen through."""
    drawn = plain("[https://bank.example](https://evil.example)")
    assert drawn == "https://bank.example (https://evil.example)\n"


@pytest.mark.parametrize(
    ("block", "drawn"),
    [
        ("see <https://a.example/b?c=d> *now*", "see https://a.example/b?c=d now\n"),
        ("[https://a.example](https://a.example), [a](https://a.example)", "https://a.example, a (https://a.example)\n"),
        ("[*https://a.example*](https://a.example)", "https://a.example (https://a.example)\n"),
        ("[](https://a.example) <a@b.example>", " (https://a.example) a@b.example (mailto:a@b.example)\n"),
    ],
)  # fmt: skip
def test_an_address_that_is_its_own_name_is_shown_once(block: str, drawn: str) -> None:
    """What is called otherwise, if only by a letter, says where it leads."""
    assert plain(block) == drawn


def test_hidden_characters_in_an_address_are_marks() -> None:
    """Also those that a link brings in percent-encoded."""
    assert "\u202e" not in plain("<http://a.example/%E2%80%AE> [x](http://b.example/\u202e)")


def test_a_table_shows_every_word_in_full() -> None:
    """It folds instead of cutting."""
    word = "averyveryveryveryveryverylongword"
    drawn = plain(f"| a | b |\n|---|---|\n| 1 | {word} |", width=20)
    assert "…" not in drawn
    assert re.sub(r"[\s─]", "", drawn) == f"a1b{word}"


SPENT = """
| item | spent |
|------|------:|
| tea for all of us | 1,234.50 |
| 日本語の説明 | 7.00 |
"""


def test_no_word_of_a_table_is_broken_where_there_is_room_for_the_longest() -> None:
    """An amount in two rows is another amount; characters of two cells are words of their own."""
    assert plain(SPENT, width=16).split("\n") == [
        " item      spent",
        " ───────────────",
        " tea    1,234.50",
        " for",
        " all",
        " of us",
        " 日本       7.00",
        " 語の",
        " 説明",
        "",
    ]


def test_a_table_without_room_for_its_words_is_told_row_by_row() -> None:
    """As `/book` does."""
    assert plain(SPENT, width=15).split("\n") == [
        "item   tea for",
        "       all of",
        "       us",
        "spent  1,234.50",
        "",
        "item   日本語の",
        "       説明",
        "spent  7.00",
        "",
    ]


@settings(max_examples=200)
@given(st.text(st.sampled_from("ab \n*_`[]()<>#|-1.&;!\\\x1b\u202e"), max_size=60), st.integers(10, 40))
def test_whatever_comes_is_drawn_within_the_width_and_safe(block: str, width: int) -> None:
    """No markup fails, no line is too wide, no control character gets through."""
    drawn = plain(block, width)
    assert drawn.replace("\n", "").isprintable()
    assert all(cell_width(line) <= width for line in drawn.split("\n"))


def test_colour_is_the_terminals_own() -> None:
    """With it bold is bold, without it there is no control code."""
    assert draw_block("a **b**", width=40, colour=True) == "a \x1b[1mb\x1b[0m\n"
    assert "\x1b" not in plain("a **b**")


@pytest.mark.parametrize("colour", [False, True], ids=["plain", "colour"])
@pytest.mark.parametrize("block", ["```\na\n```", "| a | b |\n|---|---|\n| 1 | 2 |", "> a **b**", "# a", "- a"])
def test_no_blanks_stand_around_what_is_drawn(block: str, colour: bool) -> None:
    """Neither a row of them, nor at the end of a row, where a narrower window would fold them."""
    rows = re.sub(r"\x1b\[[0-9;]*m", "", draw_block(block, width=40, colour=colour)).removesuffix("\n").split("\n")
    assert rows[0].strip()
    assert rows[-1].strip()
    assert rows == [row.rstrip() for row in rows]


def test_plain_sentences_need_no_rich() -> None:
    """Many replies are plain; they load nothing."""
    script = (
        "import sys; from agentcli.terminal.drawing.markdown import draw_block;"
        "draw_block('Done: 300.00 USD, and more.', width=40, colour=True);"
        "sys.exit('rich' in sys.modules or 'markdown_it' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
