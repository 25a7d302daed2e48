"""A file as a table, whoever wrote it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents.expenses.importing.table import MOST_LINES, Line, Malformed, read_table

TABLE = (("lunch", "4,50"), ("taxi, back", "8,00"))


def cells(data: bytes) -> list[tuple[str, ...]]:
    return [line.cells for line in read_table(data).lines]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('lunch,"4,50"\n"taxi, back","8,00"\n', TABLE),
        ("lunch;4,50\ntaxi, back;8,00", TABLE),
        ("lunch\t4,50\r\ntaxi, back\t8,00\r\n", TABLE),
        ('"lunch";"4,50"\r"taxi, back";"8,00"', TABLE),
        ("\n  \n;\nlunch;4,50\n\ntaxi, back;8,00\n\n", TABLE),
        ('say ""hi"";4\n"say ""hi""";5', (('say ""hi""', "4"), ('say "hi"', "5"))),
        ('"two\nlines";4', (("two\nlines", "4"),)),
        ("a;1,5\nb;2,5", (("a", "1,5"), ("b", "2,5"))),
        ("a b,1\nc;d,2", (("a b", "1"), ("c;d", "2"))),
    ],
    ids=["comma", "semicolon", "tab", "all quoted", "blank lines", "quotes", "two lines", "comma inside", "semicolon inside"],
)  # fmt: skip
def test_the_separator_is_found_out(text: str, expected: tuple[tuple[str, ...], ...]) -> None:
    """Comma, semicolon or tab: the one that makes rows of one length with the most columns."""
    assert cells(text.encode()) == list(expected)


def test_a_mark_at_the_beginning_is_left_out() -> None:
    """Some programs write one, and it is no part of the first title."""
    assert read_table("\ufeffitem,amount\ntea,4".encode()).header == ("item", "amount")


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("item,amount\ntea,4", ("item", "amount")),
        (" Item , Betrag \ntea,4", ("Item", "Betrag")),
        ("tea,4\nmilk,1", None),
        ("2026-11-02,tea\n2026-11-03,milk", None),
    ],
)
def test_a_first_line_without_digits_is_the_header(text: str, header: tuple[str, ...] | None) -> None:
    """Dates and amounts have digits, titles have none."""
    assert read_table(text.encode()).header == header


def test_lines_have_the_number_at_which_they_begin_in_the_file() -> None:
    """So that a person finds what is told of them."""
    table = read_table(b'item,amount\n\n"two\nlines",4\nmilk,1\n')
    assert table.lines == (Line(3, ("two\nlines", "4")), Line(5, ("milk", "1")))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "no table"),
        (b"\n \n", "no table"),
        (b"tea\nmilk\n", "no table"),
        (b"item,amount\n", "no expenses"),
        ("Käse,4".encode("latin-1"), "not UTF-8"),
        ("item,amount\ntea,4".encode("utf-16"), "not UTF-8"),
        (b"tea,4\nmilk\n", "line 2: it has 1 cell, the first line has 2"),
        (b"tea,4\nmilk,1,50\n", "line 2: it has 3 cells, the first line has 2; a text with the separator"),
        (b'tea,4\nmilk,"1\n', "line 2: the quotes don't fit"),
        (b'tea,4\n"milk"x,1\n', "line 2: the quotes don't fit"),
        (b"tea,4\nmi\x00lk,1\n", "line 2: it holds a control character"),
        (b"tea,4\nmi\x1b[31mlk,1\n", "line 2: it holds a control character"),
        ("tea,4\nmi\u0085lk,1\n".encode(), "line 2: it holds a control character"),
        (b'tea,4\n"' + b"x" * 200_000 + b'",1', "field larger than field limit"),
    ],
)  # fmt: skip
def test_what_is_no_table_is_told_with_its_line(data: bytes, problem: str) -> None:
    """Nothing of it is guessed."""
    with pytest.raises(Malformed, match=r".") as refused:
        read_table(data)
    assert problem in str(refused.value)


@pytest.mark.parametrize(("count", "is_read"), [(MOST_LINES, True), (MOST_LINES + 1, False)])
def test_a_table_has_a_number_of_lines_at_most(count: int, is_read: bool) -> None:
    """All of them go into one transaction."""
    data = b"tea,4\n" * count
    if is_read:
        assert len(read_table(data).lines) == count
        return
    with pytest.raises(Malformed, match="more than 5,000 lines"):
        read_table(data)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("item,amount\ntea,4", ["item", "amount"]),
        ("a,a,\ntea,4,x", ["column 1: a", "column 2: a", "column 3: x"]),
        ("tea,4,", ["column 1: tea", "column 2: 4", "column 3"]),
        (f"{'x' * 41},4", [f"column 1: {'x' * 39}…", "column 2: 4"]),
        ('"one\ntwo",4', ["column 1: one two", "column 2: 4"]),
    ],
)
def test_a_column_is_called_by_its_title_or_its_number(text: str, labels: list[str]) -> None:
    """No two columns are called the same, and what they are called fits in a line."""
    table = read_table(text.encode())
    assert [table.label(column) for column in range(table.width)] == labels


def test_a_person_is_shown_how_the_file_begins() -> None:
    """The titles and three lines."""
    table = read_table(b"item,amount\n" + b"".join(b"tea,%d\n" % number for number in range(5)))
    assert table.beginning() == ("item | amount", "tea | 0", "tea | 1", "tea | 2")
    assert read_table(b"tea,4\n").beginning() == ("tea | 4",)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_table_or_told_not_to_be_one(data: bytes) -> None:
    """Nothing else comes of them."""
    try:
        table = read_table(data)
    except Malformed:
        return
    assert all(len(line.cells) == table.width > 1 for line in table.lines)


@given(st.lists(st.tuples(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1), st.integers(0, 99)), min_size=1, max_size=5), st.sampled_from([",", ";", "\t"]))  # fmt: skip
def test_what_was_quoted_is_read_back(rows: list[tuple[str, int]], separator: str) -> None:
    """Whatever the texts hold, separators and quotes too."""
    text = "\n".join(separator.join(['"' + item.replace('"', '""') + '"', str(count)]) for item, count in rows)
    assert cells(text.encode()) == [(item, str(count)) for item, count in rows]
