"""The tools of the expense agent, call by call."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.tools.risk import Risk
from tests.agents.bench import Bench

TOOLS = {
    # tool                risk                 fields of its results
    "get_total":          (Risk.READ,         ("totals", "count")),
    "list_expenses":      (Risk.READ,         ("expenses", "more")),
    "summarize_expenses": (Risk.READ,         ("rows",)),
    "add_expense":        (Risk.WRITE,        ("expense",)),
    "update_expense":     (Risk.WRITE,        ("expense",)),
    "delete_expense":     (Risk.IRREVERSIBLE, ("expense",)),
    "save_note":          (Risk.WRITE,        ("note",)),
    "list_notes":         (Risk.READ,         ("notes",)),
    "import_expenses":    (Risk.WRITE,        ("imported", "totals", "first_id", "last_id")),
}  # fmt: skip


@pytest.fixture
def bench() -> Bench:
    return Bench(shipped("expenses"))


def a_book(bench: Bench) -> Bench:
    """Three expenses on food, one of them in euros and last month, and one on transport."""
    bench.run("add_expense", item="Tea", amount="40.00", date="2026-11-02")
    bench.run("add_expense", item="groceries", amount=300)
    bench.run("add_expense", item="Taxi to the teahouse", amount="12.5", date="2026-11-15")
    bench.run("add_expense", item="Brötchen", amount="3.10", currency="EUR", category="Food", date="2026-10-31")
    return bench


def test_the_tools_are_those_of_the_contract(bench: Bench) -> None:
    """Each tool has the risk that a wrong call of it has."""
    declared = {tool.name: (tool.risk, tool.outcomes.fields) for tool in bench.agent.toolset}
    assert declared == TOOLS


@pytest.mark.parametrize("tool", [name for name, (risk, _) in TOOLS.items() if risk is not Risk.READ])
def test_every_gated_tool_shows_its_effect(bench: Bench, tool: str) -> None:
    """A person who is asked sees what will change."""
    assert bench.agent.toolset[tool].preview is not None


def test_every_tool_is_explained_to_the_model(bench: Bench) -> None:
    """A model is told in a sentence what each tool is for."""
    assert all(tool.description.endswith(".") for tool in bench.agent.toolset)


def test_an_added_expense_is_numbered_and_complete(bench: Bench) -> None:
    """Currency and today are filled in, and the category goes by the item."""
    assert bench.run("add_expense", item=" groceries ", amount=300)["expense"] == {
        "id": 1,
        "item": "groceries",
        "amount": "300.00",
        "currency": "USD",
        "category": "food",
        "date": "2026-11-30",
    }


def test_defaults_are_part_of_the_input_that_runs(bench: Bench) -> None:
    """What a person is shown holds the currency and the day, and so does what runs, tomorrow too."""
    reading = bench.read("add_expense", item="tea", amount=4)
    assert reading.text == '{"item":"tea","amount":4,"currency":"USD","date":"2026-11-30"}'


def test_the_currency_is_the_configured_one() -> None:
    """`currency` in the config is what an expense gets for which none was named."""
    bench = Bench(shipped("expenses"), currency="JPY")
    assert bench.run("add_expense", item="tea", amount=400)["expense"]["amount"] == "400"
    assert "JPY has none" in bench.problem("add_expense", item="tea", amount="4.50")


def test_null_is_as_good_as_left_out(bench: Bench) -> None:
    """A model may send null for what it does not know."""
    nulls = bench.run("add_expense", item="tea", amount=4, currency=None, category=None, date=None)
    assert nulls["expense"] | {"id": 2} == bench.run("add_expense", item="tea", amount=4)["expense"]


def test_a_named_category_counts_more_than_the_item(bench: Bench) -> None:
    """Categories are kept in lower case, so that `Food` and `food` are one."""
    added = bench.run("add_expense", item="tea", amount=4, category=" Office ")
    assert added["expense"]["category"] == "office"


@pytest.mark.parametrize(
    ("members", "problem"),
    [
        ({"item": "tea"}, "amount"),
        ({"amount": 4}, "item"),
        ({"item": " ", "amount": 4}, "blank"),
        ({"item": "tea", "amount": 0}, "not above 0"),
        ({"item": "tea", "amount": "0.00"}, "not above 0"),
        ({"item": "tea", "amount": -4}, "an amount"),
        ({"item": "tea", "amount": "4,50"}, "an amount"),
        ({"item": "tea", "amount": True}, "amount"),
        ({"item": "tea", "amount": "4.505"}, "USD has 2"),
        ({"item": "tea", "amount": "4.5", "currency": "JPY"}, "JPY has none"),
        ({"item": "tea", "amount": 4, "currency": "usd"}, "ISO 4217"),
        ({"item": "tea", "amount": 4, "date": "2026-02-30"}, "date"),
        ({"item": "tea", "amount": 4, "approved": True}, "approved"),
        ({"item": "tea", "amount": "1000000000000000"}, "an amount"),
    ],
)
def test_an_expense_that_can_not_be_is_refused(bench: Bench, members: dict[str, Any], problem: str) -> None:
    """Nothing is guessed about an amount, a currency or a day."""
    assert problem in bench.problem("add_expense", **members)


@pytest.mark.parametrize(
    ("filters", "totals", "count"),
    [
        ({}, {"EUR": "3.10", "USD": "352.50"}, 4),
        ({"category": "food"}, {"EUR": "3.10", "USD": "340.00"}, 3),
        ({"category": "Food "}, {"EUR": "3.10", "USD": "340.00"}, 3),
        ({"category": "pets"}, {}, 0),
        ({"currency": "EUR"}, {"EUR": "3.10"}, 1),
        ({"since": "2026-11-02"}, {"USD": "352.50"}, 3),
        ({"since": "2026-11-03"}, {"USD": "312.50"}, 2),
        ({"until": "2026-10-31"}, {"EUR": "3.10"}, 1),
        ({"until": "2026-10-30"}, {}, 0),
        ({"since": "2026-11-15", "until": "2026-11-15"}, {"USD": "12.50"}, 1),
    ],
)
def test_a_total_counts_what_was_asked_for(
    bench: Bench, filters: dict[str, Any], totals: dict[str, str], count: int
) -> None:
    """Both days are included, and currencies are never mixed."""
    result = a_book(bench).run("get_total", **filters)
    assert (result["totals"], result["count"]) == (totals, count)


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({}, [1, 2, 3, 4]),
        ({"category": "food"}, [1, 2, 4]),
        ({"text": "TEA"}, [1, 3]),
        ({"text": "brÖtch"}, [4]),
        ({"text": "trans"}, [3]),
        ({"text": "%"}, []),
        ({"text": "tea", "category": "food"}, [1]),
        ({"since": "2026-11-02", "until": "2026-11-15"}, [1, 3]),
        ({"after": 2}, [3, 4]),
        ({"text": "tea", "after": 1}, [3]),
    ],
)
def test_a_list_holds_what_was_asked_for(bench: Bench, filters: dict[str, Any], ids: list[int]) -> None:
    """A text is found in item and category, whatever the case of its letters; the order is that of the numbers."""
    result = a_book(bench).run("list_expenses", **filters)
    assert [expense["id"] for expense in result["expenses"]] == ids
    assert result["more"] is False


@pytest.mark.parametrize(
    ("paging", "ids", "more"),
    [
        ({"limit": 3}, [1, 2, 3], True),
        ({"limit": 4}, [1, 2, 3, 4], False),
        ({"limit": 2, "after": 2}, [3, 4], False),
        ({"limit": 1, "text": "tea"}, [1], True),
        ({"limit": 1, "text": "tea", "after": 1}, [3], False),
        ({"after": 4}, [], False),
    ],
)
def test_a_list_says_whether_there_is_more(
    bench: Bench, paging: dict[str, Any], ids: list[int], more: bool
) -> None:
    """A page ends at its limit, and the next one begins after its last number."""
    result = a_book(bench).run("list_expenses", **paging)
    assert ([expense["id"] for expense in result["expenses"]], result["more"]) == (ids, more)


def test_a_list_without_a_limit_ends_after_fifty(bench: Bench) -> None:
    """No call floods the conversation unasked."""
    for amount in range(1, 52):
        bench.run("add_expense", item="tea", amount=amount)
    result = bench.run("list_expenses")
    assert (len(result["expenses"]), result["more"]) == (50, True)


@pytest.mark.parametrize(
    ("filters", "problem"),
    [
        ({"limit": 0}, ">= 1"),
        ({"limit": 201}, "<= 200"),
        ({"after": -1}, ">= 0"),
        ({"since": "2026-11-02", "until": "2026-11-01"}, "since 2026-11-02 is after until 2026-11-01"),
        ({"text": ""}, "blank"),
    ],
)
def test_a_list_that_makes_no_sense_is_refused(bench: Bench, filters: dict[str, Any], problem: str) -> None:
    """A mistake comes back as one, and not as an empty list."""
    assert problem in bench.problem("list_expenses", **filters)


def test_a_total_in_an_unknown_currency_is_refused(bench: Bench) -> None:
    """Otherwise it would look as if nothing had been spent."""
    assert "ISO 4217" in bench.problem("get_total", currency="BTC")


@pytest.mark.parametrize(
    ("by", "rows"),
    [
        ("category", [("food", "EUR", "3.10", 1), ("food", "USD", "340.00", 2), ("transport", "USD", "12.50", 1)]),
        ("month", [("2026-10", "EUR", "3.10", 1), ("2026-11", "USD", "352.50", 3)]),
        (
            "item",
            [
                ("Brötchen", "EUR", "3.10", 1),
                ("Taxi to the teahouse", "USD", "12.50", 1),
                ("Tea", "USD", "40.00", 1),
                ("groceries", "USD", "300.00", 1),
            ],
        ),
    ],
)
def test_a_summary_adds_up_each_group(bench: Bench, by: str, rows: list[tuple[str, str, str, int]]) -> None:
    """Each group has a row for each of its currencies."""
    result = a_book(bench).run("summarize_expenses", by=by)
    assert [(row["key"], row["currency"], row["total"], row["count"]) for row in result["rows"]] == rows


def test_a_summary_keeps_to_the_days_asked_for(bench: Bench) -> None:
    """Both days are included."""
    result = a_book(bench).run("summarize_expenses", by="month", since="2026-11-15", until="2026-11-30")
    assert [(row["key"], row["total"]) for row in result["rows"]] == [("2026-11", "312.50")]


@pytest.mark.parametrize(
    ("change", "after"),
    [
        ({"item": "coffee"}, {"item": "coffee"}),
        ({"amount": "45"}, {"amount": "45.00"}),
        ({"currency": "EUR"}, {"currency": "EUR"}),
        ({"currency": "JPY"}, {"currency": "JPY", "amount": "40"}),
        ({"amount": "1.005", "currency": "KWD"}, {"currency": "KWD", "amount": "1.005"}),
        ({"category": "Guests"}, {"category": "guests"}),
        ({"date": "2026-11-03"}, {"date": "2026-11-03"}),
    ],
)
def test_an_update_changes_what_is_named(bench: Bench, change: dict[str, Any], after: dict[str, str]) -> None:
    """Everything else about the expense stays as it is."""
    before = a_book(bench).run("list_expenses", limit=1)["expenses"][0]
    assert bench.run("update_expense", id=1, **change)["expense"] == before | after
    assert bench.run("list_expenses", limit=1)["expenses"] == [before | after]


@pytest.mark.parametrize(
    ("members", "problem"),
    [
        ({"id": 1}, "nothing to change"),
        ({"id": 1, "item": None}, "nothing to change"),
        ({"id": 0, "item": "x"}, ">= 1"),
        ({"id": "1", "item": "x"}, "id"),
        ({"id": 1, "amount": "0"}, "not above 0"),
        ({"id": 1, "amount": "40.005"}, "USD has 2"),
        ({"id": 3, "currency": "JPY"}, "JPY has none"),
        ({"id": 1, "currency": "XXX"}, "ISO 4217"),
        ({"id": 9, "currency": "XXX"}, "ISO 4217"),
    ],
)
def test_an_update_that_can_not_be_is_refused(bench: Bench, members: dict[str, Any], problem: str) -> None:
    """What an expense would become is checked like a new one, against the currency that it has."""
    assert problem in a_book(bench).problem("update_expense", **members)


def test_a_deleted_expense_is_gone(bench: Bench) -> None:
    """The result says once more what it was."""
    assert a_book(bench).run("delete_expense", id=1)["expense"]["item"] == "Tea"
    assert [expense["id"] for expense in bench.run("list_expenses")["expenses"]] == [2, 3, 4]


@pytest.mark.parametrize(
    ("tool", "members"), [("delete_expense", {"id": 9}), ("update_expense", {"id": 9, "amount": 1})]
)
def test_an_expense_that_is_not_there_is_a_failure_with_a_way_on(
    bench: Bench, tool: str, members: dict[str, Any]
) -> None:
    """The model learns that the number is wrong, and how to find the right one."""
    before = a_book(bench).rows()
    assert bench.run(tool, **members) == {
        "status": "expense_not_found",
        "expense": None,
        "isError": True,
        "errorCategory": "validation",
        "isRetryable": True,
        "message": "There is no expense 9. Use list_expenses to see the numbers that there are.",
    }
    assert bench.rows() == before


def test_a_number_is_never_used_twice(bench: Bench) -> None:
    """Neither that of a deleted expense nor that of one whose adding was undone."""
    a_book(bench).run("delete_expense", id=4)
    done = bench.do("add_expense", item="tea", amount=5)
    assert done.result["expense"]["id"] == 5
    bench.undo("add_expense", done, item="tea", amount=5)
    assert bench.run("add_expense", item="tea", amount=5)["expense"]["id"] == 6


def test_notes_are_kept_in_their_order(bench: Bench) -> None:
    """A note stays as it was written, with its day."""
    bench.run("save_note", text=" ask for\nthe receipt ")
    bench.run("save_note", text="rent goes up")
    assert bench.run("list_notes")["notes"] == [
        {"id": 1, "text": " ask for\nthe receipt ", "date": "2026-11-30"},
        {"id": 2, "text": "rent goes up", "date": "2026-11-30"},
    ]


PREVIEWS: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "add_expense",
        {"item": "lunch", "amount": "12.50"},
        ["will add: lunch, 12.50 USD, 2026-11-30, food", "total USD 352.50 → 365.00"],
    ),
    (
        "add_expense",
        {"item": "hat", "amount": 9, "currency": "GBP"},
        ["will add: hat, 9.00 GBP, 2026-11-30, other", "total GBP 0.00 → 9.00"],
    ),
    (
        "update_expense",
        {"id": 1, "amount": 45, "item": "coffee"},
        [
            "will change: #1 Tea, 40.00 USD, 2026-11-02",
            "item Tea → coffee",
            "amount 40.00 USD → 45.00 USD",
            "total USD 352.50 → 357.50",
        ],
    ),
    (
        "update_expense",
        {"id": 4, "currency": "USD", "date": "2026-11-01", "category": "guests"},
        [
            "will change: #4 Brötchen, 3.10 EUR, 2026-10-31",
            "amount 3.10 EUR → 3.10 USD",
            "category food → guests",
            "date 2026-10-31 → 2026-11-01",
            "total EUR 3.10 → 0.00",
            "total USD 352.50 → 355.60",
        ],
    ),
    (
        "update_expense",
        {"id": 1, "item": "Tea"},
        ["will change: #1 Tea, 40.00 USD, 2026-11-02", "nothing is different"],
    ),
    ("update_expense", {"id": 9, "item": "x"}, ["there is no expense 9: nothing will change"]),
    (
        "delete_expense",
        {"id": 1},
        ["will remove: #1 Tea, 40.00 USD, 2026-11-02", "total USD 352.50 → 312.50"],
    ),
    (
        "delete_expense",
        {"id": 4},
        ["will remove: #4 Brötchen, 3.10 EUR, 2026-10-31", "total EUR 3.10 → 0.00"],
    ),
    ("delete_expense", {"id": 9}, ["there is no expense 9: nothing will change"]),
    ("save_note", {"text": "ask for it"}, ["will write down: ask for it", "notes 0 → 1"]),
    ("save_note", {"text": "x" * 80}, [f"will write down: {'x' * 80}", "notes 0 → 1"]),
    ("save_note", {"text": "x" * 1081}, ["will write down: a text of 1,081 characters", "notes 0 → 1"]),
]


@pytest.mark.parametrize(("tool", "members", "lines"), PREVIEWS)
def test_a_preview_shows_what_will_change(
    bench: Bench, tool: str, members: dict[str, Any], lines: list[str]
) -> None:
    """Before and after, and what the totals come to; only what changes is in it."""
    before = a_book(bench).rows()
    assert bench.preview(tool, **members) == lines
    assert bench.rows() == before


@settings(max_examples=30)
@given(st.lists(st.integers(1, 10**17 - 1), min_size=1, max_size=60))
def test_the_total_of_a_book_is_exact(cents: list[int]) -> None:
    """Whatever was added, the total is right to the cent, and so is each summary."""
    bench = Bench(shipped("expenses"))
    for amount in cents:
        bench.run("add_expense", item="tea", amount=str(Decimal(amount).scaleb(-2)))
    expected = f"{Decimal(sum(cents)).scaleb(-2):.2f}"
    assert bench.run("get_total")["totals"] == {"USD": expected}
    assert [row["total"] for row in bench.run("summarize_expenses", by="item")["rows"]] == [expected]


def test_today_is_a_matter_of_the_place() -> None:
    """No tool looks at a clock: where it is another day, an expense gets that one."""
    bench = Bench(shipped("expenses"), today=date(2027, 1, 1))
    assert bench.run("add_expense", item="tea", amount=1)["expense"]["date"] == "2027-01-01"
