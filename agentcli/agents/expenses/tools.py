"""The tools of the expense agent: what a model may propose, what a person is shown, and how it is taken back."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Final

from msgspec import Meta

from agentcli.agents.expenses.book import Book
from agentcli.agents.expenses.rules import (
    Expense,
    ExpenseFilter,
    Grouping,
    category_for,
    differences,
    summarize,
    tidy_category,
    total_lines,
)
from agentcli.agents.failures import changed_since, refused
from agentcli.agents.money import Money, currency_problem, money_problem, shortest, totals
from agentcli.agents.previews import repeated
from agentcli.tools.outcome import Undoable
from agentcli.tools.tool import Acts, Place, Values
from agentcli.tools.toolset import Toolset

PAGE: Final = 50
LONGEST_PAGE: Final = 200

tools = Toolset("expenses", acts=Acts.IN_STORE)

Id = Annotated[int, Meta(ge=1, description="number of the expense, as list_expenses shows it")]
Item = Annotated[str, Meta(description="what the money was spent on")]
Amount = Annotated[Decimal, Meta(description="above 0, with at most the decimals of its currency")]
Currency = Annotated[str, Meta(description="ISO 4217 code such as USD")]
Category = Annotated[str, Meta(description="one word such as food or transport")]
Since = Annotated[date, Meta(description="first day that counts, YYYY-MM-DD")]
Until = Annotated[date, Meta(description="last day that counts, YYYY-MM-DD")]
Day = Annotated[date, Meta(description="YYYY-MM-DD; today if left out")]


def _check_wanted(place: Place, values: Values) -> str | None:
    since, until, currency = values["since"], values["until"], values.get("currency")
    if since is not None and until is not None and since > until:
        return f"since {since} is after until {until}"
    return None if currency is None else currency_problem(currency)


@tools.read(fields=("totals", "count"), check=_check_wanted)
def get_total(
    place: Place,
    *,
    category: Category | None = None,
    currency: Currency | None = None,
    since: Since | None = None,
    until: Until | None = None,
) -> dict[str, Any]:
    """Add up expenses: one exact total a currency, and how many expenses are in it."""
    wanted = ExpenseFilter(category=_tidy(category), currency=currency, since=since, until=until)
    amounts = Book(place.tables).amounts(wanted)
    return {
        "status": "ok",
        "totals": {code: total.text for code, total in totals(amounts).items()},
        "count": len(amounts),
    }


@tools.read(fields=("expenses", "more"), check=_check_wanted)
def list_expenses(  # noqa: PLR0913  # a tool's parameters are what the model fills in
    place: Place,
    *,
    category: Category | None = None,
    text: Annotated[str, Meta(description="part of the item or of the category")] | None = None,
    since: Since | None = None,
    until: Until | None = None,
    limit: Annotated[int, Meta(ge=1, le=LONGEST_PAGE, description="at most so many")] = PAGE,
    after: Annotated[int, Meta(ge=0, description="go on after the expense of this number")] = 0,
) -> dict[str, Any]:
    """List expenses in the order of their numbers; `more` says whether there are others after the last one."""
    wanted = ExpenseFilter(category=_tidy(category), text=text, since=since, until=until)
    found = Book(place.tables).expenses(wanted, after=after, limit=limit + 1)
    return {
        "status": "ok",
        "expenses": [expense.as_result() for expense in found[:limit]],
        "more": len(found) > limit,
    }


@tools.read(fields=("rows",), check=_check_wanted)
def summarize_expenses(
    place: Place, *, by: Grouping, since: Since | None = None, until: Until | None = None
) -> dict[str, Any]:
    """Add up expenses by category, month or item; each row has its key, currency, total and count."""
    rows = summarize(Book(place.tables).expenses(ExpenseFilter(since=since, until=until)), by)
    return {
        "status": "ok",
        "rows": [
            {"key": row.key, "currency": row.total.currency, "total": row.total.text, "count": row.count}
            for row in rows
        ],
    }


def _default_currency(place: Place) -> str:
    return str(place.options["currency"])


def _today(place: Place) -> str:
    return place.today.isoformat()


def _new(place: Place, values: Values) -> tuple[str, Money, str, date]:
    """Return item, money, category and day of the expense that an input describes."""
    item = values["item"].strip()
    money = Money(values["amount"], values["currency"] or _default_currency(place))
    category = tidy_category(values["category"]) if values["category"] else category_for(item)
    return item, money, category, values["date"] or place.today


def _check_add(place: Place, values: Values) -> str | None:
    return money_problem(values["amount"], values["currency"] or _default_currency(place))


def _preview_add(place: Place, values: Values) -> Sequence[str]:
    item, money, category, day = _new(place, values)
    amounts = Book(place.tables).amounts(ExpenseFilter(currency=money.currency))
    return [f"will add: {item}, {money}, {day}, {category}", *total_lines(amounts, money)]


def _undo_add(place: Place, values: Values, result: Values, before: None) -> None:
    book = Book(place.tables)
    book.remove(_unchanged(book, result).id)


@tools.write(
    fields=("expense",),
    defaults={"currency": _default_currency, "date": _today},
    check=_check_add,
    preview=_preview_add,
    undo=_undo_add,
)
def add_expense(
    place: Place,
    *,
    item: Item,
    amount: Amount,
    currency: Currency | None = None,
    category: Category | None = None,
    date: Day | None = None,
) -> Undoable:
    """Write an expense down. Without a category, one is chosen by the item, else it is `other`."""
    new = _new(place, {"item": item, "amount": amount, "currency": currency, "category": category, "date": date})
    expense = Book(place.tables).add(*new)
    return Undoable({"status": "ok", "expense": expense.as_result()}, before=None)


def _changed(expense: Expense, values: Values) -> Expense:
    """Return the expense with what an input changes about it."""
    return Expense(
        id=expense.id,
        item=values["item"].strip() if values["item"] else expense.item,
        money=Money(values["amount"] or expense.money.amount, values["currency"] or expense.money.currency),
        category=tidy_category(values["category"]) if values["category"] else expense.category,
        day=values["date"] or expense.day,
    )


def _check_update(place: Place, values: Values) -> str | None:
    if all(value is None for name, value in values.items() if name != "id"):
        return "nothing to change: give at least one of item, amount, currency, category and date"
    expense = Book(place.tables).find(values["id"])
    amount, currency = values["amount"], values["currency"]
    if amount is None:
        amount = shortest(expense.money.amount) if expense else Decimal(1)
    if currency is None:
        currency = expense.money.currency if expense else _default_currency(place)
    return money_problem(amount, currency)


def _preview_update(place: Place, values: Values) -> Sequence[str]:
    book = Book(place.tables)
    expense = book.find(values["id"])
    if expense is None:
        return [_nothing_there(values["id"])]
    after = _changed(expense, values)
    changes = differences(expense, after) or ["nothing is different"]
    return [
        f"will change: {expense}",
        *changes,
        *total_lines(book.amounts(), -expense.money, after.money),
    ]


def _undo_update(place: Place, values: Values, result: Values, before: Values) -> None:
    book = Book(place.tables)
    _unchanged(book, result)
    book.put(Expense.from_result(before))


@tools.write(
    fields=("expense",),
    statuses={"expense_not_found": "validation"},
    check=_check_update,
    preview=_preview_update,
    undo=_undo_update,
)
def update_expense(  # noqa: PLR0913  # a tool's parameters are what the model fills in
    place: Place,
    *,
    id: Id,
    item: Item | None = None,
    amount: Amount | None = None,
    currency: Currency | None = None,
    category: Category | None = None,
    date: Annotated[date, Meta(description="YYYY-MM-DD")] | None = None,
) -> Undoable:
    """Change an expense; what is left out stays as it is."""
    book = Book(place.tables)
    expense = _existing(book, id)
    after = _changed(
        expense, {"item": item, "amount": amount, "currency": currency, "category": category, "date": date}
    )
    book.put(after)
    return Undoable({"status": "ok", "expense": after.as_result()}, before=expense.as_result())


def _preview_delete(place: Place, values: Values) -> Sequence[str]:
    book = Book(place.tables)
    expense = book.find(values["id"])
    if expense is None:
        return [_nothing_there(values["id"])]
    return [f"will remove: {expense}", *total_lines(book.amounts(), -expense.money)]


@tools.irreversible(fields=("expense",), statuses={"expense_not_found": "validation"}, preview=_preview_delete)
def delete_expense(place: Place, id: Id) -> dict[str, Any]:
    """Delete an expense for good; this can't be undone."""
    book = Book(place.tables)
    expense = _existing(book, id)
    book.remove(id)
    return {"status": "ok", "expense": expense.as_result()}


def _preview_note(place: Place, values: Values) -> Sequence[str]:
    count = len(Book(place.tables).notes())
    return [f"will write down: {repeated(values['text'])}", f"notes {count} → {count + 1}"]


def _undo_note(place: Place, values: Values, result: Values, before: None) -> None:
    book = Book(place.tables)
    if result["note"] not in [note.as_result() for note in book.notes()]:
        raise changed_since(f"note {result['note']['id']} is gone already; there is nothing left to undo")
    book.remove_note(result["note"]["id"])


@tools.write(fields=("note",), preview=_preview_note, undo=_undo_note)
def save_note(place: Place, text: Annotated[str, Meta(description="what to keep in mind")]) -> Undoable:
    """Write a note down."""
    note = Book(place.tables).add_note(text, place.today)
    return Undoable({"status": "ok", "note": note.as_result()}, before=None)


@tools.read(fields=("notes",))
def list_notes(place: Place) -> dict[str, Any]:
    """List all notes, the oldest first."""
    return {"status": "ok", "notes": [note.as_result() for note in Book(place.tables).notes()]}


def _tidy(category: str | None) -> str | None:
    return None if category is None else tidy_category(category)


def _nothing_there(expense_id: int) -> str:
    return f"there is no expense {expense_id}: nothing will change"


def _existing(book: Book, expense_id: int) -> Expense:
    expense = book.find(expense_id)
    if expense is None:
        message = f"There is no expense {expense_id}. Use list_expenses to see the numbers that there are."
        raise refused("expense_not_found", message)
    return expense


def _unchanged(book: Book, result: Values) -> Expense:
    """Return the expense that a result shows.

    Raises:
        ToolFailure: It has been changed or deleted since; a person has to put it right by hand.
    """
    left = Expense.from_result(result["expense"])
    found = book.find(left.id)
    if found is None:
        raise changed_since(f"expense {left.id} was deleted since; there is nothing left to undo")
    if found != left:
        changes = "; ".join(differences(left, found))
        raise changed_since(f"expense {left.id} was changed since: {changes}. Change it by hand instead.")
    return found
