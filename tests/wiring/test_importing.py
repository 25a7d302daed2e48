"""A file is imported in a session: forms, questions, processes that end in between, and files that change."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agentcli.agents import shipped
from agentcli.agents.expenses.importing.tool import CHANGED
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.persons import Given, Person
from agentcli.session.steps import AwaitAnswer, AwaitSupply
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.session import Session
from tests.wiring.garage import begin, carry_on, kept, say, store_at, terms, written

ANA = Person("ana", "terminal")
UNCLEAR = "item,amount,date\ncake,4.50,03/04/2026\nbus,3,05/06/2026\n"
DAY_FIRST, MONTH_FIRST = '{"date_order":"day first"}', '{"date_order":"month first"}'


class Import:
    """A session of the expense agent, and the folder from which it imports."""

    def __init__(self, folder: Path, store: SqliteStore, level: Level) -> None:
        self.folder = folder
        self.store = store
        self.level = level
        self.session: Session = begin(store, shipped("expenses"), level=level, import_folder=str(folder))

    def write(self, text: str, name: str = "lunch.csv") -> None:
        (self.folder / name).write_text(text)

    async def next_process(self) -> None:
        """End this process, and go on in another one."""
        agent = shipped("expenses")
        self.session.close()
        given = terms(agent, self.level, options={"import_folder": str(self.folder)})
        self.session = kept(Session.go_on_with(agent, self.store, self.session.id, given))
        await carry_on(self.session)

    async def supply(self, data: str) -> None:
        """Fill the open form in, and go on in the next process."""
        assert isinstance(self.session.last_step, AwaitSupply)
        supplied = await self.session.supply(ANA, self.session.last_step.call_id, data)
        assert isinstance(supplied, e.Supplied), supplied
        await self.next_process()

    async def approve(self) -> None:
        """Say yes to the open question, and go on in the next process."""
        (call,) = self.session.waiting
        await self.session.answer_as(ANA, call.call_id, Given("approved", call.code))
        await self.next_process()

    def book(self) -> list[tuple[str, str]]:
        """Item and date of each expense but the sample."""
        with self.store.look() as tables:
            return [
                (item, day) for item, day in tables.execute("SELECT item, date FROM expenses_book WHERE id > 1")
            ]

    def result(self) -> dict[str, Any]:
        """How the call ended."""
        (finished,) = written(self.store, self.session.id, e.Finished)
        result: dict[str, Any] = msgspec.json.decode(finished.result)
        return result


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with store_at(tmp_path) as store:
        yield store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "imports"
    folder.mkdir()
    return folder


async def test_first_the_form_then_the_question_then_the_import(folder: Path, store: SqliteStore) -> None:
    """Where a call is asked about, what is not clear is filled in before; nothing is written until the yes."""
    work = Import(folder, store, Level.PROPOSE)
    work.write(UNCLEAR)
    await say(work.session, "import lunch.csv")
    await work.supply(DAY_FIRST)
    (call,) = work.session.waiting
    assert "cake, 4.50 USD, 2026-04-03, other" in call.preview
    assert work.book() == []
    await work.approve()
    assert work.book() == [("cake", "2026-04-03"), ("bus", "2026-06-05")]
    assert work.result()["imported"] == 2


async def test_where_nothing_is_asked_the_form_comes_in_the_middle(folder: Path, store: SqliteStore) -> None:
    """The tool stops, and is called again from the start; it writes once."""
    work = Import(folder, store, Level.ALONE)
    work.write(UNCLEAR)
    await say(work.session, "import lunch.csv")
    assert work.book() == []
    await work.supply(MONTH_FIRST)
    assert work.book() == [("cake", "2026-03-04"), ("bus", "2026-05-06")]


async def test_a_file_that_changes_after_the_yes_is_asked_about_again(folder: Path, store: SqliteStore) -> None:
    """What was shown is no longer what would be imported."""
    work = Import(folder, store, Level.PROPOSE)
    work.write("item,amount,date\ncake,4.50,2026-11-02\n")
    await say(work.session, "import lunch.csv")
    (before,) = work.session.waiting
    work.write("item,amount,date\ngold,4.50,2026-11-02\n")
    await work.approve()
    (anew,) = work.session.waiting
    assert (anew.call_id, anew.code == before.code) == (before.call_id, False)
    assert "gold, 4.50 USD, 2026-11-02, other" in anew.preview
    assert work.book() == []
    await work.approve()
    assert work.book() == [("gold", "2026-11-02")]


async def test_a_file_that_becomes_unclear_after_the_yes_is_asked_about_anew(
    folder: Path, store: SqliteStore
) -> None:
    """First the form, then the question; an answer from before does not count."""
    work = Import(folder, store, Level.PROPOSE)
    work.write("item,amount,date\ncake,4.50,2026-11-02\n")
    await say(work.session, "import lunch.csv")
    work.write(UNCLEAR)
    await work.approve()
    assert isinstance(work.session.last_step, AwaitSupply)
    await work.supply(DAY_FIRST)
    assert isinstance(work.session.last_step, AwaitAnswer)
    assert work.book() == []


async def test_another_file_is_not_read_as_the_one_before_was(folder: Path, store: SqliteStore) -> None:
    """A person who changes the file's name in the question is asked how that one is to be read."""
    work = Import(folder, store, Level.PROPOSE)
    work.write(UNCLEAR)
    work.write(UNCLEAR.replace("cake", "pie"), "other.csv")
    await say(work.session, "import lunch.csv")
    await work.supply(DAY_FIRST)
    (call,) = work.session.waiting
    await work.session.edit(ANA, call.call_id, '{"file":"other.csv"}', call.code)
    await work.next_process()
    await work.supply(MONTH_FIRST)
    await work.approve()
    assert work.book() == [("pie", "2026-03-04"), ("bus", "2026-05-06")]
    assert b'"edited":{"by":"ana","input":{"file":"other.csv"}' in b"".join(
        work.session.state.conversation.messages()
    ).replace(b"\\", b"")


@pytest.mark.parametrize("level", [Level.PROPOSE, Level.ALONE])
async def test_an_answer_counts_only_for_the_content_that_was_asked_about(
    folder: Path, store: SqliteStore, level: Level
) -> None:
    """A file that changed between the form and the answer is asked about anew, and the person is told so."""
    work = Import(folder, store, level)
    work.write(UNCLEAR)
    await say(work.session, "import lunch.csv")
    work.write(UNCLEAR.replace("cake", "gold"))
    await work.supply(DAY_FIRST)
    assert isinstance(work.session.last_step, AwaitSupply)
    (first, anew) = written(store, work.session.id, e.Suspended)
    assert (first.shown, anew.shown) == (first.shown, (CHANGED, *first.shown))
    assert work.book() == []
    await work.supply(MONTH_FIRST)
    if level is Level.PROPOSE:
        await work.approve()
    assert work.book() == [("gold", "2026-03-04"), ("bus", "2026-05-06")]


@pytest.mark.parametrize("level", [Level.PROPOSE, Level.ALONE])
async def test_a_file_that_became_clear_is_not_imported_unseen(
    folder: Path, store: SqliteStore, level: Level
) -> None:
    """It is another one than the person was asked about, so they are shown what it is now."""
    work = Import(folder, store, level)
    work.write(UNCLEAR)
    await say(work.session, "import lunch.csv")
    work.write("item,amount,date\ngold,999,2026-11-02\n")
    await work.supply(DAY_FIRST)
    assert isinstance(work.session.last_step, AwaitSupply)
    assert written(store, work.session.id, e.Suspended)[-1].shown == (
        CHANGED,
        "gold, 999.00 USD, 2026-11-02, other",
    )
    assert work.book() == []
    await work.supply('{"changed":"as it is now"}')
    if level is Level.PROPOSE:
        await work.approve()
    assert work.book() == [("gold", "2026-11-02")]


async def test_what_was_said_about_a_content_before_is_not_mixed_into_the_next(
    folder: Path, store: SqliteStore
) -> None:
    """A form about columns and then one about dates; the first file's dates say nothing about the second's."""
    work = Import(folder, store, Level.ALONE)
    work.write(UNCLEAR)
    await say(work.session, "import lunch.csv")
    work.write("Was;amount;date\ngold;4.50;03/04/2026\n")
    await work.supply(DAY_FIRST)
    await work.supply('{"item_column":"Was"}')
    assert isinstance(work.session.last_step, AwaitSupply)
    assert work.book() == []
    await work.supply(MONTH_FIRST)
    assert work.book() == [("gold", "2026-03-04")]


async def test_a_file_that_is_gone_after_the_yes_imports_nothing(folder: Path, store: SqliteStore) -> None:
    """The person is asked again, and sees that there is nothing to import."""
    work = Import(folder, store, Level.PROPOSE)
    work.write("item,amount,date\ncake,4.50,2026-11-02\n")
    await say(work.session, "import lunch.csv")
    (folder / "lunch.csv").unlink()
    await work.approve()
    (anew,) = work.session.waiting
    assert anew.preview[0].startswith("nothing will be imported: There is no file 'lunch.csv'")
    await work.approve()
    assert (work.result()["status"], work.book()) == ("file_not_found", [])


async def test_an_import_is_one_write_to_undo(folder: Path, store: SqliteStore) -> None:
    """All of its expenses go, in one step."""
    work = Import(folder, store, Level.ALONE)
    work.write("item,amount,date\n" + "cake,1,2026-11-02\n" * 30)
    await say(work.session, "import lunch.csv")
    assert len(work.book()) == 30
    waiting = await work.session.undo(ANA)
    await work.session.answer_as(ANA, waiting.call_id, Given("approved", waiting.code))  # type: ignore[union-attr]
    await work.session.settle_own_calls()
    assert work.book() == []
