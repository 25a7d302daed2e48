"""`import_expenses` as it is called, shown and taken back."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.tools.outcome import Category, ToolFailure, Undoable
from agentcli.tools.suspension import Suspend
from tests.agents.bench import Bench

CLEAR = "item,amount,date\ntea,4.50,2026-11-02\nbus,3,2026-11-03\n"
UNCLEAR = "item,amount,date\ntea,4.50,03/04/2026\n"


class Importer:
    """A bench with an import folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bench = Bench(shipped("expenses"), sample=True, import_folder=str(folder))

    def write(self, text: str, name: str = "lunch.csv") -> None:
        (self.folder / name).write_text(text)

    def preview(self, resumed: Mapping[str, Any] | None = None, name: str = "lunch.csv") -> list[str]:
        draw = self.bench.agent.toolset["import_expenses"].preview
        assert draw is not None
        return list(draw(self.bench.place, {"file": name}, resumed))

    def do(self, name: str = "lunch.csv") -> Undoable:
        return self.bench.do("import_expenses", file=name)

    def book(self) -> list[tuple[Any, ...]]:
        return self.bench.rows()["expenses_book"]


@pytest.fixture
def importer(tmp_path: Path) -> Importer:
    return Importer(tmp_path)


def test_an_import_writes_every_expense_of_the_file(importer: Importer) -> None:
    """Each under the next number, and the result says how many, how much and which numbers."""
    importer.write(CLEAR)
    assert importer.do().result == {
        "status": "ok", "imported": 2, "totals": {"USD": "7.50"}, "first_id": 2, "last_id": 3,
        "isError": False, "errorCategory": None, "isRetryable": False, "message": None,
    }  # fmt: skip
    assert importer.book()[1:] == [
        (2, "tea", "4.50", "USD", "food", "2026-11-02"),
        (3, "bus", "3.00", "USD", "transport", "2026-11-03"),
    ]


def test_the_preview_shows_what_will_be_in_the_book(importer: Importer) -> None:
    """How many, which, how the total changes, and what the file is."""
    importer.write(CLEAR)
    *shown, file = importer.preview()
    assert shown == [
        "will import: 2 expenses from lunch.csv",
        "tea, 4.50 USD, 2026-11-02, food",
        "bus, 3.00 USD, 2026-11-03, transport",
        "total USD 40.00 → 47.50",
    ]
    assert file.startswith(f"file: {len(CLEAR)} bytes, SHA-256 ")
    assert len(importer.book()) == 1


@pytest.mark.parametrize(("count", "more"), [(5, []), (6, ["… and 1 more"])])
def test_the_preview_shows_the_first_lines_of_a_long_file(importer: Importer, count: int, more: list[str]) -> None:
    """The others are counted."""
    importer.write("item,amount,date\n" + "tea,1,2026-11-02\n" * count)
    preview = importer.preview()
    assert preview[0] == f"will import: {count} expenses from lunch.csv"
    assert [line for line in preview if line.startswith("…")] == more


def test_a_line_that_changes_anywhere_changes_the_preview(importer: Importer) -> None:
    """So a file that was changed after the yes is asked about again."""
    lines = ["tea,1,2026-11-02\n"] * 50
    importer.write("item,amount,date\n" + "".join(lines))
    before = importer.preview()
    importer.write("item,amount,date\n" + "".join([*lines[:40], "gin,1,2026-11-02\n", *lines[41:]]))
    assert importer.preview() != before


def test_a_file_imported_before_is_seen(importer: Importer) -> None:
    """The preview says how many are in the book already."""
    importer.write(CLEAR)
    importer.do()
    importer.write(CLEAR + "gin,9,2026-11-04\n")
    assert "in the book already: 2 of them, with the same item, amount and date" in importer.preview()


def test_one_expense_is_called_one(importer: Importer) -> None:
    """Not `1 expenses`."""
    importer.write("item,amount,date\ntea,4,2026-11-02\n")
    assert importer.preview()[0] == "will import: 1 expense from lunch.csv"


@pytest.mark.parametrize("ask", ["preview", "run"])
def test_what_is_not_clear_stops_the_call_and_asks(importer: Importer, ask: str) -> None:
    """Before the question where there is one, else in the middle of the call; nothing is written."""
    importer.write(UNCLEAR)
    with pytest.raises(Suspend) as asked:
        importer.preview() if ask == "preview" else importer.do()
    assert asked.value.question == "How is the file lunch.csv to be read?"
    assert [field.name for field in asked.value.form.fields] == ["date_order"]
    assert asked.value.shown == ("line 2: 03/04/2026 is 2026-04-03 (day first) or 2026-03-04 (month first)",)
    assert len(importer.book()) == 1


def test_the_answer_is_what_is_shown_and_what_is_written(importer: Importer) -> None:
    """After the form the call is drawn, and runs, with what the person said."""
    importer.write(UNCLEAR)
    with pytest.raises(Suspend) as asked:
        importer.preview()
    said = asked.value.form.read({"date_order": "month first"})
    assert "tea, 4.50 USD, 2026-03-04, food" in importer.preview(said)
    run = importer.bench.agent.toolset["import_expenses"].run
    run(place=importer.bench.place, file="lunch.csv", resumed=said)
    assert importer.book()[1][5] == "2026-03-04"


@pytest.mark.parametrize(
    ("name", "text", "status", "message"),
    [
        ("other.csv", CLEAR, "file_not_found", "There is no file 'other.csv' in the import folder"),
        ("lunch.csv", "tea\n", "malformed", "The file 'lunch.csv' can't be imported: there is no table in it"),
        ("lunch.csv", "item,amount,date\ntea,x,2026-11-02\n", "malformed", "line 2: 'x' is no amount"),
    ],
)
def test_a_failure_is_a_status_with_what_to_do(
    importer: Importer, name: str, text: str, status: str, message: str
) -> None:
    """Its data is null; the preview says the same before anything is asked."""
    importer.write(text)
    result = importer.do(name).result
    assert (result["status"], result["isError"], result["errorCategory"], result["isRetryable"]) == (
        status,
        True,
        "validation",
        True,
    )
    assert message in result["message"]
    assert result["imported"] is None
    assert importer.preview(name=name) == [f"nothing will be imported: {result['message']}"]


@pytest.mark.parametrize("name", ["../lunch.csv", "/tmp/lunch.csv", " "])
def test_a_name_that_leads_out_of_the_folder_is_bad_input(importer: Importer, name: str) -> None:
    """Nobody is asked about such a call."""
    assert importer.bench.problem("import_expenses", file=name)


def test_a_line_that_fails_leaves_nothing_behind(importer: Importer) -> None:
    """All of a file, or nothing of it."""
    importer.write("item,amount,date\ntea,4,2026-11-02\nbus,x,2026-11-02\n")
    importer.do()
    assert len(importer.book()) == 1


def test_an_undo_takes_out_what_was_imported_and_nothing_else(importer: Importer) -> None:
    """What was added before and since stays."""
    importer.write(CLEAR)
    done = importer.do()
    importer.bench.run("add_expense", item="gin", amount=9)
    importer.bench.undo("import_expenses", done, file="lunch.csv")
    assert [row[1] for row in importer.book()] == ["tea", "gin"]


def test_an_undo_needs_no_file(importer: Importer) -> None:
    """What was imported is in the record, whatever became of the file."""
    importer.write(CLEAR)
    done = importer.do()
    (importer.folder / "lunch.csv").unlink()
    importer.bench.undo("import_expenses", done, file="lunch.csv")
    assert len(importer.book()) == 1


def refusal(importer: Importer, done: Undoable) -> str:
    before = importer.book()
    with pytest.raises(ToolFailure) as refused:
        importer.bench.undo("import_expenses", done, file="lunch.csv")
    assert (refused.value.status, refused.value.category) == ("changed_since", Category.BUSINESS)
    assert importer.book() == before
    return refused.value.message


def test_an_import_of_which_something_was_changed_is_not_taken_back(importer: Importer) -> None:
    """It says what was changed and what is gone, and takes nothing out."""
    importer.write(CLEAR)
    done = importer.do()
    importer.bench.run("update_expense", id=2, amount=5)
    importer.bench.run("delete_expense", id=3)
    assert refusal(importer, done) == (
        "expense 2 was changed since: amount 4.50 USD → 5.00 USD; expense 3 was deleted since. "
        "Take the others out by hand instead."
    )


def test_an_undo_names_the_first_changes_and_counts_the_others(importer: Importer) -> None:
    """A long list helps nobody."""
    importer.write("item,amount,date\n" + "tea,1,2026-11-02\n" * 6)
    done = importer.do()
    for number in range(2, 8):
        importer.bench.run("delete_expense", id=number)
    assert "expense 6 was deleted since and 1 more. Take" in refusal(importer, done)


items = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters='"'), min_size=1, max_size=8)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(items, st.integers(1, 10**6), st.dates()), min_size=1, max_size=8))
def test_to_import_and_undo_leaves_the_same_book(tmp_path: Path, rows: list[tuple[str, int, Any]]) -> None:
    """Whatever the file holds."""
    importer = Importer(tmp_path)
    importer.write("item;amount;date\n" + "".join(f'"{item}";{cents // 100}.{cents % 100:02};{day}\n' for item, cents, day in rows))  # fmt: skip
    before = importer.book()
    done = importer.do()
    assert len(importer.book()) == len(before) + len(rows)
    importer.bench.undo("import_expenses", done, file="lunch.csv")
    assert importer.book() == before
