"""What is in a file: expenses, or questions that only a person can answer."""

from collections.abc import Sequence
from datetime import date

import pytest

from agentcli.agents.expenses.importing.columns import NO_DATES
from agentcli.agents.expenses.importing.questions import Question, answers_about, form_schema
from agentcli.agents.expenses.importing.reading import Found, read_expenses
from agentcli.agents.expenses.importing.table import Malformed
from agentcli.tools.form import form_of
from tests.agents.bench import TODAY


def read(text: str, currency: str = "USD", **answers: str) -> Found | Sequence[Question]:
    return read_expenses(text.encode(), answers, currency=currency, today=TODAY)


def found(text: str, currency: str = "USD", **answers: str) -> list[str]:
    result = read(text, currency, **answers)
    assert isinstance(result, Found), result
    return [str(entry) for entry in result.entries]


def asked(text: str, currency: str = "USD", **answers: str) -> dict[str, tuple[str, ...]]:
    result = read(text, currency, **answers)
    assert not isinstance(result, Found), result
    return {question.name: question.choices for question in result}


def problem(text: str, **answers: str) -> str:
    with pytest.raises(Malformed) as refused:
        read(text, **answers)
    return str(refused.value)


def test_a_clear_file_needs_no_question() -> None:
    """Titles in any order and any case, with or without what may be left out."""
    assert found(
        "Date;Category;Currency;Item;Amount\n2026-11-02;Food;eur;tea;4,50\n2026-11-03;;;bus ticket;3\n"
    ) == [
        "tea, 4.50 EUR, 2026-11-02, food",
        "bus ticket, 3.00 USD, 2026-11-03, transport",
    ]


@pytest.mark.parametrize("titles", ["description,price,day", "Payee,Total,Booking Date", "what,cost,transaction_date", "NAME, Value:,booked"])  # fmt: skip
def test_titles_may_be_other_words_for_the_same(titles: str) -> None:
    """As banks and people call them."""
    assert found(f"{titles}\ntea,4.50,2026-11-02\n") == ["tea, 4.50 USD, 2026-11-02, food"]


def test_other_columns_are_left_out_and_that_is_said() -> None:
    """A person sees what did not count."""
    result = read("item,amount,date,ref,note\ntea,4,2026-11-02,17,x\n")
    assert isinstance(result, Found)
    assert result.notes == ("ignored: ref, note",)


@pytest.mark.parametrize(("order", "day"), [("day first", "2026-04-03"), ("month first", "2026-03-04")])
def test_a_date_that_can_be_read_two_ways_is_asked_about(order: str, day: str) -> None:
    """Nobody but the person knows, and the answer holds for the whole column."""
    text = "item,amount,date\ntea,4,03/04/2026\nbus,3,05/05/2026\n"
    assert asked(text) == {"date_order": ("day first", "month first")}
    assert found(text, date_order=order)[0] == f"tea, 4.00 USD, {day}, food"


def test_the_person_is_shown_the_dates_in_question() -> None:
    """Up to three of them, with what each reading makes of it; not those that mean one day."""
    rows = "".join(f"tea,4,0{day}/04/2026\n" for day in (4, 1, 2, 3, 5))
    result = read(f"item,amount,date\n{rows}")
    assert not isinstance(result, Found)
    assert result[0].shown == (
        "line 3: 01/04/2026 is 2026-04-01 (day first) or 2026-01-04 (month first)",
        "line 4: 02/04/2026 is 2026-04-02 (day first) or 2026-02-04 (month first)",
        "line 5: 03/04/2026 is 2026-04-03 (day first) or 2026-03-04 (month first)",
    )


@pytest.mark.parametrize(
    ("other", "day"),
    [("25/03/2026", "2026-04-03"), ("03/25/2026", "2026-03-04")],
    ids=["day first", "month first"],
)
def test_one_date_that_is_clear_tells_how_the_others_are_meant(other: str, day: str) -> None:
    """A column is written in one way."""
    assert found(f"item,amount,date\ntea,4,03/04/2026\nbus,3,{other}\n")[0] == f"tea, 4.00 USD, {day}, food"


@pytest.mark.parametrize("text", ["2026-04-03", "04/04/2026"])
def test_a_date_that_means_one_day_is_not_asked_about(text: str) -> None:
    """However it is read."""
    assert len(found(f"item,amount,date\ntea,4,{text}\n")) == 1


def test_dates_that_contradict_each_other_are_malformed() -> None:
    """No one way fits both."""
    told = problem("item,amount,date\ntea,4,25/03/2026\nbus,3,03/25/2026\n")
    assert told == "line 2 (25/03/2026) and line 3 (03/25/2026) can't be meant in the same way"


def test_amounts_go_by_the_whole_column() -> None:
    """A comma before two digits tells that the point before three is for thousands."""
    assert found("item;amount;date\ntea;4,50;2026-11-02\nrent;1.200;2026-11-01\n")[1].startswith(
        "rent, 1200.00 USD"
    )


@pytest.mark.parametrize(("mark", "amount"), [("comma", "1.234 KWD"), ("point", "1234.000 KWD")])
def test_an_amount_that_can_be_read_two_ways_is_asked_about(mark: str, amount: str) -> None:
    """In a currency with three decimals, three digits after a comma can be both."""
    text = "item;amount;date\ntea;1,234;2026-11-02\n"
    assert asked(text, "KWD") == {"decimal_mark": ("point", "comma")}
    assert found(text, "KWD", decimal_mark=mark) == [f"tea, {amount}, 2026-11-02, food"]


def test_amounts_that_contradict_each_other_are_malformed() -> None:
    """Comma and point can't both stand before the decimals."""
    assert "line 2 (4,50) and line 3 (4.50)" in problem(
        "item;amount;date\ntea;4,50;2026-11-02\ncake;4.50;2026-11-02\n"
    )


def test_all_that_is_not_clear_is_asked_at_once() -> None:
    """A person is interrupted as rarely as can be."""
    assert list(asked("item;amount;date\ntea;1,234;03/04/2026\n", "KWD")) == ["date_order", "decimal_mark"]


def test_a_column_without_a_known_title_is_asked_about() -> None:
    """The choices are the columns that are left."""
    text = "Was,amount,date,Ort\ntea,4,2026-11-02,Bonn\n"
    assert asked(text) == {"item_column": ("Was", "Ort")}
    assert found(text, item_column="Was") == ["tea, 4.00 USD, 2026-11-02, food"]


def test_two_columns_with_titles_for_the_same_are_asked_about() -> None:
    """Only these two, and for what may be left out as well."""
    text = "item,amount,total,date,category,kind\ntea,4,5,2026-11-02,x,y\n"
    assert asked(text) == {"amount_column": ("amount", "total"), "category_column": ("category", "kind")}
    assert found(text, amount_column="total", category_column="kind") == ["tea, 5.00 USD, 2026-11-02, y"]


def test_without_titles_everything_is_asked_about() -> None:
    """The columns are told by their beginnings, and the person is shown some lines."""
    text = "2026-11-02,tea,4\n2026-11-03,bus,3\n"
    columns = ("column 1: 2026-11-02", "column 2: tea", "column 3: 4")
    assert asked(text) == {"item_column": columns, "amount_column": columns, "date_column": (*columns, NO_DATES)}
    result = read(text)
    assert not isinstance(result, Found)
    assert result[0].shown == ("2026-11-02 | tea | 4", "2026-11-03 | bus | 3")
    said = {"item_column": columns[1], "amount_column": columns[2], "date_column": columns[0]}
    assert found(text, **said) == ["tea, 4.00 USD, 2026-11-02, food", "bus, 3.00 USD, 2026-11-03, transport"]


def test_one_column_can_t_be_two_things() -> None:
    """The second is asked about again, without the one that is taken."""
    text = "2026-11-02,tea,4\n"
    one = "column 2: tea"
    left = asked(text, item_column=one, amount_column=one, date_column="column 1: 2026-11-02")
    assert left == {"amount_column": ("column 1: 2026-11-02", "column 3: 4")}


def test_what_was_said_about_another_file_does_not_count() -> None:
    """An answer that is none of the choices is asked for again."""
    assert asked("Was,amount,date,Ort\ntea,4,2026-11-02,Bonn\n", item_column="Name", date_order="x") == {
        "item_column": ("Was", "Ort")
    }
    assert "date_order" in asked("item,amount,date\ntea,4,03/04/2026\n", date_order="year first")


@pytest.mark.parametrize("answers", [{}, {"date_column": NO_DATES}], ids=["not asked", "as a person says"])
def test_without_dates_all_are_today_s_and_that_is_said(answers: dict[str, str]) -> None:
    """Where no column is left that could be the date there is nothing to ask."""
    text = "item,amount\ntea,4\n" if not answers else "item,amount,ref\ntea,4,x\n"
    result = read(text, **answers)
    assert isinstance(result, Found)
    assert result.entries[0].day == date(2026, 11, 30)
    assert "no dates: all on today's" in result.notes


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item,amount,date\ntea,4,2026-11-02\nbus,free,2026-11-02", "line 3: 'free' is no amount in USD above 0"),
        ("item,amount,date\ntea,-4,2026-11-02", "line 2: '-4' is no amount in USD above 0"),
        ("item,amount,date\ntea,4.123,2026-11-02\ntea,4.5,2026-11-02", "can't be meant in the same way"),
        ("item,amount,date\ntea,4,soon", "line 2: 'soon' is no date such as 2026-11-30 or 30/11/2026"),
        ("item,amount,date\ntea,4,", "line 2: '' is no date"),
        ("item,amount,date\n ,4,2026-11-02", "line 2: it does not say what the money was spent on"),
        ("item,amount,date,currency\ntea,4,2026-11-02,XXX", "line 2: 'XXX' is not a currency"),
        ("item,date\ntea,2026-11-02", "it has no column that could hold the amount"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_expense_spoils_the_file(text: str, told: str) -> None:
    """Nothing is imported from a file of which a part is not understood; the line is named."""
    assert told in problem(text)


def test_an_item_is_one_line() -> None:
    """Blanks and line ends in it are one blank each."""
    assert found('item,amount,date\n"green\n  tea ",4,2026-11-02\n') == ["green tea, 4.00 USD, 2026-11-02, food"]


def test_questions_make_a_form() -> None:
    """Each is a choice, and all of them are needed."""
    form = form_of(form_schema([Question("date_order", "Which?", ("day first", "month first"))], "3fa9"))
    (field,) = form.fields
    assert (field.name, field.title, field.required) == ("date_order", "Which?", True)
    assert form.read_typed(field, "2") == "month first"


def test_an_answer_counts_for_the_content_that_was_asked_about() -> None:
    """For no other, and not where nobody says what it was about."""
    form = form_of(form_schema([Question("date_order", "Which?", ("day first", "month first"))], "3fa9"))
    filled_in = form.read({"date_order": "day first"})
    assert answers_about("3fa9", filled_in) == {"date_order": "day first"}
    assert answers_about("77e1", filled_in) == {}
    assert answers_about("3fa9", {"date_order": "day first"}) == {}
