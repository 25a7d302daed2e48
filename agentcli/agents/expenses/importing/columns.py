"""Which column of a table holds what: by its title, else by what a person says. Pure."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from agentcli.agents.expenses.importing.questions import Question
from agentcli.agents.expenses.importing.table import Malformed, Table


class Role(StrEnum):
    """What a column can hold."""

    ITEM = "item"
    AMOUNT = "amount"
    DATE = "date"
    CURRENCY = "currency"
    CATEGORY = "category"


TITLES: Final = {
    # role          titles that say so
    Role.ITEM:     "item, description, name, what, text, title, details, purpose, memo, merchant, payee, article",
    Role.AMOUNT:   "amount, price, cost, costs, total, sum, value, paid, spent",
    Role.DATE:     "date, day, when, booking date, transaction date, booked, paid on, posted",
    Role.CURRENCY: "currency, currency code, ccy",
    Role.CATEGORY: "category, kind, group",
}  # fmt: skip

NEEDED: Final = (Role.ITEM, Role.AMOUNT, Role.DATE)
NO_DATES: Final = "none of them: all on today's date"

_ROLE_OF: Final = {title: role for role, titles in TITLES.items() for title in titles.split(", ")}


class Columns(Struct, frozen=True):
    """The number of each column, from 0; None where there is none."""

    item: int
    amount: int
    date: int | None
    currency: int | None
    category: int | None


def find_columns(table: Table, answers: Mapping[str, str]) -> Columns | list[Question]:
    """Return the columns of a table, or what a person has to say about them.

    Args:
        answers: What a person has said, by the names of the questions.
    """
    titled = {role: _titled(table, role) for role in Role}
    found: dict[Role, int | None] = {role: columns[0] for role, columns in titled.items() if len(columns) == 1}
    questions = []
    for role in [role for role in Role if role not in found and (role in NEEDED or titled[role])]:
        choices = _choices(table, role, titled[role], set(found.values()))
        name = f"{role}_column"
        said = NO_DATES if tuple(choices) == (NO_DATES,) else answers.get(name)
        if said is not None and said in choices:
            found[role] = choices[said]
        else:
            questions.append(Question(name, f"Which column holds the {role}?", tuple(choices), table.beginning()))
    item, amount = found.get(Role.ITEM), found.get(Role.AMOUNT)
    if questions or item is None or amount is None:
        return questions
    return Columns(item, amount, found.get(Role.DATE), found.get(Role.CURRENCY), found.get(Role.CATEGORY))


def _titled(table: Table, role: Role) -> list[int]:
    """Return the columns whose title says that they hold this."""
    titles = () if table.header is None else table.header
    words = [" ".join(re.split(r"[\s_-]+", title.casefold())).strip(" :") for title in titles]
    return [column for column, title in enumerate(words) if _ROLE_OF.get(title) is role]


def _choices(table: Table, role: Role, titled: list[int], taken: set[int | None]) -> Mapping[str, int | None]:
    """Return the columns that could hold this, by their labels.

    Raises:
        Malformed: There are none.
    """
    columns = [column for column in titled or range(table.width) if column not in taken]
    choices: dict[str, int | None] = {table.label(column): column for column in columns}
    if role is Role.DATE and not titled:
        choices[NO_DATES] = None
    if not choices:
        raise Malformed(f"it has no column that could hold the {role}")
    return choices
