"""A demo played: its lines are typed into the real terminal view, and what comes of them is taken down."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import msgspec
from msgspec import Struct, field
from prompt_toolkit.input import PipeInput, create_pipe_input

from agentcli.agents import shipped
from agentcli.agents.agent import Agent
from agentcli.gate.autonomy import Level
from agentcli.lab.directing import Cast, Director, Stuck, TurnPlayed
from agentcli.lab.paced import PacedModel
from agentcli.lab.sandbox import sandboxed
from agentcli.lab.script import Effect, PlannedCall, Reply, Script
from agentcli.lab.stage import StageClock, StageLoop
from agentcli.lab.staged import StagedFace
from agentcli.lab.unasked import Result, results_of
from agentcli.models.prices import cost_usd
from agentcli.models.scripted import AUTO, ScriptedCall, ScriptedModel, ScriptedReply, ScriptMismatch
from agentcli.session.allowance import RunLimits
from agentcli.session.call import Call
from agentcli.session.persons import Person
from agentcli.session.ports import Model
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.conversation.chat import Chat
from agentcli.terminal.conversation.resting import Parting
from agentcli.terminal.drawing.first_line import first_line
from agentcli.terminal.drawing.fold import fold
from agentcli.terminal.drawing.styled import Line, Span, Style, draw
from agentcli.terminal.faces.linear import LinearOutput
from agentcli.terminal.faces.output import SteadyOutput
from agentcli.terminal.faces.screen import Screen
from agentcli.terminal.faces.system_signals import HANG_UP, heed, ignore
from agentcli.visible import visible_line
from agentcli.wiring.levels import Levels
from agentcli.wiring.models import build_here
from agentcli.wiring.opening import Circumstances
from agentcli.wiring.session import Session
from agentcli.wiring.terms import Terms

PLAYER: Final = Person("ana", "demo")
"""Who speaks and answers in demos: a script, on sandboxed data alone."""

CTRL_D: Final = "\x04"

CUT_SHORT: Final[Mapping[int, Parting]] = {
    signal.SIGTERM: Parting.TERMINATED,
    HANG_UP: Parting.HUNG_UP,
    signal.SIGINT: Parting.INTERRUPTED,
}
"""How a demo is left that a signal ends."""


class LeftEarly(Exception):
    """Whoever watched, or the system, has ended the demo; `parting` says how."""

    def __init__(self, parting: Parting) -> None:
        super().__init__(f"the demo was left before its end ({parting.name})")
        self.parting = parting


class Stage(Struct, frozen=True):
    """Where it plays: the loop, and the terminal that it is drawn on."""

    loop: StageLoop
    output: SteadyOutput | LinearOutput
    colour: bool


class Played(Struct):
    """The outcome of a demo at one level: its turns, the looks at the end, and what kept it from going on."""

    level: Level
    turns: list[TurnPlayed] = field(default_factory=list)
    effects: list[Result] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)


async def play(script: Script, stage: Stage) -> list[Played]:
    """Play a demo at each of its levels, one after the other."""
    return [await Performance(script, Level(level), stage).play() for level in script.levels]


class Performance:
    """A demo at one level, on data of its own."""

    def __init__(self, script: Script, level: Level, stage: Stage) -> None:
        self._script = script
        self._stage = stage
        self._clock = StageClock(script.now, stage.loop)
        self._played = Played(level)
        self._model: ScriptedModel | None = None
        self._director: Director | None = None

    async def play(self) -> Played:
        """Play it, and return the outcome."""
        agent = sandboxed(shipped(self._script.agent))
        with SqliteStore.in_memory() as store:
            if await self._is_laid_out(agent, store):
                await self._converse(agent, store)
                looks = list(_calls_of(self._script.effect))
                self._played.effects = await results_of(agent, store, looks, self._clock)
        return self._played

    async def _is_laid_out(self, agent: Agent, store: SqliteStore) -> bool:
        """Play the data in; return whether all of it is there."""
        results = await results_of(agent, store, list(_calls_of(self._script.data)), self._clock)
        for number, (call, result) in enumerate(zip(self._script.data, results, strict=True)):
            if result.get("isError", True):
                said = result.get("message") or result["status"]
                self._played.problems.append(f"data[{number}] {call.tool}: {said}")
        return not self._played.problems

    async def _converse(self, agent: Agent, store: SqliteStore) -> None:
        session = Session.begin(agent, store, self._terms(agent), self._clock)
        self._stage.loop.hold_while(lambda: any(_is_outside(call) for call in session.state.batch))
        try:
            with create_pipe_input() as keys:
                await self._act(session, store, keys)
        except ScriptMismatch as mismatch:
            self._played.problems.append(str(mismatch))
        finally:
            self._stage.loop.hold_while(lambda: False)
            session.close()

    async def _act(self, session: Session, store: SqliteStore, keys: PipeInput) -> None:
        stage = self._stage
        screen = Screen(
            keys, stage.output, colour=stage.colour, bell=False, clock=stage.loop.time, heeds_signals=False
        )
        title = f"{self._script.title} {int(self._played.level)}"
        face = StagedFace(screen, title, lambda: stage.output.get_size().rows)
        self._director = Director(Cast(session, face, keys))
        self._greet(face, session)
        async with _cut_short() as cut, face:
            chat = Chat(session, store, face, person=PLAYER, clock=self._clock)
            talking = asyncio.ensure_future(chat.talk())
            directing = asyncio.ensure_future(self._direct(self._director, keys))
            try:
                going: set[asyncio.Future[Any]] = {talking, directing, cut}
                await asyncio.wait(going, return_when=asyncio.FIRST_COMPLETED)
                if directing.done():
                    directing.result()
                await asyncio.wait({talking, cut}, return_when=asyncio.FIRST_COMPLETED)
                if talking.done() and not directing.done():
                    raise LeftEarly(talking.result())
                if talking.done():
                    talking.result()
            finally:
                for work in (talking, directing):
                    work.cancel()
                await asyncio.wait({talking, directing})
                self._played.lines = face.lines

    async def _direct(self, director: Director, keys: PipeInput) -> None:
        for number, turn in enumerate(self._script.turn, start=1):
            try:
                self._played.turns.append(await director.play(turn))
            except Stuck as stuck:
                self._played.turns.append(director.so_far)
                self._played.problems.append(f"turn {number}: {stuck}")
                break
        if self._model is not None and not self._played.problems:
            try:
                self._model.assert_finished()
            except ScriptMismatch as mismatch:
                self._played.problems.append(str(mismatch))
        await director.pause()
        keys.send_text(CTRL_D)

    def _greet(self, face: StagedFace, session: Session) -> None:
        script, state = self._script, session.state
        circumstances = Circumstances(
            agent=script.agent,
            model=script.model,
            level=state.level,
            level_from="the demo",
            tool_levels={},
            limits=RunLimits(),
        )
        title = f"{visible_line(script.title)} · level {int(state.level)}"
        face.write(
            "\n".join(draw((Span(one, Style.STRONG),), colour=face.colour) for one in fold(title, face.width))
        )
        face.write("\n".join(piece.rstrip() for piece in fold(first_line(circumstances), face.width)))

    def _terms(self, agent: Agent) -> Terms:
        return Terms(
            model=self._script.model,
            levels=Levels(self._played.level, {}),
            price=cost_usd,
            options={**agent.options, **agent.sandbox_options},
            build=self._build,
        )

    def _build(self, name: str, agent: Agent) -> Model:
        if self._script.model == "scripted":
            self._model = ScriptedModel(map(_scripted, self._script.reply))
        return PacedModel(self._model or build_here(name, agent), self._meanwhile)

    async def _meanwhile(self) -> None:
        assert self._director is not None
        await self._director.speak_meanwhile()


@asynccontextmanager
async def _cut_short() -> AsyncIterator["asyncio.Future[Parting]"]:
    """Heed signals while the block lasts, however far it has come; the future is done when one was sent.

    The screen would take Ctrl-C for a key; but who types on this one is the script.

    Raises:
        LeftEarly: One was sent.
    """
    cut: asyncio.Future[Parting] = asyncio.get_running_loop().create_future()

    def told(number: int) -> None:
        if not cut.done():
            cut.set_result(CUT_SHORT[number])

    heed(CUT_SHORT, told)
    try:
        yield cut
        # One that came in the last moment is read, passed on and told in three turns of the loop.
        for _ in range(3):
            await asyncio.sleep(0)
    finally:
        ignore(CUT_SHORT)
    if cut.done():
        raise LeftEarly(cut.result())


def _is_outside(call: Call) -> bool:
    """Tell whether a call is at work in the world outside the stage."""
    return call.started is not None and call.finished is None and not call.settled


def _calls_of(planned: Sequence[PlannedCall | Effect]) -> Iterator[tuple[str, str]]:
    for one in planned:
        yield one.tool, msgspec.json.encode(one.input).decode()


def _scripted(reply: Reply) -> ScriptedReply:
    calls = tuple(ScriptedCall(tool, text) for tool, text in _calls_of(reply.calls))
    return ScriptedReply(text=reply.text, calls=calls, stop_reason=reply.stop or AUTO)
