"""One process's life: it begins or goes on with the session, does as the person says, and ends or is killed.

The person's part is told by the journal alone, so that whoever comes next goes on where the last one fell. Answers
and words come from outside, over a connection of their own.
"""

import asyncio
import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from agentcli.engine.bookkeeping import Draining, Left
from agentcli.gate.autonomy import Level
from agentcli.session.allowance import RunLimits
from agentcli.session.call import Call
from agentcli.session.persons import Given, Person, Refused
from agentcli.session.steps import AwaitAnswer, AwaitReconcile, AwaitSupply, End, Idle, Step
from agentcli.store.register import newest_session
from agentcli.wiring import outside
from agentcli.wiring.levels import Levels
from agentcli.wiring.session import Session
from agentcli.wiring.terms import Terms
from agentcli.wiring.waiting import Waiting
from tests.crash.fate import Fate, MortalStore
from tests.crash.yard import World, yard

ANA: Final = Person("ana", "terminal")
BO: Final = Person("bo", "approvals")

MESSAGES: Final = (
    'call look {} & call note {"what":"a"} & call carve {"what":"b"} & call send {"what":"c"} & call look {}',
    'call note {"what":"d"} & call note {"what":"e no"} & call note {"what":"f"} & call note {"what":"g no"}',
    'call build {"what":"h"} & call draw {"what":"i"}',
    'call build {"what":"p never"} & call draw {"what":"q never"} & call draw {"what":"q never"}',
    'call send {"what":"j no"} & call send {"what":"k"} & call send {"what":"l"} & call sync {"what":"m"}',
    'call note {"what":"n change"} & call peek {"what":"o"}',
)
MEANWHILE: Final = 'call note {"what":"said meanwhile"}'
WHILE_ASKED: Final = 'call send {"what":"said while asked"}'

TERMS: Final = Terms(
    model="offline",
    levels=Levels(Level.PROPOSE, {"sync": Level.ALONE}),
    price=lambda model, usage: Decimal(0),
    limits=RunLimits(steps=20, asks=50, irreversible=50),
)


@dataclass(frozen=True, slots=True)
class Files:
    """Where a world is kept."""

    folder: Path

    @property
    def store(self) -> Path:
        """The store."""
        return self.folder / "store.db"

    @property
    def effects(self) -> Path:
        """What happened outside."""
        return self.folder / "effects"

    def has_happened(self, what: str) -> bool:
        """Whether something happened outside."""
        return self.effects.exists() and what in self.effects.read_text().splitlines()


class Life:
    """The process that holds the session, and the person beside it."""

    def __init__(self, files: Files, fate: Fate) -> None:
        self._files = files
        MortalStore.fate = fate
        self._store = MortalStore.open(files.store)
        self._others = MortalStore.open(files.store)
        world = World(files.effects, fate.point, self._meanwhile)
        session = newest_session(self._store)
        if session is None:
            self.session = Session.begin(yard(world), self._store, TERMS)
        else:
            self.session = Session.go_on_with(yard(world), self._store, session, TERMS)

    async def live(self) -> None:
        """Do what there is to do until nothing is left."""
        while True:
            step = await self.session.carry_on()
            if isinstance(step, Idle | End):
                if not await self._speak():
                    break
            else:
                self._act(step)
        self.session.close()

    async def _speak(self) -> bool:
        """Say what is next, or take the last write back; return whether there was something."""
        said = {message.text for message in self.session.state.messages.values()}
        left = next((text for text in MESSAGES if text not in said), None)
        if left is not None:
            await self.session.say(left, ANA)
            return True
        if any(call.undoes is not None and call.settled for call in self.session.state.calls.values()):
            return False
        waiting = await self.session.undo(ANA)
        assert isinstance(waiting, Waiting), waiting
        return True

    def _act(self, step: Step | Left | Draining) -> None:
        match step:
            case AwaitAnswer(call_id):
                self._answer(self.session.state.calls[call_id])
            case AwaitSupply(call_id):
                self._fill_in(self.session.state.calls[call_id])
            case AwaitReconcile(call_id):
                call = self.session.state.calls[call_id]
                did = self._files.has_happened(f"{call.tool} {_what(call)}")
                outside.settle(self._others, self.session.id, call_id, "happened" if did else "retry", BO)
            case _:
                raise AssertionError(step)

    def _fill_in(self, call: Call) -> None:
        others, session = self._others, self.session.id
        if _what(call).endswith(" never"):
            outside.decline_form(others, session, call.call_id, "", BO)
        else:
            outside.supply(others, session, call.call_id, '{"how":"so"}', BO)

    def _answer(self, call: Call) -> None:
        others, session, code = self._others, self.session.id, call.question_code
        what = _what(call)
        if what == "k":
            self._say_once(WHILE_ASKED)
        if what.endswith(" change"):
            outside.edit(others, session, call.call_id, '{"what":"changed"}', code, BO)
            return
        given = Given("declined" if what.endswith(" no") else "approved", code)
        assert not isinstance(outside.answer(others, session, call.call_id, given, BO), Refused)

    def _meanwhile(self) -> None:
        # In the tool's thread, which needs a connection of its own.
        with MortalStore.open(self._files.store) as others:
            self._say_once(MEANWHILE, others)

    def _say_once(self, text: str, others: MortalStore | None = None) -> None:
        store = others or self._others
        said = outside.look_at(store, self.session.id, next(iter(self.session.state.calls))).state.messages
        if text not in {message.text for message in said.values()}:
            outside.say(store, self.session.id, text, BO)


def _what(call: Call) -> str:
    found = re.search(r'"what":"([^"]*)"', call.input)
    return "" if found is None else found[1]


def live(folder: Path, kill_at: int = 0) -> int:
    """Be one process; return how many points it passed, unless it is killed at one."""
    fate = Fate(kill_at)
    asyncio.run(Life(Files(folder), fate).live())
    return fate.passed
