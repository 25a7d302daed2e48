"""`agentcli undo`: reverse the last write of a session."""

import asyncio
import json
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Final

import msgspec
import typer

from agentcli.cli.apps import App
from agentcli.cli.decide.called import refuse_agents
from agentcli.cli.exits import Exit, Refusal, WrongUsage
from agentcli.cli.looking import store_there
from agentcli.cli.options import AsJson, text_argument
from agentcli.cli.setup import command_line, flags_of, set_up
from agentcli.cli.signals import EXITS
from agentcli.cli.writing import output
from agentcli.session.call import Call
from agentcli.session.persons import Given, Person, Refused
from agentcli.store.register import NoSuch, newest_session, resolve_session
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal import happened as h
from agentcli.terminal.conversation.one_question import Elsewhere, Left, ask_one
from agentcli.terminal.drawing.render import short_json
from agentcli.terminal.face import Face
from agentcli.terminal.faces.plain import is_one_terminal
from agentcli.terminal.faces.this_terminal import this_terminal
from agentcli.terminal.question.answer import Approve, Decline
from agentcli.terminal.question.asked import view_of
from agentcli.tools.outcome import input_as_json
from agentcli.visible import visible_line
from agentcli.wiring import outside
from agentcli.wiring.identity import this_person
from agentcli.wiring.opening import hold_for_a_person
from agentcli.wiring.session import Session

CHANNEL: Final = "undo"

app = App()

Yes = Annotated[bool, typer.Option("--yes", help="don't ask")]


class Undone(msgspec.Struct, frozen=True):
    """What `undo --json` writes: the call to be taken back, what was shown of it, and whether it was."""

    session: str
    call_id: str
    tool: str
    input: Any
    preview: tuple[str, ...]
    undone: bool


@app.command(
    epilog="""\b
Examples:
  agentcli undo
  agentcli undo 08j3bqvy --yes"""
)
def undo(
    ctx: typer.Context,
    session: Annotated[str | None, text_argument("SESSION", "its id; left out: the one used last")] = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Show the last write of a session that still stands, ask, and reverse it; once more reverses the one before.

    It is refused where somebody has changed since what was written. Without a terminal it needs --yes.
    """
    if not yes and not is_one_terminal(sys.stdin, sys.stdout):
        raise WrongUsage("without a terminal an undo needs --yes")
    config = set_up(flags_of(ctx))
    with store_there(config) as store:
        refuse_agents(store)
        found = _session_of(store, session)
        assert store is not None
        held = hold_for_a_person(config, store, found)
        try:
            terminal = None if yes else partial(this_terminal, config.terminal)
            undoing = Undoing(held, store, terminal, as_json=as_json, program=command_line(flags_of(ctx)))
            return asyncio.run(undoing.carry_out())
        finally:
            held.close()


def _session_of(store: SqliteStore | None, named: str | None) -> str:
    if named is not None:
        if store is None:
            raise NoSuch("session", named)
        return resolve_session(store, named)
    newest = None if store is None else newest_session(store)
    if newest is None:
        raise Refusal("there is nothing to undo")
    return newest


class Undoing:
    """One undo, from what is shown of it to its outcome."""

    def __init__(
        self,
        session: Session,
        store: SqliteStore,
        terminal: Callable[[], Face] | None,
        *,
        as_json: bool,
        program: str,
    ) -> None:
        """Make it.

        Args:
            terminal: What it is asked at; None where it is not asked.
            program: How agentcli is called on the same store, without a command.
        """
        self._session = session
        self._store = store
        self._terminal = terminal
        self._as_json = as_json
        self._program = program

    async def carry_out(self) -> Exit:
        """Propose it, have it answered as long as it is asked about, and return the exit code.

        Raises:
            Refusal: There is nothing to undo, or it can't be undone.
        """
        while True:
            waiting = await self._session.undo(self._person)
            if isinstance(waiting, Refused):
                raise Refusal(waiting.reason + self._goes_on())
            call = self._session.state.calls[waiting.call_id]
            given = self._said_yes(call) if self._terminal is None else await self._ask(call, self._terminal())
            if isinstance(given, Exit):
                output.note(f"the question stays open; `{self._program} undo {self._session.id}` asks it again")
                return given
            if given is not None:
                answered = await self._session.answer_as(self._person, call.call_id, given)
                if isinstance(answered, Refused):
                    # What counts instead is carried out.
                    await self._session.settle_own_calls()
                    raise Refusal(answered.reason)
            await self._session.settle_own_calls()
            call = self._session.state.calls[waiting.call_id]
            if not call.waits_for_answer:
                return self._conclude(call)
            # It would do something else than what was shown: it is shown again.

    def _goes_on(self) -> str:
        """Return how an open run is brought to its end; nothing where none is open."""
        is_open = self._session.state.run is not None
        return f"; `{self._program} resume {self._session.id}` goes on with it" if is_open else ""

    @property
    def _person(self) -> Person:
        return this_person(CHANNEL)

    async def _ask(self, call: Call, terminal: Face) -> Given | Exit | None:
        """Return what the person says, how they left, or None where it has to be looked at again."""
        async with terminal as face:
            said = await ask_one(
                face, view_of(call), is_open=lambda: self._is_open(call, call.question_code), say=self._say
            )
        match said:
            case h.AnswerGiven(said=Approve(), code=code):
                return Given("approved", code)
            case h.AnswerGiven(said=Decline(reason), code=code):
                return Given("declined", code, reason)
            case h.AnswerGiven(said=h.Cancelled(), code=code):
                return Given("cancelled", code)
            case h.AnswerGiven():
                output.note("an undo has no input to change: it takes a yes or a no")
                return None
            case Left(number):
                return EXITS[signal.Signals(number)] if number else Exit.WAITING
            case Elsewhere():
                return None

    def _said_yes(self, call: Call) -> Given:
        if not self._as_json and call.asked is not None:
            output.lines(map(visible_line, call.asked.preview))
        return Given("approved", call.question_code)

    def _is_open(self, call: Call, code: str) -> bool:
        self._session.catch_up()
        is_same = call.waits_for_answer and call.question_code == code
        return is_same and not call.has_expired(datetime.now(UTC))

    def _say(self, text: str) -> str:
        if text.lstrip().startswith("/"):
            return "commands are for `agentcli chat`; here it is y or n"
        said = outside.say(self._store, self._session.id, text, self._person)
        return f"queued #{said.no} for the agent; the question stays open"

    def _conclude(self, call: Call) -> Exit:
        if call.output is None or call.asked is None:
            output.note(f"whether {call.tool} was undone is not known; `{self._program} approvals list` shows it")
            return Exit.WAITING
        answer = "" if call.answered is None else call.answered.answer
        if answer == "approved" and call.is_error:
            raise Refusal(str(json.loads(call.output).get("message")))
        undone = not call.is_error
        if self._as_json:
            shown = input_as_json(call.as_sent)
            seen = call.asked.preview
            output.json_line(Undone(self._session.id, call.call_id, call.tool, shown, seen, undone))
        else:
            what = f"{visible_line(call.tool)} {short_json(call.as_sent)}"
            output.lines([f"undone: {what}" if undone else f"left as it is: {what}"])
        return Exit.INTERRUPTED if answer == "cancelled" else Exit.DONE
