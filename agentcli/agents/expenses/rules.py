"""The rules of the book of expenses: what an expense is, what was asked for, sums, and how they read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final, Literal

import msgspec

from agentcli.agents.money import Money, nothing, totals

OTHER: Final = "other"

CATEGORIES: Final[Mapping[str, str]] = {
    # category       items that are put into it when nobody names a category
    "food":          "food grocery groceries supermarket market tea coffee breakfast lunch dinner brunch meal "
                     "restaurant cafe bakery bread milk fruit vegetable snack pizza burger beer wine drink",
    "transport":     "transport taxi cab uber bus train tram metro subway underground ticket fuel petrol gas "
                     "parking toll bike car",
    "housing":       "housing rent mortgage furniture repair",
    "utilities":     "utilities utility electricity water heating internet phone mobile",
    "health":        "health doctor dentist pharmacy medicine gym insurance",
    "clothing":      "clothing clothes shoe shirt jacket trousers dress",
    "entertainment": "entertainment cinema movie film concert theatre museum game book music streaming",
    "travel":        "travel hotel flight hostel holiday",
    "education":     "education course school tuition",
    "gifts":         "gift gifts present flower donation",
}  # fmt: skip

_CATEGORY_OF: Final = {word: category for category, words in CATEGORIES.items() for word in words.split()}


class Expense(msgspec.Struct, frozen=True):
    """One expense as it stands in the book."""

    id: int
    item: str
    money: Money
    category: str
    day: date

    def __str__(self) -> str:
        return f"#{self.id} {self.item}, {self.money}, {self.day}"

    def as_result(self) -> dict[str, Any]:
        """Return the expense as tools hand it out."""
        return {
            "id": self.id,
            "item": self.item,
            "amount": self.money.text,
            "currency": self.money.currency,
            "category": self.category,
            "date": self.day.isoformat(),
        }

    @classmethod
    def from_result(cls, result: Mapping[str, Any]) -> "Expense":
        """Return the expense that a tool handed out."""
        return cls(
            id=result["id"],
            item=result["item"],
            money=Money(Decimal(result["amount"]), result["currency"]),
            category=result["category"],
            day=date.fromisoformat(result["date"]),
        )


class ExpenseFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which expenses are looked at; what is None does not matter. Both days are included."""

    category: str | None = None
    currency: str | None = None
    text: str | None = None
    since: date | None = None
    until: date | None = None

    def has_text(self, expense: Expense) -> bool:
        """Whether item or category contain the text, whatever the case of its letters."""
        if self.text is None:
            return True
        text = self.text.strip().casefold()
        return text in expense.item.casefold() or text in expense.category.casefold()


class SummaryRow(msgspec.Struct, frozen=True):
    """What was spent in one currency on one category, in one month or on one item."""

    key: str
    total: Money
    count: int


Grouping = Literal["category", "month", "item"]

_KEYS: Final[Mapping[Grouping, Callable[[Expense], str]]] = {
    "category": lambda expense: expense.category,
    "month": lambda expense: expense.day.isoformat()[:7],
    "item": lambda expense: expense.item,
}


def tidy_category(category: str) -> str:
    """Return a category as the book keeps it: in lower case, without blanks around it."""
    return category.strip().lower()


def category_for(item: str) -> str:
    """Return the category of an item for which none was named: that of its first known word, else `other`."""
    for word in item.casefold().replace("-", " ").split():
        bare = word.strip(".,;:!?'\"()")
        for form in (bare, bare.removesuffix("s"), bare.removesuffix("es")):
            if form in _CATEGORY_OF:
                return _CATEGORY_OF[form]
    return OTHER


def sample_day(today: date) -> date:
    """Return the day of the sample expense: the second of last month, so that it is old, but not by much."""
    return (today.replace(day=1) - timedelta(days=1)).replace(day=2)


def summarize(expenses: Iterable[Expense], by: Grouping) -> list[SummaryRow]:
    """Return the sums of each group and currency, in the order of key and currency."""
    groups: dict[tuple[str, str], list[Money]] = {}
    for expense in expenses:
        groups.setdefault((_KEYS[by](expense), expense.money.currency), []).append(expense.money)
    return [
        SummaryRow(key, totals(amounts)[currency], len(amounts))
        for (key, currency), amounts in sorted(groups.items())
    ]


def differences(before: Expense, after: Expense) -> list[str]:
    """Return what differs, a line a field, such as `amount 40.00 USD → 45.00 USD`."""
    pairs = (
        ("item", before.item, after.item),
        ("amount", str(before.money), str(after.money)),
        ("category", before.category, after.category),
        ("date", str(before.day), str(after.day)),
    )
    return [f"{name} {old} → {new}" for name, old, new in pairs if old != new]


def total_lines(amounts: Sequence[Money], *changes: Money) -> list[str]:
    """Return how the totals change, a line a currency, such as `total USD 40.00 → 340.00`.

    Args:
        amounts: What is in the book.
        changes: What comes in, and below 0 what goes out.
    """
    before, after = totals(amounts), totals([*amounts, *changes])
    return [
        f"total {currency} {before.get(currency, nothing(currency)).text} → {total.text}"
        for currency, total in after.items()
        if before.get(currency, nothing(currency)) != total
    ]
