"""The tool `import_expenses`: many expenses from one file, all of them or none."""

import hashlib
from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from agentcli.agents.expenses.book import Book
from agentcli.agents.expenses.importing.folder import name_problem, read_file
from agentcli.agents.expenses.importing.questions import Question, answers_about, form_schema
from agentcli.agents.expenses.importing.reading import Entry, Found, read_expenses
from agentcli.agents.expenses.importing.table import Malformed
from agentcli.agents.expenses.rules import Expense, differences, total_lines
from agentcli.agents.failures import changed_since, refused
from agentcli.agents.money import totals
from agentcli.counted import counted
from agentcli.tools.outcome import ToolFailure, Undoable
from agentcli.tools.suspension import Suspend
from agentcli.tools.tool import Place, Values
from agentcli.tools.toolset import Toolset

SHOWN: Final = 5
"""Expenses that a preview shows, and changes that an undo names."""

CHANGED: Final = "the file has changed since it was asked about"
AS_IT_IS_NOW: Final = Question("changed", "Import it as it is now?", ("as it is now",))


def _check_file(place: Place, values: Values) -> str | None:
    return name_problem(values["file"])


def _found(place: Place, name: str, resumed: Values | None) -> tuple[Found, bytes] | ToolFailure:
    """Return the expenses in a file of the import folder, and its bytes.

    Raises:
        Suspend: It can be understood in several ways, and nobody has said yet how its present content is meant.
    """
    data = read_file(place.options["import_folder"], name)
    if isinstance(data, ToolFailure):
        return data
    content = _name_of(data)
    answers = answers_about(content, resumed or {})
    try:
        found = read_expenses(data, answers, currency=place.options["currency"], today=place.today)
    except Malformed as malformed:
        return refused("malformed", f"The file {name!r} can't be imported: {malformed}.")
    is_another = bool(resumed) and not answers
    if isinstance(found, Found):
        if not is_another:
            return found, data
        found = [replace(AS_IT_IS_NOW, shown=tuple(map(str, found.entries[:SHOWN])))]
    shown = [CHANGED] if is_another else []
    shown += [line for question in found for line in question.shown]
    schema = form_schema(found, content)
    raise Suspend(f"How is the file {name} to be read?", schema, shown=list(dict.fromkeys(shown)))


def _preview_import(place: Place, values: Values, resumed: Values | None = None) -> Sequence[str]:
    read = _found(place, values["file"], resumed)
    if isinstance(read, ToolFailure):
        return [f"nothing will be imported: {read.message}"]
    found, data = read
    book = Book(place.tables)
    before = book.expenses()
    known = {(one.item, one.money, one.day) for one in before}
    again = sum((entry.item, entry.money, entry.day) in known for entry in found.entries)
    more = len(found.entries) - SHOWN
    moneys = [entry.money for entry in found.entries]
    return [
        f"will import: {counted(len(found.entries), 'expense')} from {values['file']}",
        *map(str, found.entries[:SHOWN]),
        *([f"… and {more} more"] if more > 0 else []),
        *total_lines([one.money for one in before], *moneys),
        *([f"in the book already: {again} of them, with the same item, amount and date"] if again else []),
        *found.notes,
        # So that a file changed after the question is another question, whichever line it is.
        f"file: {len(data)} bytes, SHA-256 {_name_of(data)}",
    ]


def _undo_import(place: Place, values: Values, result: Values, before: Values) -> None:
    book = Book(place.tables)
    left = [Expense.from_result(one) for one in before["expenses"]]
    found = {one.id: one for one in book.expenses(after=left[0].id - 1)}
    changed = [_change(one, found.get(one.id)) for one in left if found.get(one.id) != one]
    if changed:
        more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
        raise changed_since(f"{'; '.join(changed[:SHOWN])}{more}. Take the others out by hand instead.")
    for one in left:
        book.remove(one.id)


def _change(left: Expense, found: Expense | None) -> str:
    if found is None:
        return f"expense {left.id} was deleted since"
    return f"expense {left.id} was changed since: {', '.join(differences(left, found))}"


def with_import(tools: Toolset) -> Toolset:
    """Add the tool to those of the agent, and return them."""
    declare = tools.write(
        fields=("imported", "totals", "first_id", "last_id"),
        statuses={"file_not_found": "validation", "malformed": "validation"},
        check=_check_file,
        preview=_preview_import,
        undo=_undo_import,
    )
    declare(import_expenses)
    return tools


def import_expenses(
    place: Place,
    file: Annotated[str, Meta(description="name of a CSV file in the import folder, such as lunch.csv")],
    resumed: Values | None = None,
) -> Undoable:
    """Write all expenses of a CSV file in the import folder into the book, or none of them."""
    read = _found(place, file, resumed)
    if isinstance(read, ToolFailure):
        raise read
    book = Book(place.tables)
    added = [_add(book, entry) for entry in read[0].entries]
    result = {
        "status": "ok",
        "imported": len(added),
        "totals": {code: total.text for code, total in totals(one.money for one in added).items()},
        "first_id": added[0].id,
        "last_id": added[-1].id,
    }
    return Undoable(result, before={"expenses": [one.as_result() for one in added]})


def _add(book: Book, entry: Entry) -> Expense:
    return book.add(entry.item, entry.money, entry.category, entry.day)


def _name_of(data: bytes) -> str:
    """Return what tells this content from any other."""
    return hashlib.sha256(data).hexdigest()[:16]
