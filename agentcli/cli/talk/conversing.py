"""Holds the conversation of `chat`, and of `resume` at a terminal."""

import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from agentcli.cli.exits import Exit, explain
from agentcli.cli.setup import command_line
from agentcli.cli.talk.ending import Ending, ending_of, kept_while_draining, not_heard
from agentcli.cli.talk.opening import hang_up
from agentcli.cli.writing import output
from agentcli.config import Config, Flags
from agentcli.config.places import history_file
from agentcli.session.announcing import run_finished
from agentcli.session.pending import pending
from agentcli.terminal.conversation.chat import Chat
from agentcli.terminal.conversation.resting import Parting
from agentcli.terminal.drawing.first_line import first_line, first_minute
from agentcli.terminal.drawing.fold import fold
from agentcli.terminal.drawing.folded import draw_folded
from agentcli.terminal.drawing.recalling import recalled_lines
from agentcli.terminal.drawing.reply import SET_IN
from agentcli.terminal.face import Face, tell
from agentcli.terminal.faces.plain import Plain, is_one_terminal
from agentcli.terminal.faces.printed import beneath, listening, printed_line, terminal_size
from agentcli.terminal.faces.this_terminal import this_terminal
from agentcli.terminal.surroundings import LevelSources, Surroundings
from agentcli.visible import visible_line
from agentcli.wiring.agents import names
from agentcli.wiring.models import KEYS
from agentcli.wiring.opening import Opening

EXITS: Final = {
    Parting.DONE: Exit.DONE,
    Parting.LATER: Exit.LATER,
    Parting.INTERRUPTED: Exit.INTERRUPTED,
    Parting.AT_ONCE: Exit.INTERRUPTED,
    Parting.TERMINATED: Exit.TERMINATED,
    Parting.HUNG_UP: Exit.HUNG_UP,
}


class Beginning(Struct, frozen=True):
    """What the person says first, whether to take up what lies there, and lines about it that are safe to draw."""

    said: str | None = None
    goes_on: bool = False
    found: tuple[str, ...] = ()


def converse(opening: Opening, config: Config, flags: Flags, beginning: Beginning) -> int:
    """Talk until the person leaves, and return the exit code."""
    talking = Conversing(opening, config, flags).hold(beginning)
    # The loop is left as it is: to close it would be to wait for threads that are still at work.
    return asyncio.new_event_loop().run_until_complete(talking)


class Conversing:
    """One person at one face, in one session after the other."""

    def __init__(self, opening: Opening, config: Config, flags: Flags) -> None:
        self._opening = opening
        self._config = config
        self._flags = flags
        self._face = face_of(config)

    async def hold(self, beginning: Beginning) -> Exit:
        """Talk until the person leaves, and return the exit code."""
        self._greet(beginning.found or self._first_minute)
        try:
            async with self._face:
                with listening(partial(self._tell_printed, asyncio.get_running_loop())):
                    parting = await self._talk(beginning)
        except Exception as error:  # noqa: BLE001  # also after a failure it is said how to go on
            problem = explain(error)
            output.note(f"agentcli: {problem.message}")
            output.note(self._resume)
            return problem.code
        finally:
            await hang_up(self._opening)
        return self._say_goodbye(parting)

    def _tell_printed(self, loop: asyncio.AbstractEventLoop, line: str) -> None:
        """Tell what own code has printed, in whichever thread; held back like all else that the agent says."""
        text = draw_folded(printed_line(line), self._face.width, colour=self._face.colour)
        with suppress(RuntimeError):  # the loop is over
            loop.call_soon_threadsafe(self._face.write, text)

    async def _talk(self, beginning: Beginning) -> Parting:
        # Not before the prompt is drawn: the import keeps the machine busy for a second.
        threading.Thread(target=self._opening.session.preload, daemon=True).start()
        chat = self._chat()
        parting = await chat.talk(beginning.said, goes_on=beginning.goes_on)
        while parting is Parting.NEW:
            chat = await self._go_elsewhere(chat) or chat
            parting = await chat.talk()
        return parting

    def _chat(self) -> Chat:
        here = self._opening.circumstances
        levels = LevelSources(here.level_from, here.tool_levels_from)
        config = self._config
        surroundings = Surroundings(levels, names(config), config.terminal.plain, config.log.file)
        return Chat(self._opening.session, self._opening.store, self._face, surroundings=surroundings)

    async def _go_elsewhere(self, chat: Chat) -> Chat | None:
        """Hold the session that the chat was left for, and leave this one; None where that can't be."""
        from agentcli.cli.talk.elsewhere import opened_elsewhere  # noqa: PLC0415  # not needed by the first prompt

        assert chat.wanted is not None
        try:
            opening = opened_elsewhere(chat.wanted, self._opening, self._config)
        except Exception as error:  # noqa: BLE001  # the session that is open goes on
            tell(self._face, visible_line(explain(error).message))
            return None
        for line in self._left_behind():
            tell(self._face, visible_line(line))
        await hang_up(self._opening)
        self._opening.session.close()
        self._opening = opening
        self._greet()
        return self._chat()

    def _left_behind(self) -> Iterator[str]:
        """Yield what is told of a session that is left for another: what waits in it, and how to go on."""
        state = self._opening.session.state
        waits = any(pending(state, datetime.now(UTC), is_held=True))
        ending = self._ending(Parting.OPEN if waits else Parting.DONE)
        if ending.unheard:
            yield not_heard(ending.unheard)
        yield ending.words or self._resume

    def _greet(self, found: tuple[str, ...] = ()) -> None:
        session, face = self._opening.session, self._face
        lines = (
            first_line(self._opening.circumstances),
            *map(visible_line, session.notes),
            *recalled_lines(session.state, face.width),
            *found,
        )
        face.write("\n".join(piece.rstrip() for line in lines for piece in fold(line, face.width, SET_IN)))

    @property
    def _first_minute(self) -> tuple[str, ...]:
        has_key = any(os.environ.get(key) for key in KEYS)
        is_known = has_key or self._config.sources.file or self._opening.session.state.messages
        return () if is_known else first_minute(self._opening.circumstances)

    @property
    def _resume(self) -> str:
        """The line that says how to go on with the session."""
        return f"`{self._resume_command}` goes on with this session"

    @property
    def _resume_command(self) -> str:
        return command_line(self._flags, "resume", self._opening.session.id)

    def _say_goodbye(self, parting: Parting) -> Exit:
        ending = self._ending(parting)
        if parting is Parting.HUNG_UP:
            output.note(self._resume)
            # A disk that is full looks the same to the face: what is left in the buffer then says so here.
            if not self._face.can_answer:
                output.write("")
        else:
            if ending.unheard:
                output.told(not_heard(ending.unheard))
            output.told(ending.words or self._resume)
        return ending.exit

    def _ending(self, parting: Parting) -> Ending:
        state, now = self._opening.session.state, datetime.now(UTC)
        program = command_line(self._flags)
        if parting is Parting.OPEN:
            return ending_of(run_finished(state, now, "waiting", ""), state, program=program)
        if parting is Parting.LATER:
            return kept_while_draining(run_finished(state, now, "stopped", ""), program=program)
        if parting is Parting.ENDED and state.ended is not None and state.ended.outcome != "completed":
            return ending_of(run_finished(state, now, state.ended.outcome, ""), state, program=program)
        return Ending(EXITS.get(parting, Exit.DONE), unheard=tuple(state.unheard))


def face_of(config: Config) -> Face:
    """Return the terminal where both ends are one, else plain lines."""
    if is_one_terminal(sys.stdin, sys.stdout):
        return this_terminal(config.terminal, Path(history_file()))
    return Plain(beneath(sys.stdin), beneath(sys.stdout), width=terminal_size().columns)
