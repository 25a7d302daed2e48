"""An agent of one's own, from its file on: everything that a tool can declare, at work in a session."""

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agentcli.config import Config, ConfigError, Flags, load_config
from agentcli.config.places import Places
from agentcli.session import entries as e
from agentcli.session.events import Decided, Event, Suspended, ToolFinished
from agentcli.session.persons import Person, Refused
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.agents import load_agent
from agentcli.wiring.opening import begin
from agentcli.wiring.session import Session
from agentcli.wiring.waiting import Waiting

TOOLS = """
import asyncio
import time
from datetime import date
from decimal import Decimal
from agentcli import Suspend, ToolFailure, Toolset, at_most, fact

tools = Toolset("garage")
done = []
owners = {"B-1": "Ana", "B-2": None}
BAY = {"type": "object", "properties": {"bay": {"type": "string", "enum": ["left", "right"]}}, "required": ["bay"]}


@tools.read(
    establishes=fact("owner_known", subject="plate", when=lambda result: result["owner"] is not None),
    statuses={"car_not_found": "validation", "resting": None},
)
async def find_car(plate: str) -> dict:
    "Find a car by its plate."
    await asyncio.sleep(0)
    if plate == "B-9":
        raise ToolFailure("car_not_found", "validation", "There is no car B-9. Ask for the right plate.", True)
    if plate == "B-8":
        return {"status": "resting", "owner": None}
    return {"owner": owners[plate]}


@tools.read
def find_bay(place: str) -> dict:
    "Find a free bay."
    return {"bay": f"left in {place}"}


def cancel(values, result):
    done.append(f"cancel {result['slot']} of {values['plate']}")


async def cancel_later(values, result):
    await asyncio.sleep(0)
    cancel(values, result)


@tools.write(undo=cancel)
def book_slot(plate: str, day: date) -> dict:
    "Book a slot."
    done.append(f"book {plate} {day:%d.%m.}")
    return {"slot": len(done)}


@tools.write(undo=cancel_later)
def book_any(plate: str) -> dict:
    "Book any slot."
    done.append(f"book {plate}")
    return {"slot": len(done)}


def show_car(values):
    return [f"will scrap: {values['plate']} for {values['price']}"]


@tools.irreversible(
    requires=[fact("owner_known", subject="plate")],
    limits=[at_most("price", "500", next="call_owner")],
    preview=show_car,
    approval=True,
    timeout=30,
)
def scrap_car(plate: str, price: Decimal) -> dict:
    "Scrap a car."
    done.append(f"scrap {plate} for {price}")
    return {"scrapped": plate}


@tools.tool
def poke(plate: str) -> dict:
    "Poke a car."
    done.append(f"poke {plate}")
    return {}


@tools.irreversible(timeout=0.05)
def dawdle(plate: str) -> dict:
    "Take too long."
    time.sleep(0.3)
    return {"late": True}


@tools.read(timeout=0.05)
def stare(plate: str) -> dict:
    "Look for too long."
    time.sleep(0.3)
    return {}


@tools.irreversible(idempotent="ticket")
def pay(ticket: str, amount: Decimal) -> dict:
    "Pay for parking."
    done.append(f"pay {ticket}")
    return {}


@tools.irreversible
def lift(plate: str, resumed: dict | None = None) -> dict:
    "Lift a car."
    if resumed is None:
        try:
            raise Suspend("Which bay?", BAY, shown=["both are free"])
        except BaseException:
            done.append("swallowed")
    done.append(f"lift {plate} {resumed['bay'] if resumed else 'nowhere'}")
    return {}


def plan(values, resumed=None):
    if resumed is None:
        raise Suspend("Which bay?", BAY)
    return [f"will paint {values['plate']} in the {resumed['bay']} bay"]


@tools.irreversible(preview=plan)
def paint(plate: str, resumed: dict) -> dict:
    "Paint a car."
    done.append(f"paint {plate} {resumed['bay']}")
    return {}


@tools.read
def odd(how: str) -> dict:
    "End oddly."
    if how == "raises":
        raise RuntimeError("swordfish")
    return {"status": {"status": "sold"}, "none": None, "list": [], "value": {"made": object()}}[how]
"""


@dataclass
class Shop:
    """A session with the agent, whose model a person plays by typing calls, and what the tools have done."""

    session: Session
    store: SqliteStore
    done: list[str]

    async def call(self, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
        """Make calls in one reply, and return the results as far as they have come."""
        text = " & ".join(f"call {tool} {json.dumps(members)}" for tool, members in calls)
        return results([event async for event in self.session.run(text)])

    async def answer(self, *, approve: bool = True) -> list[dict[str, Any]]:
        """Answer the open question and go on."""
        (question,) = self.session.waiting
        await self.session.answer(question.call_id, approve=approve, by="ana", code=question.code)
        return await self.go_on()

    async def go_on(self) -> list[dict[str, Any]]:
        return results([event async for event in self.session.go_on()])

    async def fill_in(self, data: str) -> list[dict[str, Any]]:
        """Fill the open form in and go on."""
        call = self.session.state.current_call
        assert call is not None
        supplied = await self.session.supply(ANA, call.call_id, data)
        assert isinstance(supplied, e.Supplied), supplied
        return await self.go_on()

    def written(self, kind: type[e.Entry]) -> list[Any]:
        return [one.entry for one in self.store.records(self.session.id) if isinstance(one.entry, kind)]


ANA = Person("ana", "api")
FIND, SCRAP = ("find_car", {"plate": "B-1"}), ("scrap_car", {"plate": "B-1", "price": "50"})


def results(events: list[Event]) -> list[dict[str, Any]]:
    return [msgspec.json.decode(event.result) for event in events if isinstance(event, ToolFinished)]


def statuses(found: list[dict[str, Any]]) -> list[str]:
    return [one["status"] for one in found]


def config_of(folder: Path, tools: str = TOOLS, *, level: int = 4) -> Config:
    """A config that names the tools, kept in a file of their own."""
    path, config = folder / "garage.py", folder / "config.toml"
    path.write_text(tools)
    config.write_text(f'agent = "garage"\nmodel = "offline"\n[agents.garage]\ntools = "{path}"\n')
    for file in (path, config):
        file.chmod(0o600)
    places = Places(str(config), str(folder / "store.db"), str(folder / "log"), str(folder))
    return load_config(Flags(autonomy=str(level)), {}, places)


def open_shop(folder: Path, *, level: int = 4) -> Shop:
    store = SqliteStore.in_memory()
    session = begin(config_of(folder, level=level), store).session
    return Shop(session, store, sys.modules["agentcli_own_garage"].done)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    opened = open_shop(tmp_path)
    yield opened
    opened.session.close()
    opened.store.close()


async def test_a_coroutine_is_a_tool_like_any_other(shop: Shop) -> None:
    """Its result is what it returns, with what every result has; without a status it is `ok`."""
    (found,) = await shop.call(FIND)
    assert found == {
        "status": "ok",
        "owner": "Ana",
        "isError": False,
        "errorCategory": None,
        "isRetryable": False,
        "message": None,
    }


async def test_statuses_are_declared(shop: Shop) -> None:
    """A failure by name and a success of another name come as such."""
    missing, resting = await shop.call(("find_car", {"plate": "B-9"}), ("find_car", {"plate": "B-8"}))
    assert (missing["status"], missing["isError"], missing["errorCategory"], missing["isRetryable"]) == (
        "car_not_found",
        True,
        "validation",
        True,
    )
    assert missing["message"] == "There is no car B-9. Ask for the right plate."
    assert (resting["status"], resting["isError"]) == ("resting", False)


@pytest.mark.parametrize("how", ["status", "none", "list", "value", "raises"])
async def test_what_was_not_declared_is_a_fault(shop: Shop, how: str) -> None:
    """An unknown status, no dict, nothing that JSON holds, a crash: the model gets a reference and no detail."""
    (fault,) = await shop.call(("odd", {"how": how}))
    assert (fault["status"], fault["errorCategory"], fault["isRetryable"]) == ("fault", "transient", True)
    assert "swordfish" not in json.dumps(fault)


@pytest.mark.parametrize(
    ("plate", "status"), [("B-1", "ok"), ("B-2", "blocked"), ("B-8", "blocked"), ("B-9", "blocked")]
)
async def test_a_prerequisite_waits_for_its_fact(tmp_path: Path, plate: str, status: str) -> None:
    """What the real result showed about this plate counts, whatever status it had."""
    shop = open_shop(tmp_path)
    _, *rest = await shop.call(("find_car", {"plate": plate}), ("scrap_car", {"plate": plate, "price": 50}))
    if status == "ok":
        rest = await shop.answer()
    assert statuses(rest) == [status]
    if status == "blocked":
        assert rest[0]["message"] == (f"owner_known is not established for plate {plate}. Use find_car first.")
        assert rest[0]["next"] == ["find_car"]
    shop.session.close()
    shop.store.close()


@pytest.mark.parametrize(("price", "within"), [("500", True), ("500.00", True), ("500.01", False)])
async def test_a_limit_is_exact(shop: Shop, price: str, within: bool) -> None:
    """Over it the call is denied as business, and the model told where to turn."""
    _, *rest = await shop.call(FIND, ("scrap_car", {"plate": "B-1", "price": price}))
    assert bool(shop.session.waiting) is within
    if not within:
        assert (rest[0]["errorCategory"], rest[0]["next"]) == ("business", ["call_owner"])
        assert rest[0]["message"] == "price is 500.01; the limit is 500. Use call_owner instead."


async def test_approval_asks_at_level_4_and_the_preview_shows_the_effect(shop: Shop) -> None:
    """A person sees what will happen, in the tool's own lines; a yes lets it happen, a no does not."""
    await shop.call(FIND, SCRAP)
    (question,) = shop.session.waiting
    assert question.preview == ("will scrap: B-1 for 50",)
    assert shop.done == []
    assert statuses(await shop.answer()) == ["ok"]
    assert shop.done == ["scrap B-1 for 50"]
    await shop.call(SCRAP)
    assert statuses(await shop.answer(approve=False)) == ["declined"]
    assert shop.done == ["scrap B-1 for 50"]


@pytest.mark.parametrize(
    ("level", "calls", "decisions"),
    [
        (3, [("book_slot", {"plate": "B-1", "day": "2026-11-30"}), ("poke", {"plate": "B-1"})], ["allow", "ask"]),
        (2, [("find_car", {"plate": "B-1"}), ("book_any", {"plate": "B-1"})], ["allow", "ask"]),
        (1, [("book_any", {"plate": "B-1"}), ("poke", {"plate": "B-1"})], ["deny", "deny"]),
    ],
)
async def test_risk_is_what_was_declared_and_else_the_worst(
    tmp_path: Path, level: int, calls: list[tuple[str, dict[str, Any]]], decisions: list[str]
) -> None:
    """A write can be undone, and what declares no risk counts as irreversible."""
    shop = open_shop(tmp_path, level=level)
    text = " & ".join(f"call {tool} {json.dumps(members)}" for tool, members in calls)
    events = [event async for event in shop.session.run(text)]
    assert [event.decision for event in events if isinstance(event, Decided)] == decisions
    shop.session.close()
    shop.store.close()


@pytest.mark.parametrize(
    ("call", "undone"),
    [
        (("book_slot", {"plate": "B-1", "day": "2026-11-30"}), ["book B-1 30.11.", "cancel 1 of B-1"]),
        (("book_any", {"plate": "B-1"}), ["book B-1", "cancel 1 of B-1"]),
    ],
    ids=["function", "coroutine"],
)
async def test_an_undo_gets_input_and_result(
    shop: Shop, call: tuple[str, dict[str, Any]], undone: list[str]
) -> None:
    """A person takes a write back, and what its tool gave tells which one it was."""
    assert statuses(await shop.call(call)) == ["ok"]
    question = await shop.session.undo(ANA)
    assert isinstance(question, Waiting), question
    await shop.session.answer(question.call_id, approve=True, by="ana", code=question.code)
    await shop.session.settle_own_calls()
    assert shop.done == undone
    assert isinstance(await shop.session.undo(ANA), Refused)


async def test_a_late_read_is_a_fault_and_another_is_a_persons_to_settle(shop: Shop) -> None:
    """What may have happened is never repeated by itself; a report that still comes counts."""
    (stared,) = await shop.call(("stare", {"plate": "B-1"}))
    assert (stared["status"], stared["message"]) == ("fault", "the tool did not answer within 0.05 s")
    assert await shop.call(("dawdle", {"plate": "B-1"})) == []
    assert len(shop.written(e.Overdue)) == 1
    await asyncio.sleep(0.5)
    await shop.go_on()
    call = next(call for call in shop.session.state.calls.values() if call.tool == "dawdle")
    assert call.output is not None
    assert msgspec.json.decode(call.output)["late"] is True


async def test_an_idempotency_key_is_kept_with_the_start(shop: Shop) -> None:
    """It makes a repeat after a crash safe."""
    await shop.call(("pay", {"ticket": "T-7", "amount": 4}))
    assert [entry.key for entry in shop.written(e.Started)] == ["T-7"]


async def test_a_suspended_call_is_run_again_from_its_start(shop: Shop) -> None:
    """Once made, a Suspend counts, whatever the tool swallows; then the tool gets what was filled in."""
    events = [event async for event in shop.session.run('call lift {"plate":"B-1"}')]
    (suspended,) = [event for event in events if isinstance(event, Suspended)]
    assert (suspended.question, suspended.shown) == ("Which bay?", ("both are free",))
    assert statuses(results(events)) == []
    assert statuses(await shop.fill_in('{"bay":"left"}')) == ["ok"]
    assert shop.done[-1] == "lift B-1 left"


async def test_a_preview_may_suspend_and_is_told_what_was_filled_in(tmp_path: Path) -> None:
    """First the form, then the question that shows what will come of it, then the call with the same data."""
    shop = open_shop(tmp_path, level=3)
    await shop.call(("paint", {"plate": "B-1"}))
    assert shop.session.waiting == []
    await shop.fill_in('{"bay":"right"}')
    (question,) = shop.session.waiting
    assert question.preview == ("will paint B-1 in the right bay",)
    assert statuses(await shop.answer()) == ["ok"]
    assert shop.done == ["paint B-1 right"]
    shop.session.close()
    shop.store.close()


async def test_the_model_sees_neither_form_nor_place(shop: Shop) -> None:
    """What persons fill in is no member of the input."""
    (invalid,) = await shop.call(("lift", {"plate": "B-1", "resumed": {"bay": "left"}}))
    assert invalid["status"] == "invalid"
    assert shop.done == []


@pytest.mark.parametrize("amount", ["NaN", "1e3", "-1", " 5", "1_000", "١", True, None, 1e30], ids=str)
async def test_an_amount_is_strict_in_tools_of_ones_own_too(shop: Shop, amount: object) -> None:
    """A Decimal takes digits and a point, and nothing that merely looks like a number."""
    assert statuses(await shop.call(("pay", {"ticket": "T-1", "amount": amount}))) == ["invalid"]
    assert shop.done == []


# fmt: off
REFUSED: list[tuple[str, str, str]] = [
    # what is special         the function                                          told
    ("no-annotation",         "def scrap(plate): ...",                              "tool 'scrap', parameter 'plate': it has no annotation"),
    ("args",                  "def scrap(*plates: str): ...",                       "tool 'scrap', parameter 'plates': a tool can't take *args or **kw"),
    ("kw",                    "def scrap(**more: str): ...",                        "tool 'scrap', parameter 'more': a tool can't take *args or **kw"),
    ("positional-only",       "def scrap(plate: str, /): ...",                      "tool 'scrap', parameter 'plate': a tool can't have positional-only"),
    ("mutable-default",       "def scrap(plates: list[str] = []): ...",             "tool 'scrap', parameter 'plates': its default is mutable"),
    ("unresolvable",          "def scrap(plate: 'Plate'): ...",                     "tool 'scrap', parameter 'plate': its annotation can't be resolved"),
    ("no-schema",             "def scrap(plate: object): ...",                      "tool 'scrap', parameter 'plate'"),
    ("a-class",               "def scrap(plate: type): ...",                        "tool 'scrap', parameter 'plate'"),
]
# fmt: on


@pytest.mark.parametrize(("function", "told"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_can_not_be_read_strictly_is_refused_at_load(tmp_path: Path, function: str, told: str) -> None:
    """The error names file and line of the config and of the tools, the tool, and the parameter."""
    tools = f'from agentcli import Toolset\ntools = Toolset("garage")\n@tools.irreversible\n{function}\n'
    config = config_of(tmp_path, tools)
    with pytest.raises(ConfigError) as refused:
        load_agent(config, "garage")
    assert told in str(refused.value)
    assert f"{tmp_path / 'garage.py'}:" in str(refused.value)
    assert "agents.garage.tools" in str(refused.value)


def test_a_limit_of_an_option_that_an_own_agent_has_not_is_refused_at_load(tmp_path: Path) -> None:
    """Options belong to the agents that ship: no call would ever get past its limit."""
    function = 'limits=at_most("price", option="most"))\ndef scrap(price: int): ...'
    tools = f'from agentcli import Toolset, at_most\ntools = Toolset("garage")\n@tools.irreversible({function}\n'
    with pytest.raises(ConfigError, match="tool 'scrap': an agent of your own has no options"):
        load_agent(config_of(tmp_path, tools), "garage")


async def test_an_input_may_be_called_place(shop: Shop) -> None:
    """What that means here is nobody else's business."""
    (found,) = await shop.call(("find_bay", {"place": "Rome"}))
    assert found["bay"] == "left in Rome"


@pytest.mark.parametrize("line", ["import sys; sys.exit(0)", "raise SystemExit", "1 / 0"])
def test_a_file_that_ends_the_program_is_an_error_like_others(tmp_path: Path, line: str) -> None:
    """It can't end agentcli as if all was well."""
    with pytest.raises(ConfigError, match=r"garage\.py:1"):
        load_agent(config_of(tmp_path, line), "garage")
